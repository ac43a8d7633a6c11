/** What models are for, in Dutch. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural:
    'Voor elke foto. Meet compressie, ruis en onscherpte, haalt precies dat weg en laat schone foto’s zoals ze zijn.',
  detail: 'Scherpere randen, letters en vacht dan Natural; minder dicht bij het origineel.',
  faithful:
    'Vergroot schone foto’s en verzint niets: scherpe randen, rustige luchten, trouwe kleuren.',
  restore:
    'Haalt bij het vergroten lichte onscherpte, ruis en JPEG-sporen weg; schone foto’s, gras, grind en vacht verliezen fijne structuur.',
  cutout:
    'Vindt wat opvalt: mensen, dieren, kleding, dingen. Eén onderwerp of enkele, voor iets anders.',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['Schone foto’s, 2x', 'Verzint weinig; darktable gebruikt het ook.'],
  '4xnomos2-hq-mosr': [
    'Schone foto’s, 4x, snel',
    'Een derde van de grootte van DAT-2, en sneller.',
  ],
  '4xnomos2-hq-dat2': ['Schone foto’s, 4x, als het lang mag duren', 'Het fijnste van deze.'],
  'realesr-general-x4v3': [
    'Beschadigde foto’s, 4x, snel',
    'Kan details verzinnen en korrel gladmaken. Een tweede versie die minder opschoont hoort erbij; meng de twee voor een sterkte ertussenin.',
  ],
  'realesrgan-x4plus': ['Beschadigde foto’s, 4x', 'Het bekendste. Verzint details.'],
  'realesrgan-x4plus-anime-6b': ['Tekeningen en anime, 4x', 'Scherpe lijnen; niet voor foto’s.'],
  '4xnomoswebphoto-esrgan': ['Foto’s van het web, 4x', 'Verwijdert JPEG-sporen en ruis.'],
  '4xnomoswebphoto-realplksr': [
    'Foto’s van het web, 4x',
    'Half zo groot als het ESRGAN-model. Verwijdert JPEG-sporen en ruis.',
  ],
  '4xrealwebphoto-v4-dat2': [
    'Foto’s van het web, 4x, als het lang mag duren',
    'Verwijdert JPEG-sporen en ruis.',
  ],
  '4xnomos2-otf-esrgan': ['Sterk beschadigde foto’s, 4x', 'Verzint details.'],
  '1xdenoise-realplksr-otf': ['Foto’s met ruis', 'Verwijdert ruis en behoudt de grootte.'],
  '1xdejpg-realplksr-otf': [
    'Sterk gecomprimeerde foto’s',
    'Verwijdert JPEG-sporen en behoudt de grootte.',
  ],
  'nafnet-sidd-w32': [
    'Foto’s van camera’s en telefoons bij weinig licht',
    'Verwijdert ruis en behoudt de grootte.',
  ],
  'nafnet-gopro-w64': [
    'Bewogen foto’s',
    'Verwijdert de onscherpte van een bewegende camera of een bewegend onderwerp en behoudt de grootte.',
  ],
  'birefnet-lite': [
    'Het fijnste vrijstellen: haar, vacht, dunne dingen',
    'Heeft 3 GB geheugen nodig.',
  ],
  'birefnet-lite-fp16': [
    'Het fijnste vrijstellen op een grafische kaart',
    'Hetzelfde netwerk op vaste 1024 × 1024 pixels: een kleiner bestand, maar meer geheugen.',
  ],
  'birefnet-hr-matting': [
    'Haar van mensen in grote foto’s, op een grote grafische kaart',
    'Ziet de foto op 2048 × 2048 pixels.',
  ],
  'ben2-base': ['Foto’s die de andere verkeerd vrijstellen', 'Een tweede mening.'],
  modnet: ['Mensen vrijstellen', 'Zachte transparantie in het haar. Klein.'],
};
