/** What may stand in a name template of the command line. */
import { nameFields } from '../contract/naming.ts';

/** Throws on an unknown field and on anything that would lead into another folder. */
export function assertTemplate(template: string): string {
  if (/[/\\]/.test(template))
    throw new Error(`Expected a file name for --name but received a path: ${template}`);
  for (const [placeholder, field] of template.matchAll(/\{([^}]*)\}/g))
    if (!nameFields.some((known) => known === field))
      throw new Error(
        `Expected {${nameFields.join('}, {')}} in --name but received ${placeholder}`,
      );
  return template;
}
