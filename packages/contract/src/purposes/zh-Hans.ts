/** What models are for, in Chinese. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural: '适合任何照片：测出压缩、噪点和模糊的程度，只去除这些，干净的照片保持原样。',
  detail: '边缘、文字和毛发比 Natural 更清晰；与原图的差异更大。',
  faithful: '放大干净的照片而不凭空添加：边缘锐利、天空平滑、色彩真实。',
  restore: '放大时去除轻微模糊、噪点和 JPEG 痕迹；干净的照片以及草地、碎石和毛发会失去细微纹理。',
  cutout: '找出突出的内容：人物、动物、服装、物品。与背景不同的一个或少数主体。',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['干净的照片，2 倍', '很少编造细节；darktable 也用它。'],
  '4xnomos2-hq-mosr': ['干净的照片，4 倍，快速', '大小是 DAT-2 的三分之一，而且更快。'],
  '4xnomos2-hq-dat2': ['干净的照片，4 倍，可以慢慢来', '其中最精细的一个。'],
  'realesr-general-x4v3': [
    '受损的照片，4 倍，快速',
    '可能编造细节并抹平颗粒。附带一个清理较弱的版本；把两者混合可得到中间强度。',
  ],
  'realesrgan-x4plus': ['受损的照片，4 倍', '最知名的一个。会编造细节。'],
  'realesrgan-x4plus-anime-6b': ['插画和动漫，4 倍', '线条锐利；不适合照片。'],
  '4xnomoswebphoto-esrgan': ['网上的照片，4 倍', '去除 JPEG 伪影和噪点。'],
  '4xnomoswebphoto-realplksr': [
    '网上的照片，4 倍',
    '大小是 ESRGAN 版的一半。去除 JPEG 伪影和噪点。',
  ],
  '4xrealwebphoto-v4-dat2': ['网上的照片，4 倍，可以慢慢来', '去除 JPEG 伪影和噪点。'],
  '4xnomos2-otf-esrgan': ['严重受损的照片，4 倍', '会编造细节。'],
  '1xdenoise-realplksr-otf': ['有噪点的照片', '去除噪点，尺寸不变。'],
  '1xdejpg-realplksr-otf': ['压缩严重的照片', '去除 JPEG 伪影，尺寸不变。'],
  'nafnet-sidd-w32': ['相机和手机在弱光下拍的照片', '去除噪点，尺寸不变。'],
  'nafnet-gopro-w64': ['拍糊的照片', '去除相机或主体移动造成的模糊，尺寸不变。'],
  'birefnet-lite': ['最精细的抠图：头发、毛发、细小物体', '需要 3 GB 内存。'],
  'birefnet-lite-fp16': [
    '用显卡做最精细的抠图',
    '同一个网络，固定 1024 × 1024 像素：文件更小，但占用更多内存。',
  ],
  'birefnet-hr-matting': ['大照片中的人物头发，需要大显存显卡', '以 2048 × 2048 像素查看照片。'],
  'ben2-base': ['其他模型抠不好的图', '作为另一种选择。'],
  modnet: ['抠出人物', '头发透明过渡柔和。体积小。'],
};
