/** These are the texts of menus, tray, notifications and dialogs. The page has a catalogue of its own. */
import type { Ending } from './queue/when-done.ts';

const en = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  help: 'Help',
  addFiles: 'Add Photos…',
  addFolder: 'Add Folder…',
  recentFolders: 'Recent Folders',
  clearRecent: 'Clear',
  start: 'Start',
  pause: 'Pause Queue',
  resume: 'Resume Queue',
  whenDone: 'When the Queue Is Done',
  endings: { nothing: 'Do Nothing', quit: 'Quit Enlarger', sleep: 'Sleep' } satisfies Record<
    Ending,
    string
  >,
  staysInTray: 'Keep Working When the Window Is Closed',
  notifies: 'Notify When Done',
  removeSelected: 'Remove Selected',
  undoRemoval: 'Undo Removal',
  retryFailed: 'Retry Failed',
  removeFinished: 'Remove Finished',
  settings: 'Settings…',
  models: 'Models…',
  watch: 'Watched Folders…',
  connect: 'Connect Programs…',
  apiDocs: 'API Documentation',
  shortcuts: 'Keyboard Shortcuts',
  show: 'Show Enlarger',
  quit: 'Quit Enlarger',
  idle: 'Nothing to do',
  watching: (folders: number) => `Watching ${folders} ${folders === 1 ? 'folder' : 'folders'}`,
  paused: (waiting: number) => `Paused, ${waiting} waiting`,
  working: (ended: number, all: number, percent: number) => `${ended} of ${all} done, ${percent} %`,
  batchTitle: (failed: number): string =>
    failed === 0 ? 'Photos are ready' : 'Done, with problems',
  batchBody: (finished: number, failed: number) =>
    [
      finished > 0 ? `${finished} ${finished === 1 ? 'photo' : 'photos'} finished` : '',
      failed > 0 ? `${failed} failed` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  hidden: 'Enlarger goes on working. Its window is behind its icon in the tray.',
  endingSoon: {
    quit: (seconds: number) => `Enlarger quits in ${seconds} seconds.`,
    sleep: (seconds: number) => `This computer goes to sleep in ${seconds} seconds.`,
  },
  updates: 'Look for Updates',
  betas: 'Include Beta Versions',
  mayUpdate: 'May Enlarger look for updates?',
  mayUpdateDetail:
    'It asks GitHub for newer versions once a day, and sends nothing about you or your photos. Nothing else in Enlarger goes online by itself. You can change this in the Help menu.',
  allow: 'Look for Updates',
  deny: 'Never',
  updateReady: (version: string) => `Enlarger ${version} is ready.`,
  restart: 'Restart Now',
  later: 'When I Quit',
  now: 'Now',
  cancel: 'Cancel',
  crashed: 'The window had stopped and was opened again.',
  crashedAgain: 'The window stopped several times in a minute.',
  queueGoesOn: 'The queue goes on: no task is lost.',
  unresponsive: 'The window does not answer.',
  reload: 'Reload',
  wait: 'Wait',
};

export type Text = typeof en;

const de: Text = {
  file: 'Datei',
  edit: 'Bearbeiten',
  view: 'Darstellung',
  help: 'Hilfe',
  addFiles: 'Fotos hinzufügen …',
  addFolder: 'Ordner hinzufügen …',
  recentFolders: 'Zuletzt benutzte Ordner',
  clearRecent: 'Leeren',
  start: 'Starten',
  pause: 'Warteschlange anhalten',
  resume: 'Warteschlange fortsetzen',
  whenDone: 'Wenn alles fertig ist',
  endings: { nothing: 'Nichts tun', quit: 'Enlarger beenden', sleep: 'Ruhezustand' },
  staysInTray: 'Bei geschlossenem Fenster weiterarbeiten',
  notifies: 'Melden, wenn alles fertig ist',
  removeSelected: 'Auswahl entfernen',
  undoRemoval: 'Entfernen zurücknehmen',
  retryFailed: 'Fehlgeschlagene wiederholen',
  removeFinished: 'Fertige entfernen',
  settings: 'Einstellungen …',
  models: 'Modelle …',
  watch: 'Überwachte Ordner …',
  connect: 'Programme verbinden …',
  apiDocs: 'Dokumentation der Schnittstelle',
  shortcuts: 'Tastenkürzel',
  show: 'Enlarger zeigen',
  quit: 'Enlarger beenden',
  idle: 'Nichts zu tun',
  watching: (folders) => `${folders} ${folders === 1 ? 'Ordner wird' : 'Ordner werden'} überwacht`,
  paused: (waiting) => `Angehalten, ${waiting} warten`,
  working: (ended, all, percent) => `${ended} von ${all} fertig, ${percent} %`,
  batchTitle: (failed) => (failed === 0 ? 'Die Fotos sind fertig' : 'Fertig, mit Fehlern'),
  batchBody: (finished, failed) =>
    [
      finished > 0 ? `${finished} ${finished === 1 ? 'Foto' : 'Fotos'} fertig` : '',
      failed > 0 ? `${failed} fehlgeschlagen` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  hidden: 'Enlarger arbeitet weiter. Das Fenster liegt hinter dem Symbol in der Leiste.',
  endingSoon: {
    quit: (seconds) => `Enlarger wird in ${seconds} Sekunden beendet.`,
    sleep: (seconds) => `Der Rechner geht in ${seconds} Sekunden in den Ruhezustand.`,
  },
  updates: 'Nach Updates suchen',
  betas: 'Auch Vorabversionen',
  mayUpdate: 'Darf Enlarger nach Updates suchen?',
  mayUpdateDetail:
    'Es fragt einmal am Tag bei GitHub nach neueren Versionen und sendet nichts über Sie oder Ihre Fotos. Nichts anderes in Enlarger geht von selbst ins Internet. Im Menü Hilfe lässt sich das ändern.',
  allow: 'Nach Updates suchen',
  deny: 'Nie',
  updateReady: (version) => `Enlarger ${version} steht bereit.`,
  restart: 'Jetzt neu starten',
  later: 'Beim Beenden',
  now: 'Jetzt',
  cancel: 'Abbrechen',
  crashed: 'Das Fenster war stehen geblieben und wurde neu geöffnet.',
  crashedAgain: 'Das Fenster ist in einer Minute mehrmals stehen geblieben.',
  queueGoesOn: 'Die Warteschlange läuft weiter: Keine Aufgabe geht verloren.',
  unresponsive: 'Das Fenster antwortet nicht.',
  reload: 'Neu laden',
  wait: 'Warten',
};

/** @param languages the person's languages, the preferred one first, such as de-CH */
export function textFor(languages: readonly string[]): Text {
  const known = languages.map((language) => language.slice(0, 2)).find((two) => two in texts);
  return known === 'de' ? de : en;
}

const texts = { en, de };
