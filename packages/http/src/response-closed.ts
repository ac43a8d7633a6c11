/** Runs actions when a response closes. */
import type { ServerResponse } from 'node:http';

const pendingActions = new WeakMap<ServerResponse, (() => void)[]>();

/**
 * Also runs after a disconnect; at once if the response has closed. All actions of a response share one
 * listener, because Node warns above ten.
 */
export function onResponseClosed(response: ServerResponse, action: () => void): void {
  if (response.closed) {
    action();
    return;
  }
  const pending = pendingActions.get(response);
  if (pending !== undefined) {
    pending.push(action);
    return;
  }
  const actions = [action];
  pendingActions.set(response, actions);
  response.once('close', () => {
    for (const one of actions) one();
  });
}
