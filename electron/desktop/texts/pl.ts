/** Texts of the window's menus, the tray, notifications and dialogs in Polish. */
import { countedIn } from './counted.ts';
import type { Text } from './en.ts';

const counted = countedIn('pl');

export const pl: Text = {
  file: 'Plik',
  edit: 'Edycja',
  view: 'Widok',
  help: 'Pomoc',
  undo: 'Cofnij',
  redo: 'Ponów',
  cut: 'Wytnij',
  copy: 'Kopiuj',
  paste: 'Wklej',
  selectAll: 'Zaznacz wszystko',
  closeWindow: 'Zamknij okno',
  zoomIn: 'Powiększ',
  zoomOut: 'Pomniejsz',
  resetZoom: 'Rzeczywisty rozmiar',
  fullScreen: 'Pełny ekran',
  devTools: 'Narzędzia programistyczne',
  about: 'Enlarger – informacje',
  addFiles: 'Dodaj zdjęcia…',
  addFolder: 'Dodaj folder…',
  recentFolders: 'Ostatnie foldery',
  clearRecent: 'Wyczyść',
  start: 'Uruchom',
  pause: 'Wstrzymaj kolejkę',
  resume: 'Wznów kolejkę',
  whenDone: 'Po zakończeniu kolejki',
  endings: { nothing: 'Nie rób nic', quit: 'Zakończ Enlargera', sleep: 'Uśpij' },
  staysInTray: 'Pracuj dalej po zamknięciu okna',
  notifies: 'Powiadom po zakończeniu',
  removeSelected: 'Usuń zaznaczone',
  undoRemoval: 'Cofnij usunięcie',
  retryFailed: 'Ponów nieudane',
  removeFinished: 'Usuń ukończone',
  settings: 'Ustawienia…',
  models: 'Modele…',
  watch: 'Obserwowane foldery…',
  connect: 'Połącz programy…',
  apiDocs: 'Dokumentacja API',
  shortcuts: 'Skróty klawiszowe',
  show: 'Pokaż Enlargera',
  quit: 'Zakończ Enlargera',
  idle: 'Nic do zrobienia',
  watching: (folders) =>
    counted(folders, {
      one: `Obserwowany ${folders} folder`,
      few: `Obserwowane ${folders} foldery`,
      other: `Obserwowanych ${folders} folderów`,
    }),
  paused: (waiting) => `Wstrzymano, oczekujące: ${waiting}`,
  working: (ended, all, percent) => `${ended} z ${all} ukończone, ${percent}%`,
  batchTitle: (failed) => (failed === 0 ? 'Zdjęcia są gotowe' : 'Zakończono z błędami'),
  batchBody: (finished, failed) =>
    [
      finished > 0
        ? counted(finished, {
            one: `Ukończono ${finished} zdjęcie`,
            few: `Ukończono ${finished} zdjęcia`,
            other: `Ukończono ${finished} zdjęć`,
          })
        : '',
      failed > 0 ? `nieudane: ${failed}` : '',
    ]
      .filter((part) => part !== '')
      .join(', '),
  hidden: 'Enlarger pracuje dalej. Jego okno kryje się za ikoną w zasobniku.',
  endingSoon: {
    quit: (seconds) => `Enlarger zakończy pracę za ${seconds} s.`,
    sleep: (seconds) => `Ten komputer przejdzie w stan uśpienia za ${seconds} s.`,
  },
  updates: 'Szukaj aktualizacji',
  betas: 'Uwzględniaj wersje beta',
  mayUpdate: 'Czy Enlarger może szukać aktualizacji?',
  mayUpdateDetail:
    'Raz dziennie pyta GitHuba o nowsze wersje i nie wysyła niczego o Tobie ani Twoich zdjęciach. Nic innego w Enlargerze nie łączy się samo z siecią. Możesz to zmienić w menu Pomoc.',
  allow: 'Szukaj aktualizacji',
  deny: 'Nigdy',
  updateReady: (version) => `Enlarger ${version} jest gotowy.`,
  restart: 'Uruchom ponownie teraz',
  later: 'Przy zamykaniu',
  now: 'Teraz',
  cancel: 'Anuluj',
  crashed: 'Okno się zatrzymało i zostało otwarte ponownie.',
  crashedAgain: 'Okno zatrzymało się kilka razy w ciągu minuty.',
  queueGoesOn: 'Kolejka działa dalej: żadne zadanie nie ginie.',
  unresponsive: 'Okno nie odpowiada.',
  reload: 'Wczytaj ponownie',
  wait: 'Czekaj',
};
