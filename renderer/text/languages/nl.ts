import { notesNl } from '../../../packages/contract/src/notes/nl.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';
import { nl } from './nl/nl.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/nl.ts';

/** What to do about a failure, in Dutch, by its code. */
const advice: Advice = {
  SOURCE_UNREACHABLE: 'Controleer het adres en de verbinding en probeer het opnieuw.',
  SOURCE_REFUSED: 'Download de foto en sleep het bestand hierheen.',
  SOURCE_TOO_LARGE: 'Verklein het bestand eerst of sla het op in een ander formaat.',
  PAYLOAD_TOO_LARGE: 'Verklein het bestand eerst of sla het op in een ander formaat.',
  UNREADABLE_IMAGE: 'Haal het bestand opnieuw van de camera of uit een back-up.',
  UNSUPPORTED_MEDIA_TYPE: 'Kies een foto, bijvoorbeeld JPEG, PNG, TIFF, WebP, AVIF, HEIC of RAW.',
  IMAGE_TOO_LARGE: 'Kies een kleinere vergroting of een formaat voor grotere beelden: TIFF of PNG.',
  MODEL_UNAVAILABLE: 'Kies een ander model.',
  MODEL_REFUSED: 'Haal het bestand opnieuw op of voeg het netwerk als ONNX toe.',
  NO_SUBJECT:
    'Kies een foto waarin het onderwerp duidelijk afsteekt, of toon met ‘Bijwerken’ wat moet blijven.',
  OUT_OF_MEMORY: 'Sluit andere programma’s en probeer het opnieuw.',
  INVALID_OUTPUT: 'Kies een ander model of gebruik de CPU.',
  STORAGE_FULL: 'Maak ruimte vrij en probeer het opnieuw.',
  CANNOT_WRITE: 'Controleer of de map bestaat en of erin geschreven mag worden.',
  ENGINE_CRASHED: 'Probeer het opnieuw met een ander model of op de CPU.',
  QUEUE_FULL: 'Wacht tot enkele foto’s klaar zijn.',
  RESULT_EXPIRED: 'Voeg de foto opnieuw toe.',
  FORBIDDEN_PATH: 'Controleer of de map bestaat en geef hem vrij onder ‘Programma’s verbinden’.',
  CONFLICT: 'Bekijk de huidige stand en probeer het opnieuw.',
  INVALID_REQUEST: 'Kies een andere instelling.',
  SHUTTING_DOWN: 'Start Enlarger opnieuw.',
  NO_FOLDER: 'Controleer het pad of maak de map eerst aan.',
  EMPTY_FILE: 'Haal het bestand opnieuw van de camera of uit een back-up.',
  FILE_GONE: 'Sluit de kaart of schijf weer aan, of voeg de foto opnieuw toe.',
  OFFLINE: 'De pagina verbindt weer zodra de service draait.',
};

export default {
  texts: nl,
  advice,
  models,
  obtainable,
  notes: notesNl,
} satisfies Translation<'one' | 'other'>;
