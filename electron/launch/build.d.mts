export function buildWhereStale(root: string): Promise<void>;
export function build(root: string): Promise<void>;
/** Of each package what is built from, relative to the root. */
export function packageSources(root: string): string[];
