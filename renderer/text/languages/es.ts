import { notesEs } from '../../../packages/contract/src/notes/es.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';
import { es } from './es/es.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/es.ts';

/** What to do about a failure, in Spanish, by its code. */
const advice: Advice = {
  SOURCE_UNREACHABLE: 'Compruebe la dirección y la conexión e inténtelo otra vez.',
  SOURCE_REFUSED: 'Descargue la foto y arrastre aquí el archivo.',
  SOURCE_TOO_LARGE: 'Reduzca antes el archivo o guárdelo en otro formato.',
  PAYLOAD_TOO_LARGE: 'Reduzca antes el archivo o guárdelo en otro formato.',
  UNREADABLE_IMAGE: 'Vuelva a obtener el archivo de la cámara o de una copia de seguridad.',
  UNSUPPORTED_MEDIA_TYPE: 'Elija una foto, por ejemplo JPEG, PNG, TIFF, WebP, AVIF, HEIC o RAW.',
  IMAGE_TOO_LARGE: 'Elija una ampliación menor o un formato para imágenes más grandes: TIFF o PNG.',
  MODEL_UNAVAILABLE: 'Elija otro modelo.',
  MODEL_REFUSED: 'Vuelva a obtener el archivo o añada la red como ONNX.',
  NO_SUBJECT:
    'Elija una foto en la que el sujeto destaque con claridad o muestre con «Retocar» lo que debe quedar.',
  OUT_OF_MEMORY: 'Cierre otros programas e inténtelo otra vez.',
  INVALID_OUTPUT: 'Elija otro modelo o use la CPU.',
  STORAGE_FULL: 'Libere espacio e inténtelo otra vez.',
  CANNOT_WRITE: 'Compruebe que la carpeta existe y que se puede escribir en ella.',
  ENGINE_CRASHED: 'Inténtelo otra vez con otro modelo o en la CPU.',
  QUEUE_FULL: 'Espere a que terminen algunas fotos.',
  RESULT_EXPIRED: 'Añada la foto otra vez.',
  FORBIDDEN_PATH: 'Compruebe que la carpeta existe y autorícela en «Conectar programas».',
  CONFLICT: 'Mire el estado actual e inténtelo otra vez.',
  INVALID_REQUEST: 'Elija otro ajuste.',
  SHUTTING_DOWN: 'Inicie Enlarger otra vez.',
  NO_FOLDER: 'Compruebe la ruta o cree antes la carpeta.',
  EMPTY_FILE: 'Vuelva a obtener el archivo de la cámara o de una copia de seguridad.',
  FILE_GONE: 'Vuelva a conectar la tarjeta o la unidad, o añada la foto otra vez.',
  OFFLINE: 'La página se reconecta en cuanto funcione el servicio.',
};

export default {
  texts: es,
  advice,
  models,
  obtainable,
  notes: notesEs,
} satisfies Translation<'one' | 'other'>;
