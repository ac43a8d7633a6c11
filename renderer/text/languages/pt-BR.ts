import { notesPtBR } from '../../../packages/contract/src/notes/pt-BR.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';
import { pt } from './pt-BR/pt-BR.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/pt-BR.ts';

/** What to do about a failure, in Portuguese (Brazil), by its code. */
const advice: Advice = {
  SOURCE_UNREACHABLE: 'Confira o endereço e a conexão e tente de novo.',
  SOURCE_REFUSED: 'Baixe a foto e arraste o arquivo para cá.',
  SOURCE_TOO_LARGE: 'Reduza o arquivo antes ou salve-o em outro formato.',
  PAYLOAD_TOO_LARGE: 'Reduza o arquivo antes ou salve-o em outro formato.',
  UNREADABLE_IMAGE: 'Pegue o arquivo de novo da câmera ou de um backup.',
  UNSUPPORTED_MEDIA_TYPE: 'Escolha uma foto, por exemplo JPEG, PNG, TIFF, WebP, AVIF, HEIC ou RAW.',
  IMAGE_TOO_LARGE: 'Escolha uma ampliação menor ou um formato para imagens maiores: TIFF ou PNG.',
  MODEL_UNAVAILABLE: 'Escolha outro modelo.',
  MODEL_REFUSED: 'Obtenha o arquivo de novo ou adicione a rede como ONNX.',
  NO_SUBJECT:
    'Escolha uma foto em que o assunto se destaque claramente ou mostre com “Retocar” o que deve ficar.',
  OUT_OF_MEMORY: 'Feche outros programas e tente de novo.',
  INVALID_OUTPUT: 'Escolha outro modelo ou use a CPU.',
  STORAGE_FULL: 'Libere espaço e tente de novo.',
  CANNOT_WRITE: 'Confira se a pasta existe e se é possível gravar nela.',
  ENGINE_CRASHED: 'Tente de novo com outro modelo ou na CPU.',
  QUEUE_FULL: 'Espere algumas fotos serem concluídas.',
  RESULT_EXPIRED: 'Adicione a foto de novo.',
  FORBIDDEN_PATH: 'Confira se a pasta existe e autorize-a em “Conectar programas”.',
  CONFLICT: 'Veja o estado atual e tente de novo.',
  INVALID_REQUEST: 'Escolha outro ajuste.',
  SHUTTING_DOWN: 'Inicie o Enlarger de novo.',
  NO_FOLDER: 'Confira o caminho ou crie a pasta antes.',
  EMPTY_FILE: 'Pegue o arquivo de novo da câmera ou de um backup.',
  FILE_GONE: 'Conecte de novo o cartão ou a unidade, ou adicione a foto de novo.',
  OFFLINE: 'A página se reconecta assim que o serviço estiver rodando.',
};

export default {
  texts: pt,
  advice,
  models,
  obtainable,
  notes: notesPtBR,
} satisfies Translation<'one' | 'other'>;
