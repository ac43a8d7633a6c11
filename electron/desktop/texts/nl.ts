/** Texts of the window's menus, the tray, notifications and dialogs in Dutch. */
import { countedIn } from './counted.ts';
import type { Text } from './en.ts';

const counted = countedIn('nl');

export const nl: Text = {
  file: 'Bestand',
  edit: 'Bewerken',
  view: 'Weergave',
  help: 'Help',
  undo: 'Ongedaan maken',
  redo: 'Opnieuw',
  cut: 'Knippen',
  copy: 'Kopiëren',
  paste: 'Plakken',
  selectAll: 'Alles selecteren',
  closeWindow: 'Venster sluiten',
  zoomIn: 'Inzoomen',
  zoomOut: 'Uitzoomen',
  resetZoom: 'Ware grootte',
  fullScreen: 'Volledig scherm',
  devTools: 'Ontwikkelaarshulpmiddelen',
  about: 'Over Enlarger',
  addFiles: 'Foto’s toevoegen…',
  addFolder: 'Map toevoegen…',
  recentFolders: 'Recente mappen',
  clearRecent: 'Wissen',
  start: 'Starten',
  pause: 'Wachtrij pauzeren',
  resume: 'Wachtrij hervatten',
  whenDone: 'Als de wachtrij klaar is',
  endings: { nothing: 'Niets doen', quit: 'Enlarger afsluiten', sleep: 'Slaapstand' },
  staysInTray: 'Doorwerken als het venster gesloten is',
  notifies: 'Melden als alles klaar is',
  removeSelected: 'Selectie verwijderen',
  undoRemoval: 'Verwijderen ongedaan maken',
  retryFailed: 'Mislukte opnieuw',
  removeFinished: 'Voltooide verwijderen',
  settings: 'Instellingen…',
  models: 'Modellen…',
  watch: 'Gevolgde mappen…',
  connect: 'Programma’s verbinden…',
  apiDocs: 'API-documentatie',
  shortcuts: 'Sneltoetsen',
  show: 'Enlarger tonen',
  quit: 'Enlarger afsluiten',
  idle: 'Niets te doen',
  watching: (folders) =>
    counted(folders, {
      one: `${folders} map wordt gevolgd`,
      other: `${folders} mappen worden gevolgd`,
    }),
  paused: (waiting) => `Gepauzeerd, ${waiting} wachtend`,
  working: (ended, all, percent) => `${ended} van ${all} voltooid, ${percent}%`,
  batchTitle: (failed) => (failed === 0 ? 'De foto’s zijn klaar' : 'Klaar, met fouten'),
  batchBody: (finished, failed) =>
    [
      finished > 0
        ? counted(finished, {
            one: `${finished} foto voltooid`,
            other: `${finished} foto’s voltooid`,
          })
        : '',
      failed > 0 ? `${failed} mislukt` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  hidden: 'Enlarger werkt door. Het venster zit achter het pictogram in de balk.',
  endingSoon: {
    quit: (seconds) => `Enlarger wordt over ${seconds} seconden afgesloten.`,
    sleep: (seconds) => `Deze computer gaat over ${seconds} seconden in de slaapstand.`,
  },
  updates: 'Naar updates zoeken',
  betas: 'Ook bètaversies',
  mayUpdate: 'Mag Enlarger naar updates zoeken?',
  mayUpdateDetail:
    'Het vraagt GitHub één keer per dag naar nieuwere versies en stuurt niets over u of uw foto’s. Niets anders in Enlarger gaat vanzelf online. U kunt dit wijzigen in het menu Help.',
  allow: 'Naar updates zoeken',
  deny: 'Nooit',
  updateReady: (version) => `Enlarger ${version} is klaar.`,
  restart: 'Nu opnieuw starten',
  later: 'Bij het afsluiten',
  now: 'Nu',
  cancel: 'Annuleren',
  crashed: 'Het venster was vastgelopen en is opnieuw geopend.',
  crashedAgain: 'Het venster is in een minuut meermaals vastgelopen.',
  queueGoesOn: 'De wachtrij gaat door: er gaat geen taak verloren.',
  unresponsive: 'Het venster antwoordt niet.',
  reload: 'Opnieuw laden',
  wait: 'Wachten',
};
