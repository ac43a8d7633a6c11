/**
 * Opens and closes the compatibility port, as the settings say, or for a whole run that was started with a
 * port. Changes are serialised, so there are never two servers.
 */
import { reasonOf } from '../../contract/src/error-messages.ts';
import type { CompatState, Settings } from '../../contract/src/settings/settings.ts';
import type { Log } from '../../contract/src/log.ts';
import { closeApp, listen, type Api } from '../../http/src/index.ts';

export interface CompatListener {
  /** State after all pending changes. */
  state(): Promise<CompatState>;
  /** Opens, moves or closes the port as the settings say now. */
  follow(): void;
  close(hurry: AbortSignal): Promise<void>;
}

interface CompatListenerOptions {
  settings(): Pick<Settings, 'compatOn' | 'compatPort'>;
  /** Port for the whole run; 0: any free port; undefined: by the settings. */
  startPort: number | undefined;
  build(): Promise<Api>;
  log: Log;
}

interface OpenPort {
  app: Api;
  /** Requested port, possibly 0. */
  port: number;
  url: string;
}

export function createCompatListener(options: CompatListenerOptions): CompatListener {
  const { startPort, log } = options;
  let open: OpenPort | undefined;
  let problem: string | undefined;
  let isClosed = false;
  let changing = Promise.resolve();

  const requestedPort = () => {
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
    const port = requestedPort();
    if (port === open?.port && problem === undefined) return;
    problem = undefined;
    // Open connections of the old port are closed at once; waiting for them would delay the change.
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
        on: requestedPort() !== undefined,
        ...(open && { url: open.url }),
        ...(problem !== undefined && { problem }),
      };
    },
    follow() {
      changing = changing.then(change).catch((error: unknown) => {
        problem = `It is not open: ${reasonOf(error)}.`;
        const reason = error instanceof Error ? error.message : String(error);
        log('warn', 'Programs written for other services are not answered.', { error: reason });
      });
    },
    async close(hurry) {
      isClosed = true;
      await changing;
      await shut(hurry);
    },
  };
}
