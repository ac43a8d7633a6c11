import { notesIt } from '../../../packages/contract/src/notes/it.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';
import { it } from './it/it.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/it.ts';

/** What to do about a failure, in Italian, by its code. */
const advice: Advice = {
  SOURCE_UNREACHABLE: 'Controlla l’indirizzo e la connessione, poi riprova.',
  SOURCE_REFUSED: 'Scarica la foto e trascina qui il file.',
  SOURCE_TOO_LARGE: 'Riduci prima il file o salvalo in un altro formato.',
  PAYLOAD_TOO_LARGE: 'Riduci prima il file o salvalo in un altro formato.',
  UNREADABLE_IMAGE: 'Recupera di nuovo il file dalla fotocamera o da un backup.',
  UNSUPPORTED_MEDIA_TYPE: 'Scegli una foto, per esempio JPEG, PNG, TIFF, WebP, AVIF, HEIC o RAW.',
  IMAGE_TOO_LARGE:
    'Scegli un ingrandimento minore o un formato per immagini più grandi: TIFF o PNG.',
  MODEL_UNAVAILABLE: 'Scegli un altro modello.',
  MODEL_REFUSED: 'Recupera di nuovo il file o aggiungi la rete come ONNX.',
  NO_SUBJECT:
    'Scegli una foto in cui il soggetto si stacca chiaramente, o mostra con «Ritocca» ciò che deve restare.',
  OUT_OF_MEMORY: 'Chiudi altri programmi e riprova.',
  INVALID_OUTPUT: 'Scegli un altro modello o usa la CPU.',
  STORAGE_FULL: 'Libera spazio e riprova.',
  CANNOT_WRITE: 'Controlla che la cartella esista e che vi si possa scrivere.',
  ENGINE_CRASHED: 'Riprova con un altro modello o sulla CPU.',
  QUEUE_FULL: 'Aspetta che alcune foto siano completate.',
  RESULT_EXPIRED: 'Aggiungi di nuovo la foto.',
  FORBIDDEN_PATH: 'Controlla che la cartella esista e autorizzala in «Collega programmi».',
  CONFLICT: 'Guarda lo stato attuale e riprova.',
  INVALID_REQUEST: 'Scegli un’altra impostazione.',
  SHUTTING_DOWN: 'Riavvia Enlarger.',
  NO_FOLDER: 'Controlla il percorso o crea prima la cartella.',
  EMPTY_FILE: 'Recupera di nuovo il file dalla fotocamera o da un backup.',
  FILE_GONE: 'Ricollega la scheda o l’unità, oppure aggiungi di nuovo la foto.',
  OFFLINE: 'La pagina si ricollega appena il servizio funziona.',
};

export default {
  texts: it,
  advice,
  models,
  obtainable,
  notes: notesIt,
} satisfies Translation<'one' | 'other'>;
