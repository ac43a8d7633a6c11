/** The one door between page and application: a channel for each call of the bridge, one for each event. */
import type { BridgeCall, BridgeEvents } from '../../contract/bridge.ts';

export function channelOf(call: BridgeCall): string {
  return `enlarger:${call}`;
}

export function eventChannelOf(event: keyof BridgeEvents): string {
  return `enlarger:on-${event}`;
}
