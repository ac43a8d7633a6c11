"""Clients of all four families with Python's standard library alone: ADDRESS KEY PHOTO FOLDER. Says what came back."""
import base64
import json
import pathlib
import sys
import urllib.error
import urllib.request
import uuid

address, key, photo, folder = sys.argv[1:]
picture = pathlib.Path(photo).read_bytes()
said = {}


def ask(route, headers, body=None, content_type=None):
    request = urllib.request.Request(address + route, data=body, headers=headers)
    if content_type:
        request.add_header("Content-Type", content_type)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def form(files, fields):
    boundary = uuid.uuid4().hex
    parts = []
    for name, value in fields.items():
        parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    for name, content in files.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="photo.jpg"\r\n'
        parts.append(head.encode() + b"Content-Type: image/jpeg\r\n\r\n" + content + b"\r\n")
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def keep(name, status, content):
    (pathlib.Path(folder) / name).write_bytes(content)
    said[name] = status


own = {"X-Api-Key": key}
body, kind = form({"image_file": picture}, {"size": "auto"})
status, headers, content = ask("/v1.0/removebg", own, body, kind)
keep("removebg.png", status, content)
said["x-width"] = headers.get("X-Width")
status, _, content = ask("/v1.0/removebg", {"X-Api-Key": "none"}, body, kind)
said["removebg refused"] = [status, json.loads(content)["errors"][0]["title"]]

body, kind = form({"file": picture}, {"model": "u2net"})
status, _, content = ask("/api/remove", own, body, kind)
keep("rembg.png", status, content)

bearer = {"Authorization": f"Bearer {key}"}
body, kind = form({"image": picture}, {"prompt": "Enlarge it", "model": "enlarger-2x"})
status, _, content = ask("/v1/images/edits", bearer, body, kind)
keep("openai.png", status, base64.b64decode(json.loads(content)["data"][0]["b64_json"]))

basic = {"Authorization": "Basic " + base64.b64encode(f"me:{key}".encode()).decode()}
asked = {"image": base64.b64encode(picture).decode(), "upscaler_1": "R-ESRGAN 4x+", "upscaling_resize": 2}
status, _, content = ask("/sdapi/v1/extra-single-image", basic, json.dumps(asked).encode(), "application/json")
keep("a1111.png", status, base64.b64decode(json.loads(content)["image"]))

print(json.dumps(said))
