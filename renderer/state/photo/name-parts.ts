/** Splits file names so that what tells those of one camera apart stays when they are cut off. Pure. */

/** The last four characters before the ending stay. */
const parts = /^(.*?)(.{0,4})(\.[^.]*)?$/su;

export function nameParts(name: string): readonly [start: string, end: string, ending: string] {
  const [, start = '', end = '', ending = ''] = parts.exec(name) ?? [];
  return [start, end, ending];
}
