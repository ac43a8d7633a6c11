/** What models are for, in Japanese. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural:
    'どんな写真にも使えます。圧縮、ノイズ、ぼけの程度を測り、その分だけ取り除きます。きれいな写真はそのままです。',
  detail: 'Natural より輪郭、文字、毛並みがくっきりします。元の写真からは少し離れます。',
  faithful: 'きれいな写真を、何も作り出さずに拡大します。鋭い輪郭、なめらかな空、忠実な色。',
  restore:
    '拡大しながら軽いぼけ、ノイズ、JPEGの痕跡を取り除きます。きれいな写真や草、砂利、毛並みは細かな質感を失います。',
  cutout: '目立つものを見つけます：人、動物、服、物。背景と異なる1つまたは少数の被写体。',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['きれいな写真を2倍に', '作り足しは少なめ。darktableも使うモデルです。'],
  '4xnomos2-hq-mosr': ['きれいな写真を4倍に、速く', 'DAT-2の3分の1の大きさで、より高速です。'],
  '4xnomos2-hq-dat2': ['きれいな写真を4倍に、時間をかけて', 'この中で最も精細です。'],
  'realesr-general-x4v3': [
    '傷んだ写真を4倍に、速く',
    '細部を作り足し、粒状感をならすことがあります。補正の弱い版も付属し、混ぜると中間の強さになります。',
  ],
  'realesrgan-x4plus': ['傷んだ写真を4倍に', '最もよく知られたモデル。細部を作り足します。'],
  'realesrgan-x4plus-anime-6b': [
    'イラストとアニメを4倍に',
    '線がくっきりします。写真には向きません。',
  ],
  '4xnomoswebphoto-esrgan': ['Webの写真を4倍に', 'JPEGノイズと粒子ノイズを除きます。'],
  '4xnomoswebphoto-realplksr': [
    'Webの写真を4倍に',
    'ESRGAN版の半分の大きさ。JPEGノイズと粒子ノイズを除きます。',
  ],
  '4xrealwebphoto-v4-dat2': [
    'Webの写真を4倍に、時間をかけて',
    'JPEGノイズと粒子ノイズを除きます。',
  ],
  '4xnomos2-otf-esrgan': ['ひどく傷んだ写真を4倍に', '細部を作り足します。'],
  '1xdenoise-realplksr-otf': ['ノイズの多い写真', 'ノイズを除き、サイズは変えません。'],
  '1xdejpg-realplksr-otf': ['強く圧縮された写真', 'JPEGノイズを除き、サイズは変えません。'],
  'nafnet-sidd-w32': [
    '暗い所でカメラやスマートフォンで撮った写真',
    'ノイズを除き、サイズは変えません。',
  ],
  'nafnet-gopro-w64': ['ぶれた写真', 'カメラや被写体の動きによるぶれを除き、サイズは変えません。'],
  'birefnet-lite': ['最も精細な背景の削除：髪、毛並み、細いもの', '3 GBのメモリが必要です。'],
  'birefnet-lite-fp16': [
    'グラフィックカードでの最も精細な背景の削除',
    '同じネットワークを1024 × 1024ピクセル固定で使います。ファイルは小さく、メモリは多く使います。',
  ],
  'birefnet-hr-matting': [
    '大きな写真の人の髪（大容量のグラフィックカード用）',
    '写真を2048 × 2048ピクセルで見ます。',
  ],
  'ben2-base': ['他のモデルで背景の削除に失敗する写真', '別の候補として。'],
  modnet: ['人物の背景の削除', '髪の透け方がなめらか。小さなモデルです。'],
};
