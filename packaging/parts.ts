/**
 * Makes the software bill of materials of a release (CycloneDX): npm sbom --package-lock-only … | node
 * packaging/parts.ts. It keeps the parts of npm's list that ship, and adds those that npm does not know: Node
 * and the networks.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import runtime from '../packages/runtime/package.json' with { type: 'json' };
import { packageFolders } from './licences.ts';

const Part = Type.Object(
  { 'bom-ref': Type.String(), type: Type.String(), name: Type.String(), version: Type.String() },
  { additionalProperties: true },
);
type Part = Static<typeof Part>;
const Bom = Type.Object(
  {
    metadata: Type.Object({ component: Part }, { additionalProperties: true }),
    components: Type.Array(Part),
    dependencies: Type.Array(
      Type.Object({ ref: Type.String(), dependsOn: Type.Optional(Type.Array(Type.String())) }),
    ),
  },
  { additionalProperties: true },
);
type Bom = Static<typeof Bom>;

/** Keeps the parts of these names and dependencies between them. `added` are the application's own parts. */
export function shippedParts(bom: Bom, shipped: ReadonlySet<string>, added: readonly Part[]): Bom {
  const application = { ...bom.metadata.component, name: 'enlarger' };
  const components = [...bom.components.filter(({ name }) => shipped.has(name)), ...added];
  const known = new Set([application, ...components].map((part) => part['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: [
        ...dependsOn.filter((one) => known.has(one)),
        ...(ref === application['bom-ref'] ? added.map((part) => part['bom-ref']) : []),
      ],
    }));
  return {
    ...bom,
    metadata: { ...bom.metadata, component: application },
    components,
    dependencies,
  };
}

/** Lists Node, and each network with its SHA-256. */
export async function ownParts(root: string): Promise<Part[]> {
  const node = {
    'bom-ref': `node@${runtime.version}`,
    type: 'application',
    name: 'node',
    version: runtime.version,
    purl: `pkg:generic/node@${runtime.version}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const files = (await readdir(path.join(root, 'models'))).filter((name) => name.endsWith('.onnx'));
  const networks = files.map(async (name) => {
    const bytes = await readFile(path.join(root, 'models', name));
    const content = createHash('sha256').update(bytes).digest('hex');
    return {
      'bom-ref': `models/${name}`,
      type: 'machine-learning-model',
      name,
      version: content.slice(0, 12),
      hashes: [{ alg: 'SHA-256', content }],
    };
  });
  return [node, ...(await Promise.all(networks))];
}

const ofCheckouts = /^node-(linux|win)-/;
const ofOtherSystems =
  /-(linuxmusl|freebsd|webcontainers)-|-(linux-(arm|ppc64|riscv64|s390x)|ia32|wasm32)$/;

async function shippedNames(root: string): Promise<Set<string>> {
  const folders = [...(await packageFolders(root))];
  const names = folders.map((folder) => folder.split('node_modules/').at(-1) ?? '');
  const shipped = names.filter((name) => !ofCheckouts.test(name) && !ofOtherSystems.test(name));
  return new Set([...shipped, 'electron']);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = path.resolve(import.meta.dirname, '..');
  const bom = Value.Parse(Bom, JSON.parse(await text(process.stdin)));
  const parts = shippedParts(bom, await shippedNames(root), await ownParts(root));
  process.stdout.write(`${JSON.stringify(parts, null, 2)}\n`);
}
