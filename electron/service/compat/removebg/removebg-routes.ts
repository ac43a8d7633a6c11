/** These routes answer POST /v1.0/removebg and GET /v1.0/account as remove.bg does. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Api } from '../../http/server.ts';
import { Base64File, sendJsonWithFiles, sendPicture } from '../answer-files.ts';
import { clearAway } from '../../../files/clear-away.ts';
import { clientGone } from '../../http/client-gone.ts';
import { type Family, FieldMissing, FieldRefused } from '../refusal.ts';
import { withForm, type Form, type FormDeps } from '../form.ts';
import type { FinishedTask, TaskSource } from '../../store/tasks/task.ts';
import { orDiscard, type PictureCalls } from '../picture-calls.ts';
import { backgroundOfUrl, sourceOfBase64, sourceOfUrl, type Base64Deps } from '../remote-source.ts';
import { writeStoredZip } from '../stored-zip.ts';
import { strokesOutside } from './region-of-interest.ts';
import { readRemovebgFields, type RemovebgOrder } from './removebg-fields.ts';
import type { BackgroundIntake } from '../../sources/background-intake.ts';
import type { SourceIntake } from '../../sources/stored-source.ts';

export interface RemovebgDeps extends FormDeps, Base64Deps {
  intake: Pick<SourceIntake, 'accept' | 'discard'>;
  backgrounds: BackgroundIntake;
  /** ZIP files of one request. */
  scratchDir: string;
}

/** The codes are those of remove.bg's documentation, for errors that have a name there. */
const codes: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'auth_failed',
  NO_SUBJECT: 'unknown_foreground',
  UNREADABLE_IMAGE: 'invalid_file_type',
  IMAGE_TOO_LARGE: 'resolution_too_high',
  SOURCE_TOO_LARGE: 'file_size_too_large',
  PAYLOAD_TOO_LARGE: 'file_size_too_large',
  TOO_MANY_REQUESTS: 'rate_limit_exceeded',
};

/** In remove.bg's API 1.0 errors are a list of objects with a title, and an invalid key is answered by 403. */
export const removebgFamily: Family = {
  owns: (path) => path.startsWith('/v1.0/'),
  refuse(reply, { status, code, message, field, isMissing }) {
    const isKeyless = code === 'UNAUTHORIZED';
    const error = {
      title: isKeyless ? 'API Key invalid' : message,
      code: codes[code] ?? fieldCode(),
      ...(isKeyless && { detail: message }),
    };
    return reply
      .code(isKeyless ? 403 : status)
      .type('application/json; charset=utf-8')
      .send({ errors: [error] });

    function fieldCode(): string {
      if (isMissing) return 'missing_source';
      return field === undefined ? code.toLowerCase() : 'invalid_parameter';
    }
  },
};

const address = '/v1.0/removebg';

export function removebgRoutes(app: Api, deps: RemovebgDeps, calls: PictureCalls): void {
  app.post(address, async (request, reply) => {
    const signal = clientGone(reply);
    return withForm(request, deps, async (form) => {
      const read = (field: string) => form.text(field);
      const hasPicture = pictures.some((name) => form.names().includes(name));
      const order = readRemovebgFields(read, hasPicture);
      const backgroundImage = hasPicture ? await pictureOf(form, deps) : undefined;
      const task = await make(form, order, backgroundImage, signal).finally(
        () => backgroundImage !== undefined && deps.backgrounds.release(backgroundImage),
      );
      void reply.headers(headersOf(task, order));
      if (!order.asZip) return answer(request, reply, calls.pathOf(task), task.files.image.type);
      const zipPath = await zipOf(task, deps, calls);
      const clear = () => void clearAway(zipPath);
      if (reply.raw.destroyed) clear();
      else reply.raw.once('close', clear);
      return answer(request, reply, zipPath, 'application/zip');
    });
  });

  async function make(
    form: Form,
    { fields, roi }: RemovebgOrder,
    backgroundImage: string | undefined,
    signal: AbortSignal,
  ): Promise<FinishedTask> {
    const source = await sourceOf(form, deps);
    const strokes = roi ? await outsideOf(roi, source) : [];
    const asked = {
      ...fields,
      ...(backgroundImage !== undefined && { backgroundImage }),
      ...(strokes.length > 0 && { strokes }),
    };
    return calls.make({ operation: 'remove-bg', fields: asked, source }, signal);
  }

  const outsideOf = (roi: NonNullable<RemovebgOrder['roi']>, source: TaskSource) =>
    orDiscard(source, deps, async () => {
      const size = await calls.sizeOf(source);
      return strokesOutside(roi(size), size);
    });

  app.get('/v1.0/account', () => account);
}

