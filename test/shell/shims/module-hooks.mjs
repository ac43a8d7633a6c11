// Takes out of the application's built files what the test's Electron lacks when they are loaded. Node 20 has no
// zstd, which only sources from the network are packed with, and Electron 33 has no ClipboardItem.
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!/\/out\/main\/[^/]+\.js$/.test(url) || loaded.source == null) return loaded;
  const source = String(loaded.source)
    .replace(
      /(import\s*\{[^}]*)\bcreateZstdDecompress\b([^}]*\}\s*from\s*"node:zlib")/,
      '$1createGunzip as createZstdDecompress$2',
    )
    .replace(/(import\s*\{[^}]*)\bClipboardItem,([^}]*\}\s*from\s*"electron")/, '$1$2');
  return { ...loaded, source };
}
