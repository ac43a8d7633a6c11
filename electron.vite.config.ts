/** What is built from what: out/main for Node and Electron, out/preload for the sandbox, out/renderer for the page. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';

/** Programs of their own; each finds its neighbours beside itself, so chunks lie in the same folder. */
const programs = {
  main: 'electron/main.ts',
  headless: 'electron/headless.ts',
  cli: 'electron/cli.ts',
  engine: 'electron/engine/main.ts',
  inference: 'electron/engine/inference/worker.ts',
  foreign: 'packages/photo-files/src/foreign/worker.ts',
  importer: 'electron/engine/importing/main.ts',
};

/** What the engine may load: a package keeps it outside its archive (electron-builder.yml). */
function nameChunk({ moduleIds }: { moduleIds: string[] }): string {
  const isEngines =
    moduleIds.length > 0 &&
    moduleIds.every((id) =>
      /[/\\](electron[/\\](engine|contract|files)|packages[/\\](file-records|network-import|onnx|painting|photo-files)|node_modules)[/\\]|^\0/.test(
        id,
      ),
    );
  return isEngines ? 'engine-[name]-[hash].js' : '[name]-[hash].js';
}

/** A third of the size; names stay, so that an error in a log still says where it comes from. */
const onlySpace = { mangle: false, compress: false, codegen: true };

/** In kB. What is read from this machine's disk may be larger than what a page fetches. */
const chunkSizeWarningLimit = 2000;

/** Names the packages that are built in, for the licences that go with them (packaging/licences.ts). */
function nameBuiltIn(file: string): Plugin {
  return {
    name: 'name-built-in',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? Object.keys(part.modules) : [],
      );
      const names = modules.flatMap(
        (id) => /.*node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id)?.[1] ?? [],
      );
      const unique = [...new Set(names.map((name) => name.replace('\\', '/')))].sort();
      this.emitFile({ type: 'asset', fileName: file, source: JSON.stringify(unique) });
    },
  };
}

const schemaDescription =
  /\bdescription:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,?/g;

/** What makes a schema and does nothing else. */
const schemaCall =
  /(?<![\w.])(?:Type\.\w+|autoOrPercent|closed|named|omit|oneOf|optional|percent|required|sidePx|sizes|withoutId)(?=[(<])/g;

/**
 * The page reads a few schemas for bounds and defaults: leaves out of it the sentences of the API's documentation, and
 * lets the bundler drop the schemas that nothing reads.
 */
const withoutUnreadSchemas: Plugin = {
  name: 'without-unread-schemas',
  enforce: 'pre',
  transform(code, id) {
    if (!/[/\\]electron[/\\]contract[/\\][^?]*\.ts$/.test(id)) return undefined;
    const lean = code.replace(schemaDescription, '').replace(schemaCall, '/* @__PURE__ */ $&');
    return { code: lean, map: null };
  },
};

/** What most dialogs and the panel share is one script: compressed alone, each is larger. */
const fields =
  /[/\\]renderer[/\\](components[/\\]controls[/\\](Check|Choice|Dial|Field|FolderField|IconButton|NumberField|ProblemWords|Segments|Slider)\.svelte|state[/\\](settings[/\\]sizing-names|options[/\\]dials|queue[/\\]destination-gate\.svelte)\.ts|text[/\\](figures|keys|print-length\.svelte)\.ts)/;

/** The small dialogs, for the same reason. */
const dialogs =
  /[/\\]renderer[/\\]components[/\\].*(Appearance|Clear|Convert|Metadata|Pool|Presets|Shortcuts|Watch)Dialog\.svelte/;

/** What the page and its parts that are loaded later share, for the same reason; none of it has words. */
const shared =
  /[/\\](typebox[/\\]build|electron[/\\](client|contract)(?![/\\](failures[/\\](?!rows-there)|(canvas-note|picture|models[/\\](default-settings|downloads))\.ts))|renderer[/\\](api|state[/\\](options[/\\](choices|destination|fit-to-photo|paper)\.ts|touch-up[/\\]strokes|thumbnails[/\\]service-views)))/;

export default defineConfig({
  main: {
    plugins: [nameBuiltIn('built-in.json')],
    build: {
      target: 'node24',
      chunkSizeWarningLimit,
      // Development dependencies are built in: hundreds of small files, loaded one by one, are most of the
      // time to the first answer. Dependencies stay beside: what is native, and what reads files of its own.
      rolldownOptions: {
        input: programs,
        output: { entryFileNames: '[name].js', chunkFileNames: nameChunk, minify: onlySpace },
      },
    },
  },
  preload: {
    build: {
      rolldownOptions: {
        input: { preload: 'electron/preload.ts' },
        // A sandboxed preload is CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [withoutUnreadSchemas, svelte(), nameBuiltIn('built-in.json')],
    build: {
      target: 'chrome120',
      chunkSizeWarningLimit,
      minify: true,
      // The page's policy allows no inline data.
      assetsInlineLimit: 0,
      // A slow machine is no news to whoever starts Enlarger for the first time.
      rolldownOptions: {
        input: 'renderer/index.html',
        checks: { bundlerTimings: false },
        output: {
          codeSplitting: {
            groups: [
              { name: 'fields', test: fields, includeDependenciesRecursively: false },
              { name: 'shared', test: shared, includeDependenciesRecursively: false },
              { name: 'dialogs', test: dialogs, includeDependenciesRecursively: false },
            ],
          },
        },
      },
    },
  },
});