/** Writes the ZIP of one answer with the file names that clients look for. The caller deletes the ZIP. */
async function zipOf(
  task: FinishedTask,
  { scratchDir }: RemovebgDeps,
  calls: PictureCalls,
): Promise<string> {
  const folder = join(scratchDir, `zip-${randomUUID()}`);
  try {
    const { coloursPath, alphaPath } = await calls.splitInto(folder, task);
    const zipPath = `${folder}.zip`;
    await writeStoredZip(zipPath, [
      { name: 'color.jpg', path: coloursPath },
      { name: 'alpha.png', path: alphaPath },
    ]);
    return zipPath;
  } finally {
    await clearAway(folder);
  }
}

/** Enlarger charges nothing, so programs are shown more credits than they can use up. */
const credits = 1_000_000;
const account = {
  data: {
    attributes: {
      credits: { total: credits, subscription: 0, payg: credits, enterprise: 0 },
      api: { free_calls: credits, sizes: 'all' },
    },
  },
};

const pictures = ['bg_image_url', 'bg_image_file'] as const;

/** Takes the picture that is to stand behind the subject, and answers its address. The caller releases it. */
async function pictureOf(form: Form, { backgrounds, dataFiles }: RemovebgDeps): Promise<string> {
  const [name, other] = pictures.filter((one) => form.names().includes(one));
  if (other !== undefined)
    throw new FieldRefused(other, `Expected one of ${pictures.join(' and ')} but received both.`);
  const file = form.takeFile('bg_image_file');
  if (file === undefined || file.kind === 'url')
    return backgroundOfUrl(form.text(name ?? '') ?? '', name ?? 'bg_image_file', backgrounds);
  try {
    return await backgrounds.addFile(file.path);
  } finally {
    await dataFiles.discard(file);
  }
}

const sources = ['image_file', 'image_url', 'image_file_b64'] as const;

/** Takes the source. It throws FieldMissing or FieldRefused unless exactly one of the fields is given. */
async function sourceOf(form: Form, deps: RemovebgDeps): Promise<TaskSource> {
  const given = sources.filter((name) => form.names().includes(name));
  const [name] = given;
  if (name === undefined)
    throw new FieldMissing(
      'image_file',
      'No image given: expected one of image_file, image_url and image_file_b64.',
    );
  if (given.length > 1)
    throw new FieldRefused(
      'image_file',
      `Multiple image sources given: expected one of ${sources.join(', ')} but received ${given.join(' and ')}.`,
    );
  const file = form.takeFile('image_file');
  if (file) return file;
  const text = form.text(name) ?? '';
  return name === 'image_url' ? sourceOfUrl(text, name, deps) : sourceOfBase64(text, name, deps);
}

function headersOf(
  { report }: FinishedTask,
  { type, notes }: RemovebgOrder,
): Record<string, string> {
  const { input, output } = report;
  return {
    'x-width': String(output.width),
    'x-height': String(output.height),
    'x-max-width': String(input.width),
    'x-max-height': String(input.height),
    ...(type !== undefined && { 'x-type': type }),
    'x-credits-charged': '0',
    'x-foreground-top': String(report.crop?.y ?? 0),
    'x-foreground-left': String(report.crop?.x ?? 0),
    'x-ratelimit-limit': '500',
    'x-ratelimit-remaining': '500',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 60),
    'x-enlarger-model': report.model ?? '',
    ...(notes.length > 0 && { 'x-enlarger-notes': notes.join('; ') }),
  };
}

/** Answers the file itself, or its base64 in JSON to clients whose Accept header names JSON. */
function answer(request: FastifyRequest, reply: FastifyReply, path: string, type: string) {
  if (!/application\/json/i.test(request.headers.accept ?? ''))
    return sendPicture(reply, path, type);
  const file = new Base64File(path);
  return sendJsonWithFiles(reply, { data: { result_b64: file } }, [file]);
}
