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
      /[/\\](electron[/\\]engine|packages[/\\](contract|file-records|files|network-import|onnx|painting|photo-files)|node_modules)[/\\]|^\0/.test(
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
    if (!/[/\\]packages[/\\]contract[/\\]src[/\\][^?]*\.ts$/.test(id)) return undefined;
    const lean = code.replace(schemaDescription, '').replace(schemaCall, '/* @__PURE__ */ $&');
    return { code: lean, map: null };
  },
};

/**
 * The page's scripts, by when they are needed: the first of them whose entry leads to a module has it. One large script
 * is smaller, compressed, than many small ones; and as each has all that its entry leads to, but what those before it
 * have, no two import each other.
 */
const scripts = [
  { name: 'base', entry: '/renderer/main.ts' },
  { name: 'start', entry: '/renderer/show-page.ts' },
  { name: 'bench', entry: '/renderer/components/workbench.ts' },
];

/** Names of the scripts by the modules that they have. */
const scriptOf = new Map<string, string>();

const sortIntoScripts: Plugin = {
  name: 'sort-into-scripts',
  buildEnd() {
    scriptOf.clear();
    const all = [...this.getModuleIds()];
    const entries = scripts.map(({ entry }) => all.find((id) => id.endsWith(entry)));
    for (const [index, { name }] of scripts.entries()) {
      const waiting = entries.slice(index, index + 1);
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
        for (const imported of this.getModuleInfo(id)?.importedIds ?? [])
          if (!scriptOf.has(imported) && !entries.includes(imported)) {
            scriptOf.set(imported, name);
            waiting.push(imported);
          }
    }
  },
};

/** The page waits for its language, so English, as any other one, must not wait for a script of the page. */
const english =
  /[/\\](renderer[/\\]text[/\\]languages[/\\]en[/\\]|packages[/\\]contract[/\\]src[/\\]failures[/\\]en\.ts)/;

/** The small dialogs, which are smaller together. */
const dialogs =
  /[/\\]renderer[/\\]components[/\\].*(Appearance|Clear|Convert|Metadata|Pool|Presets|Shortcuts|Watch)Dialog\.svelte/;

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
    plugins: [withoutUnreadSchemas, svelte(), sortIntoScripts, nameBuiltIn('built-in.json')],
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
            includeDependenciesRecursively: false,
            groups: [
              { name: 'english', test: english, priority: 2 },
              { name: (id) => scriptOf.get(id) ?? null, priority: 1 },
              { name: 'dialogs', test: dialogs },
            ],
          },
        },
      },
    },
  },
});
