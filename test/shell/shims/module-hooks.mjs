// Takes out of the application's built files what the test's Electron lacks when they are loaded. Node 20 has no
// zstd, which only sources from the network are packed with, and Electron 33 has no ClipboardItem.
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!/\/out\/main\/[^/]+\.js$/.test(url) || loaded.source == null) return loaded;
  const source = String(loaded.source)
    .replace(
      /(import\s*\{[^}]*)\bcreateZstdDecompress\b(\s+as\b)?([^}]*\}\s*from\s*"node:zlib")/,
      (_all, before, as, after) =>
        `${before}createGunzip${as ?? ' as createZstdDecompress'}${after}`,
    )
    .replace(
      /(import\s*\{[^}]*)\bClipboardItem(?:\s+as\s+[\w$]+)?,([^}]*\}\s*from\s*"electron")/,
      '$1$2',
    );
  return { ...loaded, source };
}
