export interface Start {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The user's id; undefined on Windows. */
  uid: number | undefined;
}
export function obstacleToWindow(start: Start): string | undefined;
export function serviceArguments(args: readonly string[]): string[];
export function startApplication(root: string, args: string[]): Promise<void>;
