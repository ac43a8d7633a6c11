/** The only bridge to the page. Sandboxed: it can call the application and nothing else. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type {
  Bridge,
  BridgeAnswers,
  BridgeArguments,
  BridgeCall,
  BridgeEvents,
} from '../packages/contract/src/bridge.ts';
import { channelOf, eventChannelOf } from './desktop/window/channels.ts';

function call<Name extends BridgeCall>(
  name: Name,
  ...given: BridgeArguments<Name>
): ReturnType<BridgeAnswers[Name]> {
  return ipcRenderer.invoke(channelOf(name), ...given).catch(withoutOrigin) as ReturnType<
    BridgeAnswers[Name]
  >;
}

/** Electron prefixes the channel's name. */
function withoutOrigin(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  throw new Error(message.replace(/^Error invoking remote method '[^']*': (\w*Error: )?/, ''));
}

function listenTo<Name extends keyof BridgeEvents>(
  name: Name,
  listener: (value: BridgeEvents[Name]) => void,
): () => void {
  const handler = (_event: unknown, value: BridgeEvents[Name]) => listener(value);
  ipcRenderer.on(eventChannelOf(name), handler);
  return () => void ipcRenderer.off(eventChannelOf(name), handler);
}

const bridge: Bridge = {
  sessionKey: () => call('sessionKey'),
  chooseFolder: () => call('chooseFolder'),
  chooseFiles: () => call('chooseFiles'),
  // Paths come only from File objects of the person: the page cannot invent one.
  filesOf: (files) =>
    call(
      'grantFiles',
      files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== ''),
    ),
  onFiles(listener) {
    const end = listenTo('files', listener);
    void call('listen');
    return end;
  },
  onCommand: (listener) => listenTo('command', listener),
  onNotice: (listener) => listenTo('notice', listener),
  showInFolder: (taskId) => call('showInFolder', taskId),
  showFolder: (folder) => call('showFolder', folder),
  openResult: (taskId) => call('openResult', taskId),
  openResultWith: (taskId) => call('openResultWith', taskId),
  copyResult: (taskId) => call('copyResult', taskId),
  prepareDrag: (taskIds) => call('prepareDrag', [...taskIds]),
  startDrag: (taskIds) => call('startDrag', [...taskIds]),
  setTheme: (theme) => call('setTheme', theme),
  installEditor: (editor) => call('installEditor', editor),
};

contextBridge.exposeInMainWorld('enlarger', bridge);
