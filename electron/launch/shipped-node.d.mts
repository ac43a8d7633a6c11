export function shippedNode(
  root: string,
  platform?: NodeJS.Platform,
  arch?: string,
): string | undefined;
