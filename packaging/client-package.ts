/**
 * Builds the published client. Its types are written from the contract's schemas in place of its `src/types.ts`, so
 * that the package needs nothing else of Enlarger. `npm run build` in packages/client runs this.
 */
import path from 'node:path';
import ts from 'typescript';
import { Type } from 'typebox';
import * as model from '../packages/contract/src/models/model.ts';
import * as submit from '../packages/contract/src/request.ts';
import * as task from '../packages/contract/src/task.ts';

interface Schema {
  $id?: string;
  $ref?: string;
  type?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  /** A tuple has one schema for each position. */
  items?: Schema | Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

/** The exported types, in their order. */
const exported = {
  TaskView: task.TaskView,
  TaskRecord: task.TaskRecord,
  UpscaleOptions: submit.UpscaleOptions,
  RemoveBackgroundOptions: submit.RemoveBackgroundOptions,
  Estimate: task.Estimate,
  ModelView: model.ModelView,
};

/** Several exported types have these groups of fields in common. Each group is written once as a type. */
const shared = {
  TargetSize: submit.targetSizes,
  Finishing: submit.finishingChoices,
  Placing: submit.placingChoices,
  Edge: submit.edgeChoices,
  Output: submit.outputChoices,
};

/** Texts by the types' names: exported ones, and before them those that they are made of. */
const written = new Map<string, string>();

/** Declares all types that the package exports, without an import. */
export function clientTypes(): string {
  written.clear();
  for (const [name, schema] of Object.entries(exported)) typeOf({ ...plain(schema), $id: name });
  return [...written].map(([name, type]) => `export type ${name} = ${type};\n`).join('\n');
}

const plain = (schema: object) => JSON.parse(JSON.stringify(schema)) as Schema;

/** Writes a named schema once, and returns its name, also for another schema with the same fields. */
function typeOf({ $id, ...schema }: Schema): string {
  const type = shapeOf(schema);
  const [same] = [...written].find(([, other]) => other === type && type.startsWith('{')) ?? [];
  if (same !== undefined) return same;
  if ($id === undefined) return type;
  written.set($id, type);
  return $id;
}

function shapeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return listOf(schema.items ?? {});
    case 'object':
      return objectOf(schema);
    default:
      return 'unknown';
  }
}

const listOf = (items: Schema | Schema[]) =>
  Array.isArray(items)
    ? `readonly [${items.map(typeOf).join(', ')}]`
    : `readonly (${typeOf(items)})[]`;

function objectOf(schema: Schema): string {
  const fields = fieldsOf(schema);
  const parts = Object.entries(shared).flatMap(([name, group]) => {
    if (!Object.keys(group).every((field) => fields.has(field))) return [];
    const own = fieldsOf(plain(Type.Object(group)));
    if ([...own].some(([field, text]) => fields.get(field) !== text)) return [];
    written.set(name, bodyOf(own));
    for (const field of own.keys()) fields.delete(field);
    return [name];
  });
  const rest = fields.size === 0 ? [] : [bodyOf(fields)];
  return [...parts, ...rest].join(' & ') || 'Record<string, unknown>';
}

const bodyOf = (fields: Map<string, string>) => `{\n${[...fields.values()].join('\n')}\n}`;

/** Writes each field with its description above it. */
function fieldsOf({ properties = {}, required = [] }: Schema): Map<string, string> {
  const texts = Object.entries(properties).map(([name, field]): [string, string] => {
    const mark = required.includes(name) ? '' : '?';
    const words = field.description === undefined ? '' : `/** ${field.description} */\n`;
    return [name, `${words}${name}${mark}: ${typeOf(field)};`];
  });
  return new Map(texts);
}

const packageDir = path.join(import.meta.dirname, '../packages/client');
const typesFile = path.join(packageDir, 'src/types.ts');

/** Compiles the package into `outDir`. @throws with the compiler's messages */
export function buildClient(outDir = path.join(packageDir, 'dist')): void {
  const configFile = path.join(packageDir, 'tsconfig.build.json');
  const config = ts.getParsedCommandLineOfConfigFile(
    configFile,
    { outDir },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (problem) => failWith([problem]) },
  );
  if (config === undefined) throw new Error(`Expected ${configFile} to be readable.`);
  const host = ts.createCompilerHost(config.options);
  const types = clientTypes();
  host.readFile = (file) => (path.resolve(file) === typesFile ? types : ts.sys.readFile(file));
  const program = ts.createProgram(config.fileNames, config.options, host);
  failWith([...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics]);
}

function failWith(problems: readonly ts.Diagnostic[]): void {
  if (problems.length > 0)
    throw new Error(
      ts.formatDiagnostics(problems, {
        getCanonicalFileName: (file) => file,
        getCurrentDirectory: () => packageDir,
        getNewLine: () => '\n',
      }),
    );
}

if (process.argv[1] === import.meta.filename) buildClient();
