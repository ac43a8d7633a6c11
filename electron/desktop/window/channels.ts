/** Names the channels between page and application: one for each call of the bridge, and one for each event. */
import type { BridgeCall, BridgeEvents } from '../../contract/bridge.ts';

export function channelOf(call: BridgeCall): string {
  return `enlarger:${call}`;
}

export function eventChannelOf(event: keyof BridgeEvents): string {
  return `enlarger:on-${event}`;
}
