/** Translates a request for /api/remove into the fields of a submit. All of it is pure. */
import { flagField, integerField, oneOfField, refused, type Read } from '../read-fields.ts';

/** rembg calls its models sessions; these are their names. */
const rembgModels = [
  'u2net',
  'u2netp',
  'u2net_human_seg',
  'u2net_cloth_seg',
  'u2net_custom',
  'silueta',
  'isnet-general-use',
  'isnet-anime',
  'sam',
  'birefnet-general',
  'birefnet-general-lite',
  'birefnet-portrait',
  'birefnet-dis',
  'birefnet-hrsod',
  'birefnet-cod',
  'birefnet-massive',
  'bria-rmbg',
  'ben_custom',
  'dis_custom',
] as const;

/** Enlarger's network of the value stands in where no network of rembg's very name is installed. */
const standIns: Partial<Record<(typeof rembgModels)[number], string>> = {
  'birefnet-general': 'birefnet-lite',
  'birefnet-general-lite': 'birefnet-lite',
  'birefnet-dis': 'birefnet-lite',
  'birefnet-hrsod': 'birefnet-lite',
  'birefnet-massive': 'birefnet-lite',
  'birefnet-portrait': 'modnet',
  u2net_human_seg: 'modnet',
  ben_custom: 'ben2-base',
};

interface RembgOrder {
  fields: Record<string, unknown>;
  notes: string[];
}

/**
 * Reads the wishes of a request. It throws FieldRefused for a value that Enlarger cannot honour.
 * @param installed ids of the installed networks that remove backgrounds
 */
export function readRembgFields(read: Read, installed: readonly string[]): RembgOrder {
  const name = oneOfField(read, 'model', rembgModels, 'u2net');
  const model = [name, standIns[name]].find((id) => id !== undefined && installed.includes(id));
  const maskOnly = flagField(read, 'om');
  const background = backgroundOf(read('bgc'));
  assertUsualMatting(read);
  assertNoExtras(read('extras'));
  const notes = flagField(read, 'ppm') ? ['ppm: masks are always cleaned here'] : [];
  return {
    fields: {
      ...(model !== undefined && { model }),
      format: 'png',
      bitDepth: 8,
      ...(maskOnly ? { maskOnly } : background !== undefined && { background }),
    },
    notes,
  };
}

/** Refuses thresholds other than rembg's usual ones: Enlarger mattes every edge by thresholds of its own. */
function assertUsualMatting(read: Read): void {
  const isMatting = flagField(read, 'a');
  const usual = { af: 240, ab: 10, ae: 10 };
  for (const [field, value] of Object.entries(usual)) {
    const most = field === 'ae' ? 10_000 : 255;
    const given = integerField(read, field, { most, usual: value });
    if (isMatting && given !== value) throw refused(field, String(value), String(given));
  }
}

/**
 * Reads "red,green,blue,alpha" of 0 to 255 as a colour of six digits; undefined means transparent. It throws
 * FieldRefused for an alpha between 0 and 255.
 */
function backgroundOf(bgc: string | undefined): string | undefined {
  if (bgc === undefined) return undefined;
  const parts = bgc.split(',').map((part) => part.trim());
  const isColour = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part));
  const values = parts.map(Number);
  const alpha = values[3];
  if (!isColour || values.some((value) => value > 255) || (alpha !== 0 && alpha !== 255))
    throw refused('bgc', 'four numbers r,g,b,a from 0 to 255, a 0 or 255', bgc);
  if (alpha === 0) return undefined;
  const digits = values.slice(0, 3).map((value) => value.toString(16).padStart(2, '0'));
  return `#${digits.join('')}`;
}

function assertNoExtras(extras: string | undefined): void {
  if (extras === undefined || /^(\{\s*\}|null)$/.test(extras)) return;
  // rembg's server ignores extras that are not JSON.
  if (parsed(extras) === undefined) return;
  throw refused('extras', 'empty', extras);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
