/**
 * Dispatches the page's calls: only from this service's page in the top frame of its window, and only with
 * arguments that fit the call's schema.
 */
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron';
import { Value } from 'typebox/value';
import {
  bridgeCalls,
  type BridgeAnswers,
  type BridgeArguments,
  type BridgeCall,
  type BridgeEvents,
} from '../../../packages/contract/src/bridge.ts';
import { channelOf, eventChannelOf } from './channels.ts';

interface BridgeOptions {
  window: BrowserWindow;
  /** Origin of the present service, whose pages alone may call. */
  origin(): string;
  answers: BridgeAnswers;
}

/** Handles calls until the window is gone. */
export function serveBridge({ window, answers, ...options }: BridgeOptions): void {
  for (const call of Object.keys(bridgeCalls) as BridgeCall[])
    window.webContents.ipc.handle(channelOf(call), (event, ...args: unknown[]) => {
      assertOwnPage(event, window, options.origin());
      assertArguments(call, args);
      // TypeScript cannot relate a call's arguments to the handler of the same call.
      const answer = answers[call] as (...values: unknown[]) => Promise<unknown>;
      return answer(...args);
    });
}

export function sendToPage<Event extends keyof BridgeEvents>(
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

/** @throws Error if the arguments do not fit the call */
function assertArguments<Call extends BridgeCall>(
  call: Call,
  args: unknown[],
): asserts args is BridgeArguments<Call> {
  if (!Value.Check(bridgeCalls[call], args))
    throw new Error(`The page called ${call} with something else than it takes.`);
}
