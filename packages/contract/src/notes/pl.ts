import type { NoteWords } from './en.ts';

export const notesPl: NoteWords = {
  notes: {
    DEPTH_COMPUTED:
      'Zdjęcie ma 8 bitów na kolor; drobniejsze stopnie w 16 bitach wyniku są obliczone, a nie sfotografowane.',
    DEPTH_REDUCED: '{format} mieści tyle bitów na kolor: {max}; było: {bits}.',
    DEPTH_NOT_HELD: '{format} mieści tyle bitów na kolor: {max}; żądano: {bits}.',
    JXL_COLOURS:
      'Stratny JPEG XL zachowuje wygląd kolorów: programy mogą je odczytać w innym profilu. Jakość 100 zachowuje każdą wartość i profil.',
    GIF_COLOURS:
      'GIF mieści 256 kolorów w klatce oraz piksele całkiem przezroczyste albo wcale. WebP i PNG mieszczą wszystko.',
    TIFF_INSTEAD: '{objection}, dlatego zapisano go jako TIFF.',
    TRANSPARENCY_FILLED: 'JPEG nie mieści przezroczystości; za obrazem jest biel.',
    LOSSY_SOURCE:
      'Powstał z wyniku {format}, który stracił już trochę szczegółów. Aby mieć wszystkie, uruchom zadanie ponownie w tym formacie.',
    NOT_SAVED_OVER: 'Nie zapisano go w {folder}: jest tam plik o tej nazwie, a onConflict to skip.',

    FRAMES_ENLARGED:
      'Powiększono wszystkie klatki ({frames}), a każdą widać tak długo jak wcześniej.',
    FRAMES_NOT_HELD: '{format} nie mieści animacji; WebP, PNG i GIF tak.',
    FRAMES_TOO_LARGE:
      'Klatki wyniku ({frames}) miałyby razem za dużo pikseli; wybierz mniejszą skalę.',
    FRAMES_LIMIT:
      'Animacje są powiększane w całości do {frames} klatek po {megapixels} megapikseli, a razem do tylu pikseli, ile może mieć zdjęcie.',
    FRAMES_STILL: 'To animacja: wynik się nie porusza.',
    FRAMES_CUT_OUT: 'Wycięty obiekt jest nieruchomy: tło usunięto z pierwszej z klatek ({frames}).',
    GIF_WITHOUT_END: 'GIF nie ma znacznika końca: odczytano wszystkie obecne klatki ({frames}).',
    PAGE_TAKEN: 'Wzięto stronę {page} z {pages}; wcześniejsze to jej podglądy.',
    PICTURE_TAKEN: 'Wzięto obraz {page} z {pages}, który plik wymienia jako pierwszy.',
    FIRST_TAKEN: 'Wzięto pierwszy z obrazów w pliku ({pages}).',
    FILE_REPAIRED:
      'Plik łamie zasady swojego formatu ({faults}), ale jego obraz jest cały: odczytano wszystko.',

    HDR_KEPT: 'To zdjęcie HDR (PQ lub HLG): AVIF zachowuje jego jasność bez zmian, przez nclx.',
    HDR_MAPPED:
      'Jasność HDR ({curve}, {where}) odwzorowano na jasność zwykłego ekranu według ITU-R BT.2390.',
    COLOURS_KEPT: 'PNG określa swoje kolory przez cICP lub gAMA, a wynik tak samo.',
    COLOURS_DECLARED: 'Kolory to {colours} ({where}); wynik podaje to w profilu.',
    LINEAR_ENCODED: 'Światło liniowe ({where}) zakodowano krzywą sRGB.',
    GAMMA_DECLARED: 'Wartości są zakodowane krzywą {curve} (gAMA); wynik podaje to w profilu.',
    FLOATS_ENCODED:
      'Wartości zmiennoprzecinkowe potraktowano jako światło liniowe i zakodowano krzywą sRGB.',
    FLOATS_ENCODED_TO:
      'Wartości zmiennoprzecinkowe potraktowano jako światło liniowe do {white}, które stało się bielą, i zakodowano krzywą sRGB.',
    RAW_DEVELOPED:
      'Wywołano je z balansem bieli aparatu w przestrzeni ProPhoto: w sRGB straciłoby najmocniejsze kolory.',
    COLOURS_CONVERTED: 'Kolory przekształcono z {space} na sRGB.',
    ALPHA_DIVIDED: 'Kolory były pomnożone przez przezroczystość; kolory wyniku nie są.',
    CHANNEL_DROPPED: 'Pominięto dodatkowy kanał TIFF (na przykład zapisane zaznaczenia).',
    CHANNELS_DROPPED:
      'Pominięto dodatkowe kanały TIFF (na przykład zapisane zaznaczenia): {count}.',
    GAIN_MAP_ENLARGED: 'To zdjęcie HDR: jego mapę wzmocnienia powiększono razem z nim (Ultra HDR).',
    GAIN_MAP_NOT_HELD:
      'To zdjęcie HDR z mapą wzmocnienia (na przykład Ultra HDR): wynikiem jest obraz podstawowy bez mapy, którą zachowuje tylko JPEG.',
    GAIN_MAP_UNREADABLE:
      'To zdjęcie HDR z mapą wzmocnienia (na przykład Ultra HDR): wynikiem jest obraz podstawowy bez mapy, której nie dało się odczytać.',
    GAIN_MAP_DROPPED:
      'To zdjęcie HDR z mapą wzmocnienia (na przykład Ultra HDR): wynikiem jest obraz podstawowy bez mapy.',

    MAKER_NOTES_TOO_FAR:
      'Pominięto notatki producenta w EXIF: TIFF większy niż 4 GB nie pomieści ich na ich miejscu.',
    MAKER_NOTES_DROPPED:
      'Pominięto notatki producenta w EXIF: {format} nie pomieści ich na ich miejscu.',
    EXIF_TOO_LONG_MORE: 'Z EXIF pominięto {names} i dalsze wpisy ({count}): mieści 65 kB.',
    EXIF_TOO_LONG: 'Z EXIF pominięto {names}: mieści 65 kB.',
    EXIF_NOT_HELD: 'Pominięto EXIF: {format} mieści tylko XMP.',
    IPTC_NOT_HELD: 'Pominięto IPTC: {format} mieści EXIF i XMP.',
    IPTC_NOT_HELD_XMP: 'Pominięto IPTC: {format} mieści tylko XMP.',
    XMP_UNREADABLE: 'XMP nie dało się odczytać, więc go pominięto.',
    PNG_TEXT_NOT_HELD: 'Pominięto tekst PNG: {format} nie ma na niego miejsca.',
    COMMENT_NOT_HELD: 'Pominięto komentarz JPEG: {format} nie ma na niego miejsca.',
    GREY_NOT_HELD: '{format} nie mieści szarości, więc zastosowano profil.',
    DEPTH_TOO_SMALL: '{format} mieści 8 bitów, za mało na te kolory: przekształcono je na sRGB.',
    PROFILE_NOT_HELD: '{format} nie mieści profilu: kolory przekształcono na sRGB.',
    FILM_DROPPED: 'Pominięto film (ruchome zdjęcie).',
    DEPTH_MAP_DROPPED: 'Pominięto mapę głębi.',
    CANON_RECIPE_DROPPED: 'Pominięto przepis edycji programu Canon (VRD): dotyczył starego obrazu.',
    PHOTO_MECHANIC_DROPPED: 'Pominięto to, co dopisał do pliku Photo Mechanic.',
    FOTOSTATION_DROPPED: 'Pominięto to, co dopisał do pliku FotoStation.',
    AFCP_DROPPED: 'Pominięto to, co dopisał do pliku program archiwizujący (AFCP).',
    SAMSUNG_DROPPED:
      'Pominięto to, co dopisał do pliku aparat Samsung (głębię lub sposób ponownej edycji).',
    CREDENTIALS_DROPPED:
      'Pominięto Content Credentials (C2PA): podpisano je dla oryginalnego pliku.',
    GEOTIFF_DROPPED: 'Pominięto położenie na mapie (GeoTIFF): dotyczy tylko starych pikseli.',
    LAYERS_DROPPED:
      'Pominięto warstwy Photoshopa: powiększono obraz, który plik pokazuje bez nich.',

    REDUCED_PLAINLY: 'Wynik jest mniejszy niż zdjęcie, więc zmniejszono je bez modelu.',
    ENLARGED_PLAINLY: 'Siła wynosi 0, więc zdjęcie powiększono przez interpolację, bez modelu.',
    NO_NETWORK_RAN: 'Nie było nic do powiększenia ani oczyszczenia, więc sieć nie działała.',
    RESTORE_UNUSED:
      'Modelowi {model} nie można wskazać, ile usunąć, więc restore {amount} nic nie zmieniło.',
    NOT_FAITHFUL:
      'Nie udało się wszędzie zbliżyć go do zdjęcia na {levels} poziom: po {rounds} poprawkach różni się najwyżej o {largest}, a na {percent} % powierzchni o ponad 2.',
    COMPARED_BEFORE: 'To, jak bardzo sieć zmieniła zdjęcie, zmierzono przed tymi krokami: {steps}.',
    HELD_BEFORE:
      'Dopasowano go do zdjęcia przed tymi krokami: {steps}. Plik może więc różnić się od niego o więcej niż {levels} poziom.',
    SUBJECT_STRETCHED:
      'Obiekt rozciągnięto {factor} raza i może wyglądać nieostro. Aby mieć więcej szczegółów, powiększ zdjęcie bardziej albo wybierz mniejszy obszar roboczy.',
    GREY_BECAME_RGB: 'Szary obraz stał się RGB, bo jego tło ma kolor.',
    BACKGROUND_FLATTENED: 'Za przezroczystymi częściami obrazu tła jest biel.',

    DEVICE_LEFT: 'Zamiast {device} użyto procesora. Powód: {reason}',
    TILES_SMALLER:
      'Użyto kafli po {size} zamiast {planned} pikseli, bo zabrakło pamięci: {device}.',
    BATCH_SMALLER_MEMORY: 'Kafle naraz: {count} zamiast {planned}, bo zabrakło pamięci: {device}.',
    BATCH_SMALLER: 'Kafle naraz: {count} zamiast {planned}, bo {device} zawiodło: {reason}',
    RUN_AGAIN: 'Obliczono ponownie ({next}), bo {device} zawiodło w {precision}: {reason}',
    RAN_HERE: 'Obliczono tutaj, bo nie zrobiła tego grupa komputerów: {reason}',

    BRIGHTNESS_ONLY: 'Przyjmuje samą jasność; kolory są powiększane przez interpolację.',
    HARDLY_RESEMBLES:
      'To, co zwraca, prawie nie przypomina tego, co dostał (różnica {percent} % zakresu).',
    CLICKS_TRIED:
      'Kliknięto narysowane obiekty ({scenes}) i zaznaczono z nich {found} (pokrycie średnio {percent} %). Przyjmuje {width} x {height} pikseli.',
    NO_SUBJECT_FOUND:
      'W żadnej z sześciu narysowanych scen nie znalazł obiektu: może jest do innych obiektów albo inaczej przyjmuje wartości. Obejrzyj wynik i w razie potrzeby popraw jego kontrakt.',
  },
  parts: {
    SIDE_TOO_LONG: '{format} mieści najwyżej {max} pikseli na bok, a wynik ma {width} x {height}',
    MEMORY_TOO_SMALL:
      '{format} można zapisać w pamięci tego komputera do {max} megapikseli, a wynik ma {width} x {height} pikseli',
    PIXELS_TOO_MANY:
      '{format} można zapisać do {max} megapikseli, a wynik ma {width} x {height} pikseli',
    SHARPENING: 'wyostrzanie',
    GRAIN: 'ziarno',
    COMPRESSION: 'kompresja',
    STRAY_BYTES: 'obce bajty między jego częściami',
    JFIF_VERSION: 'nieznana wersja JFIF',
    ADOBE_CODE: 'nieznany kod w segmencie Adobe',
    SCAN_HEADER: 'nagłówek skanu niepasujący do swojego rodzaju',
    END_MARKER: 'brak znacznika końca',
    DIRECTORY: 'wpisy w katalogu pliku',
    DEVICE_SLOWER:
      'tutaj jest wolniejsze niż procesor, {speed} wobec {cpu} megapikseli na sekundę.',
    DEVICE_MEMORY: 'zabrakło pamięci.',
    DEVICE_LOST: 'sterownik się zatrzymał i uruchomił od nowa.',
    DEVICE_MISSING: 'system nie udostępnia programom takiego urządzenia.',
    DEVICE_FAULT: 'sterownik zgłosił błąd, który podaje logs/enlarger.log w folderze danych.',
    THE_CPU: 'procesor',
    ONE: '1',
  },
};
