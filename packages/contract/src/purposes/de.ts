/** What models are for, in German. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural:
    'Für jedes Foto. Misst Kompression, Rauschen und Unschärfe, nimmt genau so viel davon heraus und lässt saubere Fotos, wie sie sind.',
  detail: 'Schärfere Kanten, Schrift und Fell als Natural; weniger nah am Original.',
  faithful: 'Für saubere Fotos. Erfindet nichts: scharfe Kanten, ruhige Himmel, echte Farben.',
  restore:
    'Nimmt beim Vergrößern leichte Unschärfe, Rauschen und JPEG-Spuren heraus; saubere Fotos, Gras, Kies und Fell verlieren feine Struktur.',
  cutout:
    'Findet, was hervorsticht: Menschen, Tiere, Kleidung, Dinge. Ein Motiv oder wenige, vor etwas anderem.',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['Saubere Fotos, 2-fach', 'Erfindet wenig; auch darktable benutzt es.'],
  '4xnomos2-hq-mosr': [
    'Saubere Fotos, 4-fach, schnell',
    'Ein Drittel so groß wie DAT-2, und schneller.',
  ],
  '4xnomos2-hq-dat2': ['Saubere Fotos, 4-fach, wenn es dauern darf', 'Das feinste von diesen.'],
  'realesr-general-x4v3': [
    'Beschädigte Fotos, 4-fach, schnell',
    'Erfindet manchmal Details und glättet Korn. Eine zweite Fassung, die weniger bereinigt, ist dabei; gemischt ergeben beide eine Stärke dazwischen.',
  ],
  'realesrgan-x4plus': ['Beschädigte Fotos, 4-fach', 'Das bekannteste. Erfindet Details.'],
  'realesrgan-x4plus-anime-6b': [
    'Zeichnungen und Anime, 4-fach',
    'Scharfe Linien; nicht für Fotos.',
  ],
  '4xnomoswebphoto-esrgan': ['Fotos aus dem Web, 4-fach', 'Entfernt JPEG-Spuren und Rauschen.'],
  '4xnomoswebphoto-realplksr': [
    'Fotos aus dem Web, 4-fach',
    'Halb so groß wie das ESRGAN-Modell. Entfernt JPEG-Spuren und Rauschen.',
  ],
  '4xrealwebphoto-v4-dat2': [
    'Fotos aus dem Web, 4-fach, wenn es dauern darf',
    'Entfernt JPEG-Spuren und Rauschen.',
  ],
  '4xnomos2-otf-esrgan': ['Stark beschädigte Fotos, 4-fach', 'Erfindet Details.'],
  '1xdenoise-realplksr-otf': ['Verrauschte Fotos', 'Entfernt Rauschen und behält die Größe.'],
  '1xdejpg-realplksr-otf': [
    'Stark komprimierte Fotos',
    'Entfernt JPEG-Spuren und behält die Größe.',
  ],
  'nafnet-sidd-w32': [
    'Fotos von Kameras und Telefonen bei wenig Licht',
    'Entfernt Rauschen und behält die Größe.',
  ],
  'nafnet-gopro-w64': [
    'Verwackelte Fotos',
    'Entfernt die Unschärfe einer bewegten Kamera oder eines bewegten Motivs und behält die Größe.',
  ],
  'birefnet-lite': [
    'Die feinsten Freisteller: Haare, Fell, Dünnes',
    'Braucht 3 GB Arbeitsspeicher.',
  ],
  'birefnet-lite-fp16': [
    'Die feinsten Freisteller auf einer Grafikkarte',
    'Dasselbe Netz mit festen 1024 × 1024 Pixeln: eine kleinere Datei, aber mehr Speicher.',
  ],
  'birefnet-hr-matting': [
    'Haare von Menschen in großen Fotos, auf einer großen Grafikkarte',
    'Sieht das Foto mit 2048 × 2048 Pixeln.',
  ],
  'ben2-base': ['Freisteller, die den anderen misslingen', 'Eine zweite Meinung.'],
  modnet: ['Menschen freistellen', 'Weiche Transparenz in den Haaren. Klein.'],
};
