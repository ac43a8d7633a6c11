/** What the window's preload gives to the page as `window.enlarger`. A browser has none of it. */
export interface Bridge {
  /** A key of this window alone; it ends with the service's process. */
  sessionKey(): Promise<string>;
  /** The system's dialog for a folder that results are saved to. Undefined: closed without choosing. */
  chooseFolder(): Promise<string | undefined>;
}
