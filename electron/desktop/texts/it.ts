/** Texts of the window's menus, the tray, notifications and dialogs in Italian. */
import { countedIn } from './counted.ts';
import type { Text } from './en.ts';

const counted = countedIn('it');

export const it: Text = {
  file: 'File',
  edit: 'Modifica',
  view: 'Vista',
  help: 'Aiuto',
  undo: 'Annulla',
  redo: 'Ripeti',
  cut: 'Taglia',
  copy: 'Copia',
  paste: 'Incolla',
  selectAll: 'Seleziona tutto',
  closeWindow: 'Chiudi finestra',
  zoomIn: 'Ingrandisci',
  zoomOut: 'Riduci',
  resetZoom: 'Dimensioni reali',
  fullScreen: 'Schermo intero',
  devTools: 'Strumenti di sviluppo',
  about: 'Informazioni su Enlarger',
  addFiles: 'Aggiungi foto…',
  addFolder: 'Aggiungi cartella…',
  recentFolders: 'Cartelle recenti',
  clearRecent: 'Cancella',
  start: 'Avvia',
  pause: 'Metti in pausa la coda',
  resume: 'Riprendi la coda',
  whenDone: 'Al termine della coda',
  endings: { nothing: 'Non fare nulla', quit: 'Esci da Enlarger', sleep: 'Sospendi' },
  staysInTray: 'Continua a lavorare con la finestra chiusa',
  notifies: 'Avvisa al termine',
  removeSelected: 'Rimuovi la selezione',
  undoRemoval: 'Annulla la rimozione',
  retryFailed: 'Ripeti le fallite',
  removeFinished: 'Rimuovi le completate',
  settings: 'Impostazioni…',
  models: 'Modelli…',
  watch: 'Cartelle controllate…',
  connect: 'Collega programmi…',
  apiDocs: 'Documentazione dell’API',
  shortcuts: 'Scorciatoie da tastiera',
  show: 'Mostra Enlarger',
  quit: 'Esci da Enlarger',
  idle: 'Niente da fare',
  watching: (folders) =>
    counted(folders, {
      one: `${folders} cartella controllata`,
      other: `${folders} cartelle controllate`,
    }),
  paused: (waiting) => `In pausa, ${waiting} in attesa`,
  working: (ended, all, percent) => `${ended} di ${all} completate, ${percent}%`,
  batchTitle: (failed) => (failed === 0 ? 'Le foto sono pronte' : 'Terminato, con errori'),
  batchBody: (finished, failed) =>
    [
      finished > 0
        ? counted(finished, {
            one: `${finished} foto completata`,
            other: `${finished} foto completate`,
          })
        : '',
      failed > 0 ? `${failed} con errori` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  hidden: 'Enlarger continua a lavorare. La finestra è dietro la sua icona nella barra.',
  endingSoon: {
    quit: (seconds) => `Enlarger si chiude tra ${seconds} secondi.`,
    sleep: (seconds) => `Questo computer si sospende tra ${seconds} secondi.`,
  },
  updates: 'Cerca aggiornamenti',
  betas: 'Includi le versioni beta',
  mayUpdate: 'Enlarger può cercare aggiornamenti?',
  mayUpdateDetail:
    'Chiede a GitHub una volta al giorno se ci sono nuove versioni e non invia nulla su di te o sulle tue foto. Nient’altro in Enlarger va online da solo. Puoi cambiarlo nel menu Aiuto.',
  allow: 'Cerca aggiornamenti',
  deny: 'Mai',
  updateReady: (version) => `Enlarger ${version} è pronto.`,
  restart: 'Riavvia ora',
  later: 'All’uscita',
  now: 'Ora',
  cancel: 'Annulla',
  crashed: 'La finestra si era bloccata ed è stata riaperta.',
  crashedAgain: 'La finestra si è bloccata più volte in un minuto.',
  queueGoesOn: 'La coda continua: nessuna attività va persa.',
  unresponsive: 'La finestra non risponde.',
  reload: 'Ricarica',
  wait: 'Attendi',
};
