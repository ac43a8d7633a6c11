/** What models are for, in Portuguese. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural:
    'Para qualquer foto. Mede a compressão, o ruído e o desfoque, tira exatamente isso e deixa as fotos limpas como são.',
  detail: 'Bordas, letras e pelos mais nítidos que com Natural; menos próximo do original.',
  faithful: 'Amplia fotos limpas sem inventar nada: bordas nítidas, céus lisos, cores fiéis.',
  restore:
    'Tira ao ampliar o desfoque leve, o ruído e as marcas de JPEG; fotos limpas, grama, cascalho e pelo perdem a textura fina.',
  cutout:
    'Encontra o que se destaca: pessoas, animais, roupas, objetos. Um assunto ou poucos, diante de outra coisa.',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['Fotos limpas, 2x', 'Inventa pouco; é o que o darktable usa.'],
  '4xnomos2-hq-mosr': ['Fotos limpas, 4x, rápido', 'Um terço do tamanho do DAT-2, e mais rápido.'],
  '4xnomos2-hq-dat2': ['Fotos limpas, 4x, se puder demorar', 'O mais fino destes.'],
  'realesr-general-x4v3': [
    'Fotos danificadas, 4x, rápido',
    'Pode inventar detalhes e suavizar o grão. Vem com uma segunda versão que limpa menos; misture as duas para uma força intermediária.',
  ],
  'realesrgan-x4plus': ['Fotos danificadas, 4x', 'O mais conhecido. Inventa detalhes.'],
  'realesrgan-x4plus-anime-6b': ['Desenhos e anime, 4x', 'Linhas nítidas; não é para fotos.'],
  '4xnomoswebphoto-esrgan': ['Fotos da web, 4x', 'Remove artefatos JPEG e ruído.'],
  '4xnomoswebphoto-realplksr': [
    'Fotos da web, 4x',
    'Metade do tamanho do ESRGAN. Remove artefatos JPEG e ruído.',
  ],
  '4xrealwebphoto-v4-dat2': [
    'Fotos da web, 4x, se puder demorar',
    'Remove artefatos JPEG e ruído.',
  ],
  '4xnomos2-otf-esrgan': ['Fotos muito danificadas, 4x', 'Inventa detalhes.'],
  '1xdenoise-realplksr-otf': ['Fotos com ruído', 'Remove o ruído e mantém o tamanho.'],
  '1xdejpg-realplksr-otf': ['Fotos muito comprimidas', 'Remove artefatos JPEG e mantém o tamanho.'],
  'nafnet-sidd-w32': [
    'Fotos de câmeras e celulares com pouca luz',
    'Remove o ruído e mantém o tamanho.',
  ],
  'nafnet-gopro-w64': [
    'Fotos tremidas',
    'Remove o desfoque de uma câmera ou de um assunto em movimento e mantém o tamanho.',
  ],
  'birefnet-lite': [
    'A borda mais fina ao remover o fundo: cabelo, pelo, coisas finas',
    'Precisa de 3 GB de memória.',
  ],
  'birefnet-lite-fp16': [
    'A borda mais fina ao remover o fundo, em uma placa de vídeo',
    'A mesma rede em 1024 × 1024 pixels fixos: um arquivo menor, mas mais memória.',
  ],
  'birefnet-hr-matting': [
    'Cabelo de pessoas em fotos grandes, com uma placa de vídeo grande',
    'Vê a foto em 2048 × 2048 pixels.',
  ],
  'ben2-base': ['Fotos em que os outros erram ao remover o fundo', 'Uma segunda opinião.'],
  modnet: ['Pessoas sem fundo', 'Transparência suave no cabelo. Pequeno.'],
};
