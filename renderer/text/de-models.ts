/**
 * What the models that ship are for, in German, by their ids. models/catalogue.json says it in English, and of
 * models that a person added in the words they came with.
 */
export const modelsDe: Readonly<Record<string, string>> = {
  natural:
    'Für jedes Foto: weiß, wie stark es komprimiert ist und wie sehr es rauscht, nimmt genau so viel davon heraus und lässt saubere Fotos, wie sie sind.',
  faithful:
    'Vergrößert saubere Fotos und erfindet nichts: scharfe Kanten, ruhige Himmel, echte Farben.',
  restore:
    'Vergrößert, was Kameras liefern: nimmt leichte Unschärfe, Rauschen und JPEG-Spuren heraus.',
  cutout:
    'Findet, was hervorsticht: Menschen, Tiere, Kleidung, Dinge. Ein Motiv oder wenige, vor etwas anderem.',
};
