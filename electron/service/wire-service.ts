/** Wires the service: queue, watched folders and API around the engine, in order of dependency. */
import type { PickedFile } from '../../packages/contract/src/bridge.ts';
import type { CompatListener } from '../../packages/compat/src/index.ts';
import { closeApp, listen, portOf } from '../../packages/http/src/index.ts';
import { planOptions } from './planning/plan-options.ts';
import type { Closers } from './closers.ts';
import type { EngineParts } from './engine-parts.ts';
import { openApi } from './open-api.ts';
import type { Tasks } from './tasks/tasks.ts';
import { createWatches, type Watches } from './watches/watches.ts';
import type { ServiceOptions } from './service-options.ts';
import { type ServiceParts, openParts } from './parts.ts';
import {
  openShared,
  openQueue,
  openRecommended,
  startCallbacks,
  startBackgroundInspector,
  measureFirst,
} from './open-tasks.ts';

export interface Service {
  /** Origin, e.g. http://127.0.0.1:8617. */
  readonly url: string;
  /** Session key of the application's window, valid while the service runs. */
  readonly sessionKey: string;
  /** Origin of the compatibility port; undefined if it is off at the start. */
  readonly compatUrl?: string;
  /** Path of the command line's key file. */
  readonly keyFile: string;
  /** One-time link that opens the page with these files added. */
  pageUrl(files?: readonly PickedFile[]): string;
  /**
   * Closes in order: requests and streams, tasks, engine, store. Running tasks return to the queue, at no
   * cost to their attempts. `hurry` skips grace periods.
   */
  close(hurry?: AbortSignal): Promise<void>;
}

export async function wireService(
  options: ServiceOptions,
  engineParts: EngineParts,
  closers: Closers,
): Promise<Service> {
  const { folder } = engineParts;
  const parts = await openParts(options, engineParts, closers);
  const shared = openShared(options, parts, () => tasks);
  closers.add(() => shared.pool.close());
  closers.add(() => shared.jobRunner.close());
  const tasks = await openQueue(options, parts, shared);
  closers.add(() => tasks.close());
  const watches = openWatches(options, parts, tasks);
  const recommended = openRecommended(options, parts, tasks, closers);
  const { app, compat } = await openApi(options, parts, { tasks, watches, recommended, ...shared });
  closers.add(() => closeApp(app, closers.hurry));
  closers.add(() => compat.close(closers.hurry));
  closers.add(() => watches.close());
  // Closed before the API, which waits for its responses.
  closers.add(() => parts.importer.close());
  closers.add(() => parts.downloads.close());
  closers.add(() => parts.deviceDownloads.close());
  const inspector = startBackgroundInspector(options, parts, tasks);
  closers.add(() => inspector.close());
  const callbacks = startCallbacks(options, parts, tasks, () => portOf(app.server));
  closers.add(() => callbacks.close());
  const url = await listen(app, options.port);
  if (options.isPrivate !== true) {
    folder.writeServiceFile({ url, pid: process.pid, version: options.version });
    tasks.start();
    shared.pool.start();
    callbacks.start();
    watches.start();
    if (options.measuresAtStart ?? true) measureFirst(options, parts, tasks, closers);
  }
  const { keyring } = parts;
  const compatUrl = options.isPrivate === true ? undefined : await openCompat(options, compat);
  return {
    url,
    ...(compatUrl !== undefined && { compatUrl }),
    sessionKey: keyring.newOwnSessionKey(),
    keyFile: folder.keyFile,
    pageUrl: (files) => `${url}/#token=${keyring.newPageToken(files)}`,
    close: (hurry) => closers.closeAll(hurry),
  };
}

/** An unavailable port is an error if it was an option; if it is a setting, the page shows the problem. */
async function openCompat(
  { compatPort }: ServiceOptions,
  compat: CompatListener,
): Promise<string | undefined> {
  compat.follow();
  const { url, problem } = await compat.state();
  if (compatPort !== undefined && problem !== undefined) throw new Error(problem);
  return url;
}

function openWatches(options: ServiceOptions, parts: ServiceParts, tasks: Tasks): Watches {
  const { store, settings, changes, models, clock, backgrounds } = parts;
  return createWatches({
    store,
    tasks,
    settings: () => settings.get(),
    planOptions(operation, requested, grants) {
      const photoFrom = { path: undefined, makesFolder: false, grants };
      return planOptions(operation, requested, { models, settings, backgrounds, photoFrom });
    },
    wallMs: () => clock.wallMs(),
    onChange: () => changes.note(['watches']),
    times: options.watchTimes,
  });
}
