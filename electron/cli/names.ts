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

/** The name ends as files of its format do, also where the template says nothing about it. */
export function nameOf(template: string, values: NameFields): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (placeholder, field: string) =>
    isField(field) ? values[field] : placeholder,
  );
  const name = path.basename(filled);
  return spellingsOf(values.ext).includes(endingOf(name)) ? name : `${name}.${values.ext}`;
}

function isField(field: string): field is keyof NameFields {
  return fields.some((known) => known === field);
}

const extensionsOfFormat: Record<string, string[]> = {
  jpeg: ['jpg', 'jpeg', 'jpe'],
  tiff: ['tif', 'tiff'],
};

/** In lower case, without the dot. */
const endingOf = (file: string) => path.extname(file).slice(1).toLowerCase();

/** Every ending that files of the same format have. */
function spellingsOf(extension: string): string[] {
  const own = extension.toLowerCase();
  return Object.values(extensionsOfFormat).find((all) => all.includes(own)) ?? [own];
}

/** The source's own spelling (JPG, jpeg) where it fits the format, else the usual one. */
export function extensionFor(format: string, sourceFile: string): string {
  const usual = extensionsOfFormat[format] ?? [format];
  if (usual.includes(endingOf(sourceFile))) return path.extname(sourceFile).slice(1);
  return usual[0] ?? format;
}
