/** The one door between page and application: a channel for each call of the bridge. */
import type { Bridge } from '../contract/bridge.ts';

export const bridgeCalls = ['sessionKey', 'chooseFolder'] as const satisfies (keyof Bridge)[];

export function channelOf(call: keyof Bridge): string {
  return `enlarger:${call}`;
}
