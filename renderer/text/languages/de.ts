import { de } from './de/de.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/de.ts';
import { notesDe } from '../../../packages/contract/src/notes/de.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';

/**
 * What to do about a failure, in German, by its code. The service's own sentences say it too, with the figures
 * of the case, in English.
 */
const advice: Advice = {
  SOURCE_UNREACHABLE: 'Die Adresse und die Verbindung prüfen, dann noch einmal versuchen.',
  SOURCE_REFUSED: 'Das Foto herunterladen und die Datei hierher ziehen.',
  SOURCE_TOO_LARGE: 'Die Datei vorher verkleinern oder in einem anderen Format speichern.',
  PAYLOAD_TOO_LARGE: 'Die Datei vorher verkleinern oder in einem anderen Format speichern.',
  UNREADABLE_IMAGE: 'Die Datei aus der Kamera oder einer Sicherung noch einmal holen.',
  UNSUPPORTED_MEDIA_TYPE:
    'Ein Foto wählen, zum Beispiel JPEG, PNG, TIFF, WebP, AVIF, HEIC oder RAW.',
  IMAGE_TOO_LARGE:
    'Eine kleinere Vergrößerung oder ein Format für größere Bilder wählen: TIFF oder PNG.',
  MODEL_UNAVAILABLE: 'Ein anderes Modell wählen.',
  MODEL_REFUSED: 'Die Datei noch einmal holen oder das Netz als ONNX mitbringen.',
  NO_SUBJECT:
    'Ein Foto wählen, auf dem sich ein Motiv deutlich abhebt, oder mit „Nachbessern“ zeigen, was bleiben soll.',
  OUT_OF_MEMORY: 'Andere Programme schließen und es noch einmal versuchen.',
  INVALID_OUTPUT: 'Ein anderes Modell wählen oder auf der CPU rechnen lassen.',
  STORAGE_FULL: 'Platz schaffen und es noch einmal versuchen.',
  CANNOT_WRITE: 'Prüfen, ob es den Ordner gibt und ob er beschrieben werden darf.',
  ENGINE_CRASHED: 'Noch einmal versuchen, mit einem anderen Modell oder auf der CPU.',
  QUEUE_FULL: 'Warten, bis einige Fotos fertig sind.',
  RESULT_EXPIRED: 'Das Foto noch einmal hinzufügen.',
  FORBIDDEN_PATH: 'Prüfen, ob es den Ordner gibt, und ihn unter „Programme verbinden“ freigeben.',
  CONFLICT: 'Den neuen Stand ansehen und es noch einmal versuchen.',
  INVALID_REQUEST: 'Eine andere Einstellung wählen.',
  SHUTTING_DOWN: 'Enlarger wieder starten.',
  NO_FOLDER: 'Den Pfad prüfen oder den Ordner zuerst anlegen.',
  EMPTY_FILE: 'Die Datei aus der Kamera oder einer Sicherung noch einmal holen.',
  FILE_GONE:
    'Die Speicherkarte oder das Laufwerk wieder anschließen oder das Foto noch einmal hinzufügen.',
  OFFLINE: 'Die Seite verbindet sich wieder, sobald der Dienst läuft.',
};

export default {
  texts: de,
  advice,
  models,
  obtainable,
  notes: notesDe,
} satisfies Translation<'one'>;
