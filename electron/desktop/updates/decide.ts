/** When Enlarger looks for a newer one of itself, and what it does with it: decisions without effects. */

/** Asked once, then as the person said; the menu changes it. */
export const updateChoices = ['unasked', 'on', 'off'] as const;
export type UpdateChoice = (typeof updateChoices)[number];

interface Build {
  /** Whether a release made it: only then is there a place to look (app-update.yml). */
  hasFeed: boolean;
  /** Whether a .deb or .rpm brought it (package-type). */
  isSystemPackage: boolean;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/**
 * Not where something else brings updates (Flatpak, Snap) or nothing is installed (the portable program, and the
 * .tar.gz, which a person unpacked somewhere).
 */
export function canUpdate({ hasFeed, isSystemPackage, platform, env }: Build): boolean {
  const broughtByOthers = [env.FLATPAK_ID, env.SNAP, env.PORTABLE_EXECUTABLE_DIR];
  const isInstalled = platform !== 'linux' || isSystemPackage || env.APPIMAGE !== undefined;
  return hasFeed && isInstalled && broughtByOthers.every((name) => name === undefined);
}

interface Situation {
  choice: UpdateChoice;
  /** Something runs, or is about to. */
  isWorking: boolean;
  /** A newer version was downloaded and checked. */
  isStaged: boolean;
}

/**
 * ask: whether to look at all, once. wait: until the batch has ended. look: for a newer version, which is
 * downloaded. offer: to start the downloaded one. nothing: the person said no.
 */
type NextStep = 'ask' | 'wait' | 'look' | 'offer' | 'nothing';

export function nextStep({ choice, isWorking, isStaged }: Situation): NextStep {
  if (choice === 'off') return 'nothing';
  if (isWorking) return 'wait';
  if (choice === 'unasked') return 'ask';
  return isStaged ? 'offer' : 'look';
}

/** What the updater is told, in this order: naming a channel allows downgrades, and that is taken back. */
export function updaterSettings(takesBetas: boolean) {
  return {
    ...(takesBetas && { channel: 'beta' }),
    allowPrerelease: takesBetas,
    allowDowngrade: false,
    autoDownload: false,
    autoInstallOnAppQuit: false,
  };
}

/** A pre-release is never taken by who asked for finished versions only, whatever is published. */
export function isWanted(version: string, takesBetas: boolean): boolean {
  return takesBetas || !version.includes('-');
}

const mostLetters = 1200;

/** What changed, as plain text for a dialog: GitHub gives HTML, or a list of versions with it. */
export function readableNotes(notes: string | readonly { note: string | null }[] | null): string {
  const html = typeof notes === 'string' ? notes : (notes ?? []).map((one) => one.note).join('\n');
  const text = html
    .replace(/<li[^>]*>/g, '- ')
    .replace(/<[^>]+>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_whole, name: keyof typeof signs) => signs[name])
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text.length > mostLetters ? `${text.slice(0, mostLetters).trimEnd()} …` : text;
}

const signs = { lt: '<', gt: '>', quot: '"', amp: '&' };
