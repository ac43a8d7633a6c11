/** remove.bg: POST /v1.0/removebg and GET /v1.0/account. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../contract/src/errors.ts';
import { type Api, onResponseClosed, clientGone } from '../../../http/src/index.ts';
import { Base64File, sendJsonWithFiles, sendPicture } from '../answer-files.ts';
import { clearAway } from '../../../files/src/clear-away.ts';
import { type Family, FieldMissing, FieldRefused } from '../refusal.ts';
import { withForm, type Form, type FormDeps } from '../form.ts';
import { orDiscard, type MadePicture, type ReceivedPicture } from '../pictures.ts';
import { backgroundOfUrl, pictureOfBase64, pictureOfUrl } from '../remote-source.ts';
import { writeStoredZip } from '../stored-zip.ts';
import { strokesOutside } from './region-of-interest.ts';
import { readRemovebgFields, type RemovebgOrder } from './removebg-fields.ts';

export interface RemovebgDeps extends FormDeps {
  /** Folder of ZIP files, which live as long as one request. */
  scratchDir: string;
}

/** Codes of remove.bg's documentation. */
const codes: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'auth_failed',
  NO_SUBJECT: 'unknown_foreground',
  UNREADABLE_IMAGE: 'invalid_file_type',
  IMAGE_TOO_LARGE: 'resolution_too_high',
  SOURCE_TOO_LARGE: 'file_size_too_large',
  PAYLOAD_TOO_LARGE: 'file_size_too_large',
  TOO_MANY_REQUESTS: 'rate_limit_exceeded',
};

/** remove.bg 1.0: errors are a list of objects with a title; an invalid key is a 403. */
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

export function removebgRoutes(app: Api, deps: RemovebgDeps): void {
  app.post(address, async (request, reply) => {
    const signal = clientGone(reply);
    return withForm(request, deps, async (form) => {
      const read = (field: string) => form.text(field);
      const hasPicture = backgroundFields.some((name) => form.names().includes(name));
      const order = readRemovebgFields(read, hasPicture);
      const backgroundImage = hasPicture ? await backgroundOf(form, deps) : undefined;
      let made;
      try {
        made = await make(form, order, backgroundImage, signal);
      } finally {
        if (backgroundImage !== undefined) await deps.pictures.releaseBackground(backgroundImage);
      }
      void reply.headers(headersOf(made, order));
      if (!order.asZip) return answer(request, reply, made.path, made.type);
      const zipPath = await zipOf(made, deps);
      onResponseClosed(reply.raw, () => void clearAway(zipPath));
      return answer(request, reply, zipPath, 'application/zip');
    });
  });

  async function make(
    form: Form,
    { fields, roi }: RemovebgOrder,
    backgroundImage: string | undefined,
    signal: AbortSignal,
  ): Promise<MadePicture> {
    const picture = await pictureOf(form, deps);
    const strokes = roi ? await outsideOf(roi, picture) : [];
    const asked = {
      ...fields,
      ...(backgroundImage !== undefined && { backgroundImage }),
      ...(strokes.length > 0 && { strokes }),
    };
    return picture.make({ operation: 'remove-bg', fields: asked }, signal);
  }

  const outsideOf = (roi: NonNullable<RemovebgOrder['roi']>, picture: ReceivedPicture) =>
    orDiscard(picture, async () => {
      const size = await picture.size();
      return strokesOutside(roi(size), size);
    });

  app.get('/v1.0/account', () => account);
}

/** ZIP of a result, with the file names that clients expect. The caller deletes it. */
async function zipOf(made: MadePicture, { scratchDir }: RemovebgDeps): Promise<string> {
  const folder = join(scratchDir, `zip-${randomUUID()}`);
  try {
    const { coloursPath, alphaPath } = await made.splitInto(folder);
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

/** Enlarger charges nothing; programs see more credits than they can use. */
const credits = 1_000_000;
const account = {
  data: {
    attributes: {
      credits: { total: credits, subscription: 0, payg: credits, enterprise: 0 },
      api: { free_calls: credits, sizes: 'all' },
    },
  },
};

const backgroundFields = ['bg_image_url', 'bg_image_file'] as const;

/** Stores the background picture and returns its URL. The caller releases it. */
async function backgroundOf(form: Form, { pictures }: RemovebgDeps): Promise<string> {
  const [name, other] = backgroundFields.filter((one) => form.names().includes(one));
  if (other !== undefined)
    throw new FieldRefused(
      other,
      `Expected one of ${backgroundFields.join(' and ')} but received both.`,
    );
  const file = form.takeFile('bg_image_file');
  if (file === undefined)
    return backgroundOfUrl(form.text(name ?? '') ?? '', name ?? 'bg_image_file', pictures);
  try {
    return await file.asBackground();
  } finally {
    await file.discard();
  }
}

const sources = ['image_file', 'image_url', 'image_file_b64'] as const;

/** @throws FieldMissing or FieldRefused unless exactly one of the fields is present */
async function pictureOf(form: Form, { pictures }: RemovebgDeps): Promise<ReceivedPicture> {
  const received = sources.filter((name) => form.names().includes(name));
  const [name] = received;
  if (name === undefined)
    throw new FieldMissing(
      'image_file',
      'No image given: expected one of image_file, image_url and image_file_b64.',
    );
  if (received.length > 1)
    throw new FieldRefused(
      'image_file',
      `Multiple image sources given: expected one of ${sources.join(', ')} but received ${received.join(' and ')}.`,
    );
  const file = form.takeFile('image_file');
  if (file) return file;
  const text = form.text(name) ?? '';
  return name === 'image_url'
    ? pictureOfUrl(text, name, pictures)
    : pictureOfBase64(text, name, pictures);
}

function headersOf(
  { input, output, crop, model = '' }: MadePicture,
  { type, notes }: RemovebgOrder,
): Record<string, string> {
  return {
    'x-width': String(output.width),
    'x-height': String(output.height),
    'x-max-width': String(input.width),
    'x-max-height': String(input.height),
    ...(type !== undefined && { 'x-type': type }),
    'x-credits-charged': '0',
    'x-foreground-top': String(crop?.y ?? 0),
    'x-foreground-left': String(crop?.x ?? 0),
    'x-ratelimit-limit': '500',
    'x-ratelimit-remaining': '500',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 60),
    'x-enlarger-model': model,
    ...(notes.length > 0 && { 'x-enlarger-notes': notes.join('; ') }),
  };
}

/** The file, or its base64 in JSON if the Accept header names JSON. */
function answer(request: FastifyRequest, reply: FastifyReply, path: string, type: string) {
  if (!/application\/json/i.test(request.headers.accept ?? ''))
    return sendPicture(reply, path, type);
  const file = new Base64File(path);
  return sendJsonWithFiles(reply, { data: { result_b64: file } }, [file]);
}
