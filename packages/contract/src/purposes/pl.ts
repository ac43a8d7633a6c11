/** What models are for, in Polish. */
import type { ModelPurposes, ObtainablePurposes } from './purposes.ts';

export const models: ModelPurposes = {
  natural:
    'Do każdego zdjęcia. Mierzy kompresję, szum i rozmycie, usuwa dokładnie tyle i zostawia czyste zdjęcia bez zmian.',
  detail: 'Ostrzejsze krawędzie, litery i sierść niż w Natural; dalej od oryginału.',
  faithful:
    'Powiększa czyste zdjęcia i niczego nie wymyśla: ostre krawędzie, gładkie niebo, wierne kolory.',
  restore:
    'Usuwa przy powiększaniu lekkie nieostrości, szum i ślady JPEG; czyste zdjęcia, trawa, żwir i sierść tracą drobną fakturę.',
  cutout:
    'Znajduje to, co się wyróżnia: ludzi, zwierzęta, ubrania, rzeczy. Jeden obiekt lub kilka, przed czymś innym.',
};

export const obtainable: ObtainablePurposes = {
  'realplksr-mssim-x2': ['Czyste zdjęcia, 2x', 'Mało zmyśla; używa go też darktable.'],
  '4xnomos2-hq-mosr': ['Czyste zdjęcia, 4x, szybko', 'Trzecia część rozmiaru DAT-2, a szybszy.'],
  '4xnomos2-hq-dat2': ['Czyste zdjęcia, 4x, gdy może to potrwać', 'Najdokładniejszy z nich.'],
  'realesr-general-x4v3': [
    'Uszkodzone zdjęcia, 4x, szybko',
    'Może zmyślać szczegóły i wygładzać ziarno. Dołączona jest druga wersja, która czyści słabiej; zmieszane dają siłę pośrednią.',
  ],
  'realesrgan-x4plus': ['Uszkodzone zdjęcia, 4x', 'Najbardziej znany. Zmyśla szczegóły.'],
  'realesrgan-x4plus-anime-6b': ['Rysunki i anime, 4x', 'Ostre linie; nie do zdjęć.'],
  '4xnomoswebphoto-esrgan': ['Zdjęcia z internetu, 4x', 'Usuwa artefakty JPEG i szum.'],
  '4xnomoswebphoto-realplksr': [
    'Zdjęcia z internetu, 4x',
    'Dwa razy mniejszy od ESRGAN. Usuwa artefakty JPEG i szum.',
  ],
  '4xrealwebphoto-v4-dat2': [
    'Zdjęcia z internetu, 4x, gdy może to potrwać',
    'Usuwa artefakty JPEG i szum.',
  ],
  '4xnomos2-otf-esrgan': ['Mocno uszkodzone zdjęcia, 4x', 'Zmyśla szczegóły.'],
  '1xdenoise-realplksr-otf': ['Zaszumione zdjęcia', 'Usuwa szum i zachowuje rozmiar.'],
  '1xdejpg-realplksr-otf': [
    'Mocno skompresowane zdjęcia',
    'Usuwa artefakty JPEG i zachowuje rozmiar.',
  ],
  'nafnet-sidd-w32': [
    'Zdjęcia z aparatów i telefonów przy słabym świetle',
    'Usuwa szum i zachowuje rozmiar.',
  ],
  'nafnet-gopro-w64': [
    'Poruszone zdjęcia',
    'Usuwa rozmycie od ruchu aparatu lub obiektu i zachowuje rozmiar.',
  ],
  'birefnet-lite': [
    'Najdokładniejsze usuwanie tła: włosy, sierść, cienkie rzeczy',
    'Wymaga 3 GB pamięci.',
  ],
  'birefnet-lite-fp16': [
    'Najdokładniejsze usuwanie tła na karcie graficznej',
    'Ta sama sieć przy stałych 1024 × 1024 pikselach: mniejszy plik, ale więcej pamięci.',
  ],
  'birefnet-hr-matting': [
    'Włosy ludzi na dużych zdjęciach, z dużą kartą graficzną',
    'Widzi zdjęcie w 2048 × 2048 pikselach.',
  ],
  'ben2-base': ['Zdjęcia, na których inne źle usuwają tło', 'Druga opinia.'],
  modnet: ['Usuwanie tła za ludźmi', 'Miękka przezroczystość we włosach. Mały.'],
};
