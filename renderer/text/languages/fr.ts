import { notesFr } from '../../../packages/contract/src/notes/fr.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';
import { fr } from './fr/fr.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/fr.ts';

/** What to do about a failure, in French, by its code. */
const advice: Advice = {
  SOURCE_UNREACHABLE: 'Vérifiez l’adresse et la connexion, puis réessayez.',
  SOURCE_REFUSED: 'Téléchargez la photo et déposez le fichier ici.',
  SOURCE_TOO_LARGE: 'Réduisez d’abord le fichier ou enregistrez-le dans un autre format.',
  PAYLOAD_TOO_LARGE: 'Réduisez d’abord le fichier ou enregistrez-le dans un autre format.',
  UNREADABLE_IMAGE: 'Récupérez de nouveau le fichier depuis l’appareil photo ou une sauvegarde.',
  UNSUPPORTED_MEDIA_TYPE:
    'Choisissez une photo, par exemple JPEG, PNG, TIFF, WebP, AVIF, HEIC ou RAW.',
  IMAGE_TOO_LARGE:
    'Choisissez un agrandissement plus petit ou un format pour de plus grandes images : TIFF ou PNG.',
  MODEL_UNAVAILABLE: 'Choisissez un autre modèle.',
  MODEL_REFUSED: 'Récupérez de nouveau le fichier ou ajoutez le réseau en ONNX.',
  NO_SUBJECT:
    'Choisissez une photo dont le sujet se détache nettement, ou montrez avec « Retoucher » ce qui doit rester.',
  OUT_OF_MEMORY: 'Fermez d’autres programmes et réessayez.',
  INVALID_OUTPUT: 'Choisissez un autre modèle ou calculez sur le processeur.',
  STORAGE_FULL: 'Libérez de la place et réessayez.',
  CANNOT_WRITE: 'Vérifiez que le dossier existe et qu’on peut y écrire.',
  ENGINE_CRASHED: 'Réessayez avec un autre modèle ou sur le processeur.',
  QUEUE_FULL: 'Attendez que quelques photos soient terminées.',
  RESULT_EXPIRED: 'Ajoutez de nouveau la photo.',
  FORBIDDEN_PATH:
    'Vérifiez que le dossier existe et autorisez-le dans « Connecter des programmes ».',
  CONFLICT: 'Regardez l’état actuel et réessayez.',
  INVALID_REQUEST: 'Choisissez un autre réglage.',
  SHUTTING_DOWN: 'Relancez Enlarger.',
  NO_FOLDER: 'Vérifiez le chemin ou créez d’abord le dossier.',
  EMPTY_FILE: 'Récupérez de nouveau le fichier depuis l’appareil photo ou une sauvegarde.',
  FILE_GONE: 'Reconnectez la carte ou le disque, ou ajoutez de nouveau la photo.',
  OFFLINE: 'La page se reconnecte dès que le service fonctionne.',
};

export default {
  texts: fr,
  advice,
  models,
  obtainable,
  notes: notesFr,
} satisfies Translation<'one' | 'other'>;
