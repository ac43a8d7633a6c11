import { notesZhHans } from '../../../packages/contract/src/notes/zh-Hans.ts';
import type { Advice } from '../catalogue.ts';
import type { Translation } from '../language.ts';
import { zh } from './zh-Hans/zh-Hans.ts';
import { models, obtainable } from '../../../packages/contract/src/purposes/zh-Hans.ts';

/** What to do about a failure, in Simplified Chinese, by its code. */
const advice: Advice = {
  SOURCE_UNREACHABLE: '请检查地址和网络连接，然后重试。',
  SOURCE_REFUSED: '请下载照片，并将文件拖到这里。',
  SOURCE_TOO_LARGE: '请先缩小文件，或存为其他格式。',
  PAYLOAD_TOO_LARGE: '请先缩小文件，或存为其他格式。',
  UNREADABLE_IMAGE: '请从相机或备份中重新获取文件。',
  UNSUPPORTED_MEDIA_TYPE: '请选择照片，例如 JPEG、PNG、TIFF、WebP、AVIF、HEIC 或 RAW。',
  IMAGE_TOO_LARGE: '请选择较小的倍数，或适合更大图像的格式：TIFF 或 PNG。',
  MODEL_UNAVAILABLE: '请选择其他模型。',
  MODEL_REFUSED: '请重新获取文件，或以 ONNX 添加该网络。',
  NO_SUBJECT: '请选择主体清晰突出的照片，或用“修饰”标出要保留的部分。',
  OUT_OF_MEMORY: '请关闭其他程序后重试。',
  INVALID_OUTPUT: '请选择其他模型，或使用 CPU。',
  STORAGE_FULL: '请腾出空间后重试。',
  CANNOT_WRITE: '请检查文件夹是否存在、是否可写入。',
  ENGINE_CRASHED: '请换一个模型或改用 CPU 重试。',
  QUEUE_FULL: '请等待部分照片完成。',
  RESULT_EXPIRED: '请重新添加照片。',
  FORBIDDEN_PATH: '请检查文件夹是否存在，并在“连接程序”中授权。',
  CONFLICT: '请查看当前状态后重试。',
  INVALID_REQUEST: '请选择其他设置。',
  SHUTTING_DOWN: '请重新启动 Enlarger。',
  NO_FOLDER: '请检查路径，或先创建文件夹。',
  EMPTY_FILE: '请从相机或备份中重新获取文件。',
  FILE_GONE: '请重新插入存储卡或连接驱动器，或重新添加照片。',
  OFFLINE: '服务运行后，页面会自动重新连接。',
};

export default {
  texts: zh,
  advice,
  models,
  obtainable,
  notes: notesZhHans,
} satisfies Translation<'other'>;
