/** What models are for, in Spanish. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural:
    'Para cualquier foto. Mide la compresión, el ruido y el desenfoque, quita exactamente eso y deja las fotos limpias como están.',
  detail: 'Bordes, letras y pelo más nítidos que con Natural; menos fiel al original.',
  faithful: 'Para fotos limpias. No inventa nada: bordes nítidos, cielos lisos, colores fieles.',
  restore:
    'Quita al ampliar el desenfoque ligero, el ruido y los restos de JPEG; las fotos limpias, la hierba, la grava y el pelo pierden textura fina.',
  cutout:
    'Encuentra lo que destaca: personas, animales, ropa, objetos. Un sujeto o unos pocos, delante de otra cosa.',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['Fotos limpias, 2x', 'Inventa poco; es el que usa darktable.'],
  '4xnomos2-hq-mosr': ['Fotos limpias, 4x, rápido', 'Un tercio del tamaño de DAT-2, y más rápido.'],
  '4xnomos2-hq-dat2': ['Fotos limpias, 4x, si puede tardar', 'El más fino de estos.'],
  'realesr-general-x4v3': [
    'Fotos dañadas, 4x, rápido',
    'Puede inventar detalle y suavizar el grano. Incluye una segunda versión que limpia menos; mezcle ambas para una intensidad intermedia.',
  ],
  'realesrgan-x4plus': ['Fotos dañadas, 4x', 'El más conocido. Inventa detalle.'],
  'realesrgan-x4plus-anime-6b': ['Dibujos y anime, 4x', 'Líneas nítidas; no es para fotos.'],
  '4xnomoswebphoto-esrgan': ['Fotos de la web, 4x', 'Quita artefactos JPEG y ruido.'],
  '4xnomoswebphoto-realplksr': [
    'Fotos de la web, 4x',
    'La mitad del tamaño del ESRGAN. Quita artefactos JPEG y ruido.',
  ],
  '4xrealwebphoto-v4-dat2': [
    'Fotos de la web, 4x, si puede tardar',
    'Quita artefactos JPEG y ruido.',
  ],
  '4xnomos2-otf-esrgan': ['Fotos muy dañadas, 4x', 'Inventa detalle.'],
  '1xdenoise-realplksr-otf': ['Fotos con ruido', 'Quita el ruido y conserva el tamaño.'],
  '1xdejpg-realplksr-otf': ['Fotos muy comprimidas', 'Quita artefactos JPEG y conserva el tamaño.'],
  'nafnet-sidd-w32': [
    'Fotos de cámaras y móviles con poca luz',
    'Quita el ruido y conserva el tamaño.',
  ],
  'nafnet-gopro-w64': [
    'Fotos movidas',
    'Quita el desenfoque de una cámara o un sujeto en movimiento y conserva el tamaño.',
  ],
  'birefnet-lite': [
    'El borde más fino al quitar el fondo: pelo, pelaje, objetos delgados',
    'Necesita 3 GB de memoria.',
  ],
  'birefnet-lite-fp16': [
    'El borde más fino al quitar el fondo, en una tarjeta gráfica',
    'La misma red con 1024 × 1024 píxeles fijos: un archivo más pequeño, pero más memoria.',
  ],
  'birefnet-hr-matting': [
    'Pelo de personas en fotos grandes, con una tarjeta gráfica grande',
    'Ve la foto a 2048 × 2048 píxeles.',
  ],
  'ben2-base': ['Fotos en las que fallan los demás al quitar el fondo', 'Una segunda opinión.'],
  modnet: ['Personas sin fondo', 'Transparencia suave en el pelo. Pequeño.'],
};
