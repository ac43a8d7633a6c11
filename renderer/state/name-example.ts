/** What a name template makes of a photo, for the eye: the service names the file, and cleans the name. */

export const placeholders = ['{name}', '{scale}', '{model}', '{date}', '{n}'] as const;

export interface NameValues {
  /** With its ending. */
  sourceName: string;
  scale: number | undefined;
  model: string;
  date: Date;
  /** Of the result; without a dot. */
  ext: string;
}

const templates = { upscale: '{name}-{scale}x', 'remove-bg': '{name}-cutout' };

export function usualTemplate(operation: keyof typeof templates): string {
  return templates[operation];
}

export function exampleName(template: string, values: NameValues): string {
  const { sourceName, scale, model, date, ext } = values;
  const known: Record<string, string> = {
    name: sourceName.replace(/\.[^.]+$/, ''),
    scale: String(scale ?? 1),
    model,
    date: date.toISOString().slice(0, 10),
    n: '1',
    ext,
  };
  const stem = template
    .replace(/\.?\{ext\}$/, '')
    .replace(/\{(\w+)\}/g, (field, name: string) => known[name] ?? field)
    .replace(/[<>:"/\\|?*]/g, '_')
    .trim();
  return `${stem === '' ? 'image' : stem}.${ext}`;
}
