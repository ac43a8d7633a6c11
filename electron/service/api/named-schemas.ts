/** The contract's named schemas, registered before routes refer to them. */
import { ErrorBody } from '../../contract/common.ts';
import * as admin from '../../contract/settings/settings.ts';
import * as importProgress from '../../contract/models/import-progress.ts';
import * as model from '../../contract/models/model.ts';
import * as photo from '../../contract/photo.ts';
import * as obtainable from '../../contract/models/obtainable.ts';
import * as picture from '../../contract/picture.ts';
import * as pool from '../../contract/settings/pool.ts';
import * as preset from '../../contract/settings/preset.ts';
import * as queue from '../../contract/queue.ts';
import * as strokes from '../../contract/options/strokes.ts';
import * as submit from '../../contract/request.ts';
import * as task from '../../contract/task.ts';
import * as watch from '../../contract/settings/watch.ts';

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
