/**
 * Opens and closes the port on which programs written for other services are answered. The port is open while
 * the setting says so, or for a whole run that was started with a port for it. Changes run one after the
 * other, so there are never two servers open.
 */
import { reasonOf } from '../../../electron/contract/error-messages.ts';
import type { CompatState, Settings } from '../../../electron/contract/settings/settings.ts';
import type { Log } from '../../../electron/contract/log.ts';
import { closeApp, listen } from '../../../electron/service/http/listen.ts';
import type { Api } from '../../../electron/service/http/server.ts';

export interface CompatListener {
  /** Answers the state once all changes so far are done. */
  state(): Promise<CompatState>;
  /** Opens, moves or closes the port as the settings now say. */
  follow(): void;
  close(hurry: AbortSignal): Promise<void>;
}

interface CompatListenerOptions {
  settings(): Pick<Settings, 'compatOn' | 'compatPort'>;
  /** This port is open for the whole run: 0 means any free port, undefined that the settings decide. */
  startPort: number | undefined;
  build(): Promise<Api>;
  log: Log;
}

interface Open {
  app: Api;
  /** The port is the one that was asked for, which may be 0. */
  port: number;
  url: string;
}

export function createCompatListener(options: CompatListenerOptions): CompatListener {
  const { startPort, log } = options;
  let open: Open | undefined;
  let problem: string | undefined;
  let isClosed = false;
  let changing = Promise.resolve();

  const wanted = () => {
    if (isClosed) return undefined;
    const { compatOn, compatPort } = options.settings();
    return startPort ?? (compatOn ? compatPort : undefined);
  };
  const shut = async (hurry: AbortSignal) => {
    const shutting = open;
    open = undefined;
    if (shutting) await closeApp(shutting.app, hurry);
  };
  const change = async () => {
    const port = wanted();
    if (port === open?.port && problem === undefined) return;
    problem = undefined;
    // Open connections of the former port are closed at once, because waiting for them would delay the
    // change.
    await shut(AbortSignal.abort());
    if (port === undefined) return;
    const app = await options.build();
    try {
      open = { app, port, url: await listen(app, port) };
    } catch (error) {
      await app.close();
      throw error;
    }
  };
  return {
    async state() {
      await changing;
      return {
        on: wanted() !== undefined,
        ...(open && { url: open.url }),
        ...(problem !== undefined && { problem }),
      };
    },
    follow() {
      changing = changing.then(change).catch((error: unknown) => {
        problem = `It is not open: ${reasonOf(error)}.`;
        const said = error instanceof Error ? error.message : String(error);
        log('warn', 'Programs written for other services are not answered.', { error: said });
      });
    },
    async close(hurry) {
      isClosed = true;
      await changing;
      await shut(hurry);
    },
  };
}
