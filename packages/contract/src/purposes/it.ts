/** What models are for, in Italian. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural:
    'Per ogni foto. Misura compressione, rumore e sfocatura, ne toglie esattamente altrettanto e lascia le foto pulite come sono.',
  detail: 'Bordi, scritte e pelo più nitidi che con Natural; meno vicino all’originale.',
  faithful: 'Per le foto pulite. Non inventa nulla: bordi nitidi, cieli uniformi, colori fedeli.',
  restore:
    'Toglie ingrandendo sfocature leggere, rumore e tracce di JPEG; le foto pulite, l’erba, la ghiaia e il pelo perdono i dettagli fini.',
  cutout:
    'Trova ciò che risalta: persone, animali, abiti, oggetti. Un soggetto o pochi, davanti a qualcos’altro.',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['Foto pulite, 2x', 'Inventa poco; è quello che usa darktable.'],
  '4xnomos2-hq-mosr': [
    'Foto pulite, 4x, veloce',
    'Un terzo della dimensione di DAT-2, e più veloce.',
  ],
  '4xnomos2-hq-dat2': ['Foto pulite, 4x, se può metterci a lungo', 'Il più fine di questi.'],
  'realesr-general-x4v3': [
    'Foto rovinate, 4x, veloce',
    'Può inventare dettagli e levigare la grana. Comprende una seconda versione che pulisce meno; unisci le due per un’intensità intermedia.',
  ],
  'realesrgan-x4plus': ['Foto rovinate, 4x', 'Il più noto. Inventa dettagli.'],
  'realesrgan-x4plus-anime-6b': ['Disegni e anime, 4x', 'Linee nitide; non per le foto.'],
  '4xnomoswebphoto-esrgan': ['Foto dal web, 4x', 'Toglie artefatti JPEG e rumore.'],
  '4xnomoswebphoto-realplksr': [
    'Foto dal web, 4x',
    'La metà della dimensione dell’ESRGAN. Toglie artefatti JPEG e rumore.',
  ],
  '4xrealwebphoto-v4-dat2': [
    'Foto dal web, 4x, se può metterci a lungo',
    'Toglie artefatti JPEG e rumore.',
  ],
  '4xnomos2-otf-esrgan': ['Foto molto rovinate, 4x', 'Inventa dettagli.'],
  '1xdenoise-realplksr-otf': ['Foto rumorose', 'Toglie il rumore e mantiene le dimensioni.'],
  '1xdejpg-realplksr-otf': [
    'Foto molto compresse',
    'Toglie gli artefatti JPEG e mantiene le dimensioni.',
  ],
  'nafnet-sidd-w32': [
    'Foto di fotocamere e telefoni con poca luce',
    'Toglie il rumore e mantiene le dimensioni.',
  ],
  'nafnet-gopro-w64': [
    'Foto mosse',
    'Toglie la sfocatura di una fotocamera o di un soggetto in movimento e mantiene le dimensioni.',
  ],
  'birefnet-lite': [
    'Gli scontorni più fini: capelli, pelo, cose sottili',
    'Richiede 3 GB di memoria.',
  ],
  'birefnet-lite-fp16': [
    'Gli scontorni più fini su una scheda grafica',
    'La stessa rete a 1024 × 1024 pixel fissi: un file più piccolo, ma più memoria.',
  ],
  'birefnet-hr-matting': [
    'Capelli in foto grandi, con una scheda grafica grande',
    'Vede la foto a 2048 × 2048 pixel.',
  ],
  'ben2-base': ['Scontorni che gli altri sbagliano', 'Un secondo parere.'],
  modnet: ['Scontornare persone', 'Trasparenza morbida nei capelli. Piccolo.'],
};
