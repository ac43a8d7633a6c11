/** The API is built from these parts. It owns none of them: whoever builds a part closes it. */
import type { FastifyReply } from 'fastify';
import type { EngineHost } from '../../engine/host/host.ts';
import type { CompatState } from '../../contract/settings/settings.ts';
import type { Log } from '../../contract/log.ts';
import type { ServiceClock } from '../clock.ts';
import type { ApiLimits } from '../http/server.ts';
import type { AddedModelStore } from '../models/added-models.ts';
import type { ModelBringer } from '../models/bring-model.ts';
import type { DeviceFiles, ObtainableModel } from '../../contract/models/obtainable.ts';
import type { AddedDeviceFiles } from '../devices/added-files.ts';
import type { Downloads } from '../models/obtain/downloads.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { JobRunner } from '../pool/job-runner.ts';
import type { Pool } from '../pool/pool.ts';
import type { Results } from '../results/results.ts';
import type { LookAt } from '../sources/look-at-source.ts';
import type { BackgroundIntake } from '../sources/background-intake.ts';
import type { DataFiles } from '../sources/data-files.ts';
import type { SurroundingsKeeper } from '../settings/surroundings.ts';
import type { HeldPictures } from '../sources/held-pictures.ts';
import type { SourceIntake } from '../sources/stored-source.ts';
import type { Uploads } from '../sources/uploads.ts';
import type { Store } from '../store/store.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { PreviewMaker } from '../previews/previews.ts';
import type { SourceThumbnails } from '../previews/source-thumbnails.ts';
import type { Views } from '../previews/views.ts';
import type { Watches } from '../watches/watches.ts';
import type { ChangeNews } from '../settings/change-news.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { Keyring } from '../http/access/keyring.ts';
import type { OpenRequests } from '../http/access/open-requests.ts';
import type { BodyBudget } from '../http/bodies/body-budget.ts';
import type { RequestLogBook } from '../http/request-log.ts';

export interface ApiDeps {
  version: string;
  /** This folder has the built page; where it is missing, only the API answers. */
  pageDir: string;
  /** Files that live as long as one request are in this folder of the service. */
  scratchDir: string;
  /** Answers the port that the server listens on; it is called when a request comes. */
  port(): number;
  log: Log;
  clock: Pick<ServiceClock, 'nowMs' | 'wallMs' | 'toWallMs'>;
  keys: Store['keys'];
  idempotency: Store['idempotency'];
  photos: Store['photos'];
  presets: Store['presets'];
  watches: Watches;
  notices: Store['notices'];
  looks: Pick<Store['tasks'], 'waitingLooks' | 'waitingFor'>;
  /** The secret signs callbacks. */
  callbackSecret: { get(): Buffer; set(secret: Buffer): void };
  callbacks: Store['callbacks'];
  /** The secret signs result links. */
  linkSecret: Buffer;
  settings: LiveSettings;
  changes: ChangeNews;
  pool: Pick<Pool, 'view'>;
  jobRunner: Pick<JobRunner, 'ended'>;
  keyring: Keyring;
  requestLog: RequestLogBook;
  openRequests: OpenRequests;
  bodyBudget: BodyBudget;
  compat: {
    state(): Promise<CompatState>;
    /** Sends an HTML page that lists what each family of calls maps and refuses. */
    sendDocumentation(reply: FastifyReply): FastifyReply;
  };
  tasks: Tasks;
  results: Results;
  views: Views;
  previews: PreviewMaker;
  thumbnails: SourceThumbnails;
  uploads: Uploads;
  intake: SourceIntake;
  backgrounds: BackgroundIntake;
  dataFiles: DataFiles;
  heldPictures: HeldPictures;
  models: ModelCatalogue;
  addedModels: AddedModelStore;
  bringer: ModelBringer;
  downloads: Downloads<ObtainableModel>;
  deviceFiles: AddedDeviceFiles;
  deviceDownloads: Downloads<DeviceFiles>;
  lookAt: LookAt;
  engine: Pick<EngineHost, 'inspect' | 'devices' | 'speeds' | 'work'>;
  surroundings: SurroundingsKeeper;
  limits?: Partial<ApiLimits>;
}
