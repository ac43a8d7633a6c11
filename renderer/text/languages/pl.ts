import { notesPl } from '../../../packages/contract/src/notes/pl.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';
import { pl } from './pl/pl.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/pl.ts';

/** What to do about a failure, in Polish, by its code. */
const advice: Advice = {
  SOURCE_UNREACHABLE: 'Sprawdź adres i połączenie, potem spróbuj ponownie.',
  SOURCE_REFUSED: 'Pobierz zdjęcie i przeciągnij plik tutaj.',
  SOURCE_TOO_LARGE: 'Najpierw zmniejsz plik albo zapisz go w innym formacie.',
  PAYLOAD_TOO_LARGE: 'Najpierw zmniejsz plik albo zapisz go w innym formacie.',
  UNREADABLE_IMAGE: 'Pobierz plik ponownie z aparatu lub z kopii zapasowej.',
  UNSUPPORTED_MEDIA_TYPE: 'Wybierz zdjęcie, na przykład JPEG, PNG, TIFF, WebP, AVIF, HEIC lub RAW.',
  IMAGE_TOO_LARGE: 'Wybierz mniejsze powiększenie albo format dla większych obrazów: TIFF lub PNG.',
  MODEL_UNAVAILABLE: 'Wybierz inny model.',
  MODEL_REFUSED: 'Pobierz plik ponownie albo dodaj sieć jako ONNX.',
  NO_SUBJECT:
    'Wybierz zdjęcie, na którym obiekt wyraźnie się odcina, albo pokaż w „Retusz”, co ma zostać.',
  OUT_OF_MEMORY: 'Zamknij inne programy i spróbuj ponownie.',
  INVALID_OUTPUT: 'Wybierz inny model albo użyj procesora.',
  STORAGE_FULL: 'Zwolnij miejsce i spróbuj ponownie.',
  CANNOT_WRITE: 'Sprawdź, czy folder istnieje i czy można w nim zapisywać.',
  ENGINE_CRASHED: 'Spróbuj ponownie z innym modelem albo na procesorze.',
  QUEUE_FULL: 'Poczekaj, aż kilka zdjęć będzie gotowych.',
  RESULT_EXPIRED: 'Dodaj zdjęcie ponownie.',
  FORBIDDEN_PATH: 'Sprawdź, czy folder istnieje, i udostępnij go w „Połącz programy”.',
  CONFLICT: 'Zobacz bieżący stan i spróbuj ponownie.',
  INVALID_REQUEST: 'Wybierz inne ustawienie.',
  SHUTTING_DOWN: 'Uruchom Enlargera ponownie.',
  NO_FOLDER: 'Sprawdź ścieżkę albo najpierw utwórz folder.',
  EMPTY_FILE: 'Pobierz plik ponownie z aparatu lub z kopii zapasowej.',
  FILE_GONE: 'Podłącz ponownie kartę lub dysk albo dodaj zdjęcie ponownie.',
  OFFLINE: 'Strona połączy się ponownie, gdy usługa zacznie działać.',
};

export default {
  texts: pl,
  advice,
  models,
  obtainable,
  notes: notesPl,
} satisfies Translation<'one' | 'few' | 'many' | 'other'>;
