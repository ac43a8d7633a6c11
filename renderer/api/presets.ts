/** Presets and watched folders. */
import type {
  Preset,
  PresetBody,
  PresetList,
  PresetPatch,
} from '../../electron/contract/preset.ts';
import type { Watch, WatchBody, WatchList, WatchPatch } from '../../electron/contract/watch.ts';
import type { Client } from './client.ts';

export function createPresetCalls({ get, send }: Pick<Client, 'get' | 'send'>) {
  return {
    list: async () => (await get<PresetList>('/api/presets')).presets,
    create: async (body: PresetBody) =>
      (await (await send('POST', '/api/presets', body)).json()) as Preset,
    change: (id: string, patch: PresetPatch) => send('PATCH', `/api/presets/${id}`, patch),
    remove: (id: string) => send('DELETE', `/api/presets/${id}`),
  };
}

export function createWatchCalls({ get, send }: Pick<Client, 'get' | 'send'>) {
  return {
    list: async () => (await get<WatchList>('/api/watches')).watches,
    create: async (body: WatchBody) =>
      (await (await send('POST', '/api/watches', body)).json()) as Watch,
    change: (id: string, patch: WatchPatch) => send('PATCH', `/api/watches/${id}`, patch),
    remove: (id: string) => send('DELETE', `/api/watches/${id}`),
  };
}
