/** Channel names between page and application, per call and event. */
import type { BridgeCall, BridgeEvents } from '../../../packages/contract/src/bridge.ts';

export function channelOf(call: BridgeCall): string {
  return `enlarger:${call}`;
}

export function eventChannelOf(event: keyof BridgeEvents): string {
  return `enlarger:on-${event}`;
}
