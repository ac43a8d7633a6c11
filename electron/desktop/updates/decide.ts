/** Decisions: when Enlarger looks for a newer version of itself, and what it does with one. Pure. */

/** Asked once; the menu changes the answer. */
export const updateChoices = ['unasked', 'on', 'off'] as const;
export type UpdateChoice = (typeof updateChoices)[number];

interface BuildInfo {
  /** Whether a release made this build: only then is there a place to look (app-update.yml). */
  hasFeed: boolean;
  /** Whether a .deb or .rpm installed it (package-type). */
  isSystemPackage: boolean;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/**
 * Whether this build can update itself. It cannot where something else brings updates (Flatpak, Snap),
 * or where nothing is installed (the portable program, and the .tar.gz, which a person unpacked somewhere).
 */
export function canUpdate({ hasFeed, isSystemPackage, platform, env }: BuildInfo): boolean {
  const managedByOthers = [env.FLATPAK_ID, env.SNAP, env.PORTABLE_EXECUTABLE_DIR];
  const isInstalled = platform !== 'linux' || isSystemPackage || env.APPIMAGE !== undefined;
  return hasFeed && isInstalled && managedByOthers.every((name) => name === undefined);
}

interface Situation {
  choice: UpdateChoice;
  /** Whether a task runs or is about to. */
  isWorking: boolean;
  /** Whether a newer version was downloaded and checked. */
  isStaged: boolean;
}

/**
 * `ask`: for consent to checking; `wait`: for the end of the batch; `look`: check and download; `offer`: to
 * start the downloaded one; `nothing`: declined.
 */
type UpdateStep = 'ask' | 'wait' | 'look' | 'offer' | 'nothing';

export function nextStep({ choice, isWorking, isStaged }: Situation): UpdateStep {
  if (choice === 'off') return 'nothing';
  if (isWorking) return 'wait';
  if (choice === 'unasked') return 'ask';
  return isStaged ? 'offer' : 'look';
}

/**
 * Whether betas are taken. A beta takes them until the finished version is there, which ends that by itself.
 * @param version of this program
 */
export function takesBetas(version: string, { betas }: { betas: boolean }): boolean {
  return betas || isPrerelease(version);
}

export function isPrerelease(version: string): boolean {
  return version.includes('-');
}

/** Settings of the updater, in this order: naming a channel allows downgrades, which must be reset. */
export function updaterSettings(takesBetas: boolean) {
  return {
    ...(takesBetas && { channel: 'beta' }),
    allowPrerelease: takesBetas,
    allowDowngrade: false,
    autoDownload: false,
    autoInstallOnAppQuit: false,
  };
}

/** Whether a version is wanted. A person who asked for finished versions never gets a pre-release. */
export function isAccepted(version: string, takesBetas: boolean): boolean {
  return takesBetas || !isPrerelease(version);
}

const maxNotesLength = 1200;

/** Release notes as plain text for a dialog. GitHub sends HTML, or a list of versions with HTML. */
export function readableNotes(notes: string | readonly { note: string | null }[] | null): string {
  const html = typeof notes === 'string' ? notes : (notes ?? []).map((one) => one.note).join('\n');
  const text = html
    .replace(/<li[^>]*>/g, '- ')
    .replace(/<[^>]+>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_whole, name: keyof typeof signs) => signs[name])
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text.length > maxNotesLength ? `${text.slice(0, maxNotesLength).trimEnd()} …` : text;
}

const signs = { lt: '<', gt: '>', quot: '"', amp: '&' };
