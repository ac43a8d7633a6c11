export function withLock(
  root: string,
  name: string,
  work: () => unknown,
  onWait?: () => void,
): Promise<void>;
