/** What models are for, in French. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural:
    'Pour toute photo. Mesure la compression, le bruit et le flou, en retire exactement autant et laisse les photos propres telles quelles.',
  detail: 'Contours, lettres et pelages plus nets qu’avec Natural ; moins proche de l’original.',
  faithful:
    'Pour les photos propres. N’invente rien : contours nets, ciels unis, couleurs fidèles.',
  restore:
    'Enlève en agrandissant le flou léger, le bruit et les traces de JPEG ; les photos propres, l’herbe, le gravier et le pelage perdent leur texture fine.',
  cutout:
    'Trouve ce qui se détache : personnes, animaux, vêtements, objets. Un sujet ou quelques-uns, devant autre chose.',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['Photos propres, 2x', 'Invente peu ; c’est celui de darktable.'],
  '4xnomos2-hq-mosr': [
    'Photos propres, 4x, vite',
    'Un tiers de la taille de DAT-2, et plus rapide.',
  ],
  '4xnomos2-hq-dat2': ['Photos propres, 4x, si cela peut durer', 'Le plus fin de ceux-ci.'],
  'realesr-general-x4v3': [
    'Photos abîmées, 4x, vite',
    'Peut inventer des détails et lisser le grain. Une seconde version, qui nettoie moins, l’accompagne ; mélangez les deux pour une force intermédiaire.',
  ],
  'realesrgan-x4plus': ['Photos abîmées, 4x', 'Le plus connu. Invente des détails.'],
  'realesrgan-x4plus-anime-6b': ['Dessins et anime, 4x', 'Lignes nettes ; pas pour les photos.'],
  '4xnomoswebphoto-esrgan': ['Photos du web, 4x', 'Retire les artefacts JPEG et le bruit.'],
  '4xnomoswebphoto-realplksr': [
    'Photos du web, 4x',
    'Moitié moins gros que l’ESRGAN. Retire les artefacts JPEG et le bruit.',
  ],
  '4xrealwebphoto-v4-dat2': [
    'Photos du web, 4x, si cela peut durer',
    'Retire les artefacts JPEG et le bruit.',
  ],
  '4xnomos2-otf-esrgan': ['Photos très abîmées, 4x', 'Invente des détails.'],
  '1xdenoise-realplksr-otf': ['Photos bruitées', 'Retire le bruit et garde la taille.'],
  '1xdejpg-realplksr-otf': [
    'Photos très compressées',
    'Retire les artefacts JPEG et garde la taille.',
  ],
  'nafnet-sidd-w32': [
    'Photos d’appareils et de téléphones en faible lumière',
    'Retire le bruit et garde la taille.',
  ],
  'nafnet-gopro-w64': [
    'Photos bougées',
    'Retire le flou d’un appareil ou d’un sujet qui bouge et garde la taille.',
  ],
  'birefnet-lite': [
    'Les détourages les plus fins : cheveux, pelage, objets fins',
    'Demande 3 Go de mémoire.',
  ],
  'birefnet-lite-fp16': [
    'Les détourages les plus fins sur une carte graphique',
    'Le même réseau à 1024 × 1024 pixels fixes : un fichier plus petit, mais plus de mémoire.',
  ],
  'birefnet-hr-matting': [
    'Cheveux dans de grandes photos, avec une grosse carte graphique',
    'Voit la photo en 2048 × 2048 pixels.',
  ],
  'ben2-base': ['Détourages que les autres ratent', 'Un second avis.'],
  modnet: ['Détourer des personnes', 'Transparence douce dans les cheveux. Petit.'],
};
