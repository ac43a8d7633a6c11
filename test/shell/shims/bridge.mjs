// What the application needs and the test's Electron 33 lacks. It is loaded before the application.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import os from 'node:os';
import path from 'node:path';

URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
register(new URL('module-hooks.mjs', import.meta.url));

const { dlopen } = process;
process.dlopen = (module, file, ...flags) => {
  if (!/better-sqlite3\/prebuilds\//.test(file)) return dlopen(module, file, ...flags);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'addon-'));
  try {
    const copy = path.join(folder, path.basename(file));
    writeFileSync(copy, lowerNodeApi(readFileSync(file)));
    return dlopen(module, copy, ...flags);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The addon then asks for Node-API 9, and takes references from napi10-on-node20.c. */
function lowerNodeApi(addon) {
  // mov eax, 10; ret
  const version = addon.indexOf(Buffer.from('b80a000000c3', 'hex'));
  if (version === -1) throw new Error('The addon of better-sqlite3 does not ask for Node-API 10.');
  addon.writeUInt8(9, version + 1);
  for (const name of ['create_reference', 'get_reference_value', 'delete_reference'])
    for (let at = addon.indexOf(`napi_${name}\0`); at !== -1; at = addon.indexOf(`napi_${name}\0`))
      addon.write('x', at);
  return addon;
}
