export function electronBinary(root: string, env?: NodeJS.ProcessEnv): string | undefined;
export function provideElectron(
  root: string,
  options?: { env?: NodeJS.ProcessEnv; stallMs?: number },
): Promise<string>;
