/**
 * Answers the page's calls. Only the page of this service may call, in the top frame of its window, and only
 * with arguments that fit the call's schema.
 */
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron';
import { Value } from 'typebox/value';
import {
  bridgeCalls,
  type BridgeAnswers,
  type BridgeArguments,
  type BridgeCall,
  type BridgeEvents,
} from '../../contract/bridge.ts';
import { channelOf, eventChannelOf } from './channels.ts';

interface BridgeOptions {
  window: BrowserWindow;
  /** Answers the origin of the present service, which is the only one whose pages may call. */
  origin(): string;
  answers: BridgeAnswers;
}

/** Serves the calls until the window is gone. */
export function serveBridge({ window, answers, ...options }: BridgeOptions): void {
  for (const call of Object.keys(bridgeCalls) as BridgeCall[])
    window.webContents.ipc.handle(channelOf(call), (event, ...given: unknown[]) => {
      assertOwnPage(event, window, options.origin());
      assertArguments(call, given);
      // The compiler does not see that the arguments of one call belong to the answer of the same call.
      const answer = answers[call] as (...given: unknown[]) => Promise<unknown>;
      return answer(...given);
    });
}

export function tellPage<Event extends keyof BridgeEvents>(
  window: BrowserWindow,
  event: Event,
  value: BridgeEvents[Event],
): void {
  if (!window.isDestroyed()) window.webContents.send(eventChannelOf(event), value);
}

function assertOwnPage(event: IpcMainInvokeEvent, window: BrowserWindow, origin: string): void {
  const frame = event.senderFrame;
  const isTop = frame === window.webContents.mainFrame;
  if (!isTop || frame.origin !== origin) throw new Error('This page may not call the application.');
}

/** Throws when the arguments do not fit the call. */
function assertArguments<Call extends BridgeCall>(
  call: Call,
  given: unknown[],
): asserts given is BridgeArguments<Call> {
  if (!Value.Check(bridgeCalls[call], given))
    throw new Error(`The page called ${call} with something else than it takes.`);
}
