/** Names of result files from a template. */
import path from 'node:path';

export const defaultTemplate = '{name}-{scale}x.{ext}';
export const cutoutTemplate = '{name}-cutout.{ext}';

const fields = ['name', 'scale', 'model', 'date', 'ext', 'n'] as const;
export type NameFields = Record<(typeof fields)[number], string>;

/** Throws on an unknown field and on anything that would lead into another folder. */
export function assertTemplate(template: string): string {
  if (/[/\\]/.test(template))
    throw new Error(`Expected a file name for --name but received a path: ${template}`);
  for (const [placeholder, field] of template.matchAll(/\{([^}]*)\}/g))
    if (!fields.some((known) => known === field))
      throw new Error(`Expected {${fields.join('}, {')}} in --name but received ${placeholder}`);
  return template;
}

export function nameOf(template: string, values: NameFields): string {
  const name = template.replaceAll(/\{(\w+)\}/g, (placeholder, field: string) =>
    isField(field) ? values[field] : placeholder,
  );
  return path.basename(name);
}

function isField(field: string): field is keyof NameFields {
  return fields.some((known) => known === field);
}

const extensionOfFormat: Record<string, string[]> = {
  jpeg: ['jpg', 'jpeg', 'jpe'],
  tiff: ['tif', 'tiff'],
};

/** The source's own spelling (JPG, jpeg) where it fits the format, else the usual one. */
export function extensionFor(format: string, sourceFile: string): string {
  const own = path.extname(sourceFile).slice(1);
  const usual = extensionOfFormat[format] ?? [format];
  return usual.includes(own.toLowerCase()) ? own : (usual[0] ?? format);
}
