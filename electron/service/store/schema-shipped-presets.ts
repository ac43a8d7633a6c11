/** A migration: three presets to begin with. They are a person's own from then on, to change and to remove. */
/** Small files without position and serial numbers. */
const forTheWeb = { scale: 4, format: 'jpeg', quality: 85, metadata: 'private' };

const shipped = [
  { name: 'Web 4x', operation: 'upscale', options: forTheWeb },
  { name: 'Print 2x', operation: 'upscale', options: { scale: 2, format: 'tiff' } },
  {
    name: 'Shop picture',
    operation: 'remove-bg',
    options: { background: 'white', crop: 8, format: 'jpeg', quality: 90 },
  },
];

const rows = shipped.map(
  ({ name, operation, options }, i) =>
    `('shipped-${i + 1}', '${name}', '${operation}', '${JSON.stringify(options)}', unixepoch() * 1000)`,
);

/** A preset of the same name that a person made stays as it is. */
export const shippedPresets = `INSERT OR IGNORE INTO presets VALUES ${rows.join(',\n')};`;
