export function buildWhereStale(root: string): Promise<void>;
export function build(root: string): Promise<void>;
