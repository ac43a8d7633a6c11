/** Makes the calls about all that is set: settings, granted folders, keys, presets and watched folders. */
import type {
  CallbackSecret,
  CompatState,
  Grants,
  KeyCreated,
  KeyList,
  Origins,
  PageLink,
  SessionKey,
  Settings,
  SettingsPatch,
  PowerAndActivity,
} from '../contract/settings/settings.ts';
import type { PoolView } from '../contract/settings/pool.ts';
import type { Preset, PresetBody, PresetList, PresetPatch } from '../contract/settings/preset.ts';
import type { Watch, WatchBody, WatchList, WatchPatch } from '../contract/settings/watch.ts';
import { pathSegment, type Transport } from './transport.ts';

export function createSettingCalls({ get, send, ask }: Transport) {
  return {
    settings: () => get<Settings>('/api/settings'),
    changeSettings: (patch: SettingsPatch) => ask<Settings>('PATCH', '/api/settings', patch),
    /** Tells what the machine is doing, by which the setting leaveRoom decides. */
    tellSurroundings: (body: PowerAndActivity) => send('PUT', '/api/surroundings', body),
    /** Reads which machines share the batch. */
    pool: () => get<PoolView>('/api/pool'),
    /** Reads at which address programs that were written for other services are answered. */
    compat: () => get<CompatState>('/api/compat'),
    /** Reads the secret that callbacks are signed with, in hexadecimal digits. */
    callbackSecret: async () => (await get<CallbackSecret>('/api/callbacks/secret')).secret,
    setCallbackSecret: async (secret: string) =>
      (await ask<CallbackSecret>('PUT', '/api/callbacks/secret', { secret })).secret,
    /** Grants folders beside those that are granted already, and answers all of them. */
    grant: async (folders: readonly string[]) =>
      (await ask<Grants>('POST', '/api/grants', { folders })).grantedFolders,
    /** Takes a grant back, and answers the folders that are left. */
    takeBackGrant: async (folder: string) =>
      (await ask<Grants>('DELETE', `/api/grants?folder=${encodeURIComponent(folder)}`))
        .grantedFolders,
    /** Lets a web page call the API beside those that may already, and answers all of them. */
    allowOrigin: async (origin: string) =>
      (await ask<Origins>('POST', '/api/origins', { origins: [origin] })).allowedOrigins,
    /** Takes that right back, and answers the web pages that are left. */
    refuseOrigin: async (origin: string) =>
      (await ask<Origins>('DELETE', `/api/origins?origin=${encodeURIComponent(origin)}`))
        .allowedOrigins,
    keys: () => get<KeyList>('/api/keys'),
    createKey: (name: string) => ask<KeyCreated>('POST', '/api/keys', { name }),
    revokeKey: (id: string) => send('DELETE', `/api/keys/${pathSegment(id)}`),
    /** Makes a key for one visit of the page, which it uses in place of the key that lasts. */
    newSession: async () => (await ask<SessionKey>('POST', '/api/sessions')).key,
    /** Makes a link that opens the page once. */
    newPageUrl: async () => (await ask<PageLink>('POST', '/api/page-links')).pageUrl,
    presets: async () => (await get<PresetList>('/api/presets')).presets,
    addPreset: (body: PresetBody) => ask<Preset>('POST', '/api/presets', body),
    changePreset: (id: string, patch: PresetPatch) =>
      send('PATCH', `/api/presets/${pathSegment(id)}`, patch),
    removePreset: (id: string) => send('DELETE', `/api/presets/${pathSegment(id)}`),
    watches: async () => (await get<WatchList>('/api/watches')).watches,
    addWatch: (body: WatchBody) => ask<Watch>('POST', '/api/watches', body),
    changeWatch: (id: string, patch: WatchPatch) =>
      ask<Watch>('PATCH', `/api/watches/${pathSegment(id)}`, patch),
    removeWatch: (id: string) => send('DELETE', `/api/watches/${pathSegment(id)}`),
  };
}
