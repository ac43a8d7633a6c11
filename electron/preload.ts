/** The only bridge to the page. Sandboxed: it can call the application and nothing else. */
import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge } from './contract/bridge.ts';
import { channelOf } from './desktop/channels.ts';

const bridge: Bridge = {
  sessionKey: () => ipcRenderer.invoke(channelOf('sessionKey')) as Promise<string>,
  chooseFolder: () => ipcRenderer.invoke(channelOf('chooseFolder')) as Promise<string | undefined>,
};

contextBridge.exposeInMainWorld('enlarger', bridge);
