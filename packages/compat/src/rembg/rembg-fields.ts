/** Maps a request for /api/remove to fields of a submit. Pure. */
import { flagField, integerField, oneOfField, refusedValue, type Read } from '../read-fields.ts';

/** Names of rembg's models ("sessions"). */
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

/** Substitutes for models of rembg that are not installed by name. */
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
 * @param installed ids of installed networks that remove backgrounds
 * @throws FieldRefused for an unsupported value
 */
export function readRembgFields(read: Read, installed: readonly string[]): RembgOrder {
  const name = oneOfField(read, 'model', rembgModels, 'u2net');
  const model = [name, standIns[name]].find((id) => id !== undefined && installed.includes(id));
  const maskOnly = flagField(read, 'om');
  const background = backgroundOf(read('bgc'));
  assertDefaultMatting(read);
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

/** Only rembg's default thresholds: Enlarger mattes every edge with its own. */
function assertDefaultMatting(read: Read): void {
  const isMatting = flagField(read, 'a');
  const defaults = { af: 240, ab: 10, ae: 10 };
  for (const [field, value] of Object.entries(defaults)) {
    const max = field === 'ae' ? 10_000 : 255;
    const received = integerField(read, field, { max, defaultValue: value });
    if (isMatting && received !== value) throw refusedValue(field, String(value), String(received));
  }
}

/**
 * "red,green,blue,alpha" (0 to 255) as #rrggbb; undefined for transparent.
 * @throws FieldRefused for a partial alpha
 */
function backgroundOf(bgc: string | undefined): string | undefined {
  if (bgc === undefined) return undefined;
  const parts = bgc.split(',').map((part) => part.trim());
  const isColour = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part));
  const values = parts.map(Number);
  const alpha = values[3];
  if (!isColour || values.some((value) => value > 255) || (alpha !== 0 && alpha !== 255))
    throw refusedValue('bgc', 'four numbers r,g,b,a from 0 to 255, a 0 or 255', bgc);
  if (alpha === 0) return undefined;
  const digits = values.slice(0, 3).map((value) => value.toString(16).padStart(2, '0'));
  return `#${digits.join('')}`;
}

function assertNoExtras(extras: string | undefined): void {
  if (extras === undefined || /^(\{\s*\}|null)$/.test(extras)) return;
  // rembg's server ignores extras that are not JSON.
  if (parsed(extras) === undefined) return;
  throw refusedValue('extras', 'empty', extras);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
