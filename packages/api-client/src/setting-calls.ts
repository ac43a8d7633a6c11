/** Calls for settings, granted folders, keys, presets and watched folders. */
import type {
  CallbackSecret,
  CompatState,
  Grants,
  KeyBody,
  KeyCreated,
  KeyList,
  Origins,
  PageLink,
  SessionKey,
  Settings,
  SettingsPatch,
  PowerAndActivity,
} from '../../contract/src/settings/settings.ts';
import type { PoolView } from '../../contract/src/settings/pool.ts';
import type {
  Preset,
  PresetBody,
  PresetList,
  PresetPatch,
} from '../../contract/src/settings/preset.ts';
import type { Watch, WatchBody, WatchList, WatchPatch } from '../../contract/src/settings/watch.ts';
import { pathSegment, type Transport } from './transport.ts';

export function createSettingCalls({ get, send, ask }: Transport) {
  return {
    settings: () => get<Settings>('/api/settings'),
    changeSettings: (patch: SettingsPatch) => ask<Settings>('PATCH', '/api/settings', patch),
    /** Reports power and activity, used by the setting leaveRoom. */
    reportPowerAndActivity: (body: PowerAndActivity) => send('PUT', '/api/surroundings', body),
    /** Machines that share the batch. */
    pool: () => get<PoolView>('/api/pool'),
    /** State of the compatibility port. */
    compat: () => get<CompatState>('/api/compat'),
    /** Key of callbacks' signatures, hex. */
    callbackSecret: async () => (await get<CallbackSecret>('/api/callbacks/secret')).secret,
    setCallbackSecret: async (secret: string) =>
      (await ask<CallbackSecret>('PUT', '/api/callbacks/secret', { secret })).secret,
    /** Adds granted folders; returns all of them. */
    grant: async (folders: readonly string[]) =>
      (await ask<Grants>('POST', '/api/grants', { folders })).grantedFolders,
    /** Revokes a grant; returns the remaining folders. */
    revokeGrant: async (folder: string) =>
      (await ask<Grants>('DELETE', `/api/grants?folder=${encodeURIComponent(folder)}`))
        .grantedFolders,
    /** Allows a web page's origin; returns all allowed ones. */
    allowOrigin: async (origin: string) =>
      (await ask<Origins>('POST', '/api/origins', { origins: [origin] })).allowedOrigins,
    /** Revokes an origin; returns the remaining ones. */
    revokeOrigin: async (origin: string) =>
      (await ask<Origins>('DELETE', `/api/origins?origin=${encodeURIComponent(origin)}`))
        .allowedOrigins,
    keys: () => get<KeyList>('/api/keys'),
    createKey: (name: string, options: Omit<KeyBody, 'name'> = {}) =>
      ask<KeyCreated>('POST', '/api/keys', { name, ...options }),
    revokeKey: (id: string) => send('DELETE', `/api/keys/${pathSegment(id)}`),
    /** Session key for one visit of the page, instead of a permanent key. */
    newSession: async () => (await ask<SessionKey>('POST', '/api/sessions')).key,
    /** Link that opens the page once. */
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
