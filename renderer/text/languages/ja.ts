import { notesJa } from '../../../packages/contract/src/notes/ja.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';
import { ja } from './ja/ja.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/ja.ts';

/** What to do about a failure, in Japanese, by its code. */
const advice: Advice = {
  SOURCE_UNREACHABLE: 'アドレスと接続を確認して、再試行してください。',
  SOURCE_REFUSED: '写真をダウンロードして、ファイルをここにドラッグしてください。',
  SOURCE_TOO_LARGE: '先にファイルを小さくするか、別の形式で保存してください。',
  PAYLOAD_TOO_LARGE: '先にファイルを小さくするか、別の形式で保存してください。',
  UNREADABLE_IMAGE: 'カメラかバックアップからファイルを取り直してください。',
  UNSUPPORTED_MEDIA_TYPE: 'JPEG、PNG、TIFF、WebP、AVIF、HEIC、RAWなどの写真を選んでください。',
  IMAGE_TOO_LARGE: '倍率を下げるか、大きな画像に対応した形式（TIFF、PNG）を選んでください。',
  MODEL_UNAVAILABLE: '別のモデルを選んでください。',
  MODEL_REFUSED: 'ファイルを取り直すか、ネットワークをONNXで追加してください。',
  NO_SUBJECT: '被写体がはっきり際立つ写真を選ぶか、「修正」で残す部分を示してください。',
  OUT_OF_MEMORY: '他のプログラムを閉じて、再試行してください。',
  INVALID_OUTPUT: '別のモデルを選ぶか、CPUで処理してください。',
  STORAGE_FULL: '空き容量を作って、再試行してください。',
  CANNOT_WRITE: 'フォルダーがあり、書き込めることを確認してください。',
  ENGINE_CRASHED: '別のモデルかCPUで再試行してください。',
  QUEUE_FULL: '何枚か完了するまでお待ちください。',
  RESULT_EXPIRED: '写真を追加し直してください。',
  FORBIDDEN_PATH: 'フォルダーがあることを確認し、「プログラムを接続」で許可してください。',
  CONFLICT: '現在の状態を確認して、再試行してください。',
  INVALID_REQUEST: '別の設定を選んでください。',
  SHUTTING_DOWN: 'Enlargerを再び起動してください。',
  NO_FOLDER: 'パスを確認するか、先にフォルダーを作ってください。',
  EMPTY_FILE: 'カメラかバックアップからファイルを取り直してください。',
  FILE_GONE: 'カードかドライブを接続し直すか、写真を追加し直してください。',
  OFFLINE: 'サービスが動き始めると、ページは自動で再接続します。',
};

export default {
  texts: ja,
  advice,
  models,
  obtainable,
  notes: notesJa,
} satisfies Translation<'other'>;
