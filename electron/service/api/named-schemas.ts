/** The contract's named schemas, registered before routes refer to them. */
import { ErrorBody } from '../../../packages/contract/src/common.ts';
import * as admin from '../../../packages/contract/src/settings/settings.ts';
import * as importProgress from '../../../packages/contract/src/models/import-progress.ts';
import * as model from '../../../packages/contract/src/models/model.ts';
import * as photo from '../../../packages/contract/src/photo.ts';
import * as obtainable from '../../../packages/contract/src/models/obtainable.ts';
import * as picture from '../../../packages/contract/src/picture.ts';
import * as pool from '../../../packages/contract/src/settings/pool.ts';
import * as preset from '../../../packages/contract/src/settings/preset.ts';
import * as queue from '../../../packages/contract/src/queue.ts';
import * as strokes from '../../../packages/contract/src/options/strokes.ts';
import * as submit from '../../../packages/contract/src/request.ts';
import * as task from '../../../packages/contract/src/task.ts';
import * as watch from '../../../packages/contract/src/settings/watch.ts';

export const namedSchemas: object[] = [
  ErrorBody,
  ...[
    admin,
    importProgress,
    model,
    obtainable,
    strokes,
    submit,
    task,
    photo,
    picture,
    pool,
    preset,
    queue,
    watch,
  ].flatMap(idsOf),
];

function idsOf(module: object): object[] {
  return Object.values(module).filter(
    (value: unknown) => typeof value === 'object' && value !== null && '$id' in value,
  );
}
