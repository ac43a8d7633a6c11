/**
 * A white square with the subject large in its middle, as shops ask for it, of the page's button and of the preset that
 * ships. A released migration writes it: to change the preset of those who have one, append a migration.
 */
export const shopPictureOptions = {
  background: 'white',
  canvas: { width: 2000, height: 2000 },
  subjectScale: 85,
  format: 'jpeg',
  quality: 90,
} as const;
