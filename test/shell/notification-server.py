"""A desktop's server of notifications (freedesktop.org's, version 1.2) on the session bus.

Prints a line of JSON when it is ready and for each notification. A line on standard input clicks on the
notification of that number.
"""

import json
import sys

from gi.repository import Gio, GLib

INTERFACE = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
DESCRIPTION = f"""
<node><interface name="{INTERFACE}">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/><arg type="s" direction="out"/>
  </method>
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
</interface></node>
"""

shown = 0


def write(message):
    print(json.dumps(message), flush=True)


def on_call(_bus, _sender, _path, _interface, method, parameters, invocation):
    global shown
    if method == "GetCapabilities":
        invocation.return_value(GLib.Variant("(as)", (["body", "actions"],)))
    elif method == "GetServerInformation":
        invocation.return_value(GLib.Variant("(ssss)", ("test", "test", "1", "1.2")))
    elif method == "Notify":
        shown += 1
        app, _replaces, _icon, title, body, actions, _hints, _ms = parameters.unpack()
        write({"id": shown, "app": app, "title": title, "body": body, "actions": actions})
        invocation.return_value(GLib.Variant("(u)", (shown,)))
    else:
        invocation.return_value(None)


def on_line(bus):
    line = sys.stdin.readline()
    if line == "":
        sys.exit()
    clicked = GLib.Variant("(us)", (int(line), "default"))
    bus.emit_signal(None, PATH, INTERFACE, "ActionInvoked", clicked)
    return True


def on_bus(bus, _name):
    node = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION)
    bus.register_object(PATH, node.interfaces[0], on_call, None, None)
    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, lambda *_: on_line(bus))


Gio.bus_own_name(
    Gio.BusType.SESSION, INTERFACE, Gio.BusNameOwnerFlags.NONE, on_bus, lambda *_: write({}), None
)
GLib.MainLoop().run()
