/** The layering: desktop -> service -> engine -> packages, one door to each native part, no circles. */
const only = (name, folder, packages, doors) => ({
  name,
  severity: 'error',
  comment: `Only ${doors} may import ${packages}.`,
  from: { path: '^(electron|renderer|packages)/', pathNot: folder },
  to: { path: `^node_modules/(${packages})/|^(${packages})$`, dependencyTypesNot: ['type-only'] },
});

/**
 * The rooms of a folder, each of which imports only rooms that stand further down in the list, so that no
 * circle between folders is possible. Files of the folder itself may import every room.
 */
const downwards = (folder, rooms) =>
  rooms.map((room, at) => ({
    name: `rooms-import-downwards: ${folder}/${room}`,
    severity: 'error',
    comment: `${folder}/${room} imports only what stands below it: ${rooms.slice(at + 1).join(', ') || 'no other room'}.`,
    from: { path: `^${folder}/${room}/` },
    to: { path: `^${folder}/`, pathNot: `^${folder}/(${rooms.slice(at).join('|')})/` },
  }));

const engineRooms = [
  'importing',
  'jobs',
  'inference',
  'views',
  'analysis',
  'tiles',
  'raster',
  'host',
  'plan',
  'cancellation',
  'protocol',
];

const stateRooms = [
  'keys',
  'review',
  'touch-up',
  'try',
  'models',
  'viewer',
  'settings',
  'export',
  'queue',
  'thumbnails',
  'estimate',
  'connect',
  'details',
  'photo',
  'options',
];

const componentRooms = [
  'viewer',
  'queue',
  'review',
  'touch-up',
  'try',
  'picture',
  'photo',
  'export',
  'settings',
  'details',
  'models',
  'connect',
  'controls',
];

/** Packages whose every file is a door: who imports one schema or call loads no other. */
const openPackages = ['contract', 'files', 'api-client'];

/** Packages that other packages may import by their one door. */
const importedPackages = ['file-records', 'http', 'onnx', 'mcp'];

/** What each package may import of the open ones; contract, client and painting have stricter rules of their own. */
const openTo = {
  files: ['contract'],
  'api-client': ['contract'],
  'file-records': ['contract'],
  onnx: ['contract'],
  'network-import': ['contract'],
  http: ['contract', 'files'],
  'photo-files': ['contract', 'files'],
  pool: ['contract', 'files'],
  compat: ['contract', 'files'],
  mcp: ['contract', 'api-client'],
  'command-line': ['contract', 'files', 'api-client'],
};

/** The few files of electron/ that packages may import; of all others they know nothing. */
const electronTo = {
  'photo-files': 'engine/(raster|plan|protocol|cancellation)/',
  pool: 'engine/(plan|protocol|host)/',
  'command-line': '(granting|installation|parent-gone|running-service)\\.ts$',
};

/**
 * In these no folder imports another in a circle, at any depth. Rooms of the engine import downwards, but folders
 * inside of one room may import each other.
 */
const layered = ['electron/service', 'packages', 'renderer/state', 'renderer/components'];

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...layered.map((path) => ({
      name: `no-circular-folders-in-${path.replace(/\W/g, '-')}`,
      comment: `Folders of ${path} import each other in no circle.`,
      severity: 'error',
      scope: 'folder',
      from: { path: `^${path}/` },
      to: { circular: true, path: `^${path}/` },
    })),
    ...downwards('electron/engine', engineRooms),
    ...downwards('renderer/state', stateRooms),
    ...downwards('renderer/components', componentRooms),
    {
      name: 'state-knows-no-component',
      severity: 'error',
      from: { path: '^renderer/(state|text|api)/' },
      to: { path: '^renderer/components/' },
    },
    {
      name: 'text-knows-no-state',
      severity: 'error',
      from: { path: '^renderer/(text|api)/' },
      to: { path: '^renderer/state/' },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      // They import the client as its users do: built, and by its name.
      from: { pathNot: '^packages/client/examples/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.m?ts$',
          '\\.config\\.ts$',
          '^packages/contract/',
          '^packages/client/examples/',
        ],
      },
      to: {},
    },
    {
      name: 'contract-imports-typebox-only',
      severity: 'error',
      from: { path: '^packages/contract/' },
      to: { pathNot: ['^packages/contract/', '^node_modules/typebox/'] },
    },
    {
      name: 'painting-is-pure',
      severity: 'error',
      from: { path: '^packages/painting/' },
      to: { pathNot: '^packages/(painting|contract)/' },
    },
    {
      name: 'engine-knows-no-service',
      severity: 'error',
      from: { path: '^electron/engine/' },
      to: { path: '^electron/', pathNot: '^electron/engine/' },
    },
    {
      name: 'page-speaks-only-the-api',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(electron|packages/files)/' },
    },
    {
      name: 'service-and-engine-are-no-clients',
      severity: 'error',
      from: { path: '^electron/(service|engine)/' },
      to: { path: '^packages/api-client/' },
    },
    {
      name: 'service-knows-the-engine-by-host-protocol-and-plan',
      severity: 'error',
      from: { path: '^electron/service/' },
      to: {
        path: '^electron/',
        pathNot: '^electron/service/|^electron/engine/(plan|protocol|host)/',
      },
    },
    {
      name: 'packages-have-one-door',
      severity: 'error',
      comment: `Of a package, others import its src/index.ts; of these, every file: ${openPackages.join(', ')}.`,
      from: { path: '^(electron|renderer|packaging)/' },
      to: {
        path: '^packages/',
        pathNot: `^packages/([^/]+/src/index\\.ts$|runtime/package\\.json$|(${openPackages.join('|')})/src/)`,
      },
    },
    {
      name: 'packages-know-no-other-package',
      severity: 'error',
      comment: `But these, by their doors: ${importedPackages.join(', ')}.`,
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/',
        pathNot: `^packages/($1/|(${importedPackages.join('|')})/src/index\\.ts$|(${openPackages.join('|')})/src/)`,
      },
    },
    ...Object.entries(openTo).map(([name, seen]) => ({
      name: `${name}-knows-its-neighbours-only`,
      severity: 'error',
      from: { path: `^packages/${name}/` },
      to: {
        path: `^(electron|packages/(${openPackages.join('|')}))/`,
        pathNot: `^packages/(${[name, ...seen].join('|')})/|^electron/${electronTo[name] ?? '$^'}`,
      },
    })),
    {
      name: 'engine-loads-no-schemas',
      severity: 'error',
      comment: 'Schemas, and TypeBox with them, lengthen the start of each engine process.',
      from: { path: '^electron/engine/', pathNot: '^electron/engine/host/' },
      to: {
        path: '^node_modules/typebox/|^packages/contract/src/models/model\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'network-import-is-loaded-by-an-import-only',
      severity: 'error',
      from: { path: '^electron/', pathNot: '^electron/engine/importing/' },
      to: { path: '^packages/network-import/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'photo-files-are-read-by-the-engine-only',
      severity: 'error',
      comment: 'Rasters know nothing of files; service and command line load no decoder.',
      from: { path: '^electron/', pathNot: '^electron/engine/(main\\.ts$|(jobs|views|analysis)/)' },
      to: { path: '^packages/photo-files/' },
    },
    {
      name: 'published-client-stands-alone',
      severity: 'error',
      from: { path: '^packages/client/src/' },
      to: {
        pathNot: '^packages/(client|contract)/src/|^node_modules/eventsource-parser/',
      },
    },
    {
      name: 'published-client-takes-types-only',
      severity: 'error',
      comment: 'The build writes them out (packaging/client-package.ts).',
      from: { path: '^packages/client/src/' },
      to: { path: '^packages/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'compat-loaded-only-when-its-port-opens',
      severity: 'error',
      from: { path: '^(electron|packages)/' },
      to: {
        path: '^packages/compat/src/compat-app\\.ts$',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'command-line-is-loaded-when-used',
      severity: 'error',
      comment:
        'Of a static import the build would put parts of it into main.js, which only Electron can load.',
      from: { path: '^electron/' },
      to: {
        path: '^packages/command-line/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'editors-are-no-command',
      severity: 'error',
      from: { path: '^packages/command-line/src/editors/' },
      to: {
        path: '^packages/command-line/',
        pathNot: '^packages/command-line/src/(editors/|(local-files|text|catalogue)\\.ts$)',
      },
    },
    {
      name: 'pool-loaded-only-with-a-pool',
      severity: 'error',
      comment:
        'Who has one machine loads neither a queue nor an S3 client: they stand behind import().',
      from: { path: '^(electron|packages)/', pathNot: '^packages/pool/src/queue/' },
      to: {
        path: '^packages/pool/src/(queue/|bytes/s3-storage)',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^(electron|renderer)/' },
      to: { path: '^test/' },
    },
    only(
      'electron-door',
      '^electron/(main|preload)\\.ts$|^electron/desktop/',
      'electron',
      'main, preload and desktop/',
    ),
    only(
      'onnxruntime-door',
      '^electron/engine/inference/',
      'onnxruntime-node',
      'engine/inference/',
    ),
    only(
      'sharp-door',
      '^electron/engine/raster/libvips\\.ts$',
      'sharp',
      'engine/raster/libvips, of rasters and of photo files',
    ),
    only(
      'sqlite-door',
      '^electron/(service/store/|launch/lock\\.mjs$)',
      'better-sqlite3',
      'service/store/, and the lock of a build',
    ),
    only(
      's3-door',
      '^packages/pool/src/bytes/s3-storage\\.ts$',
      '@aws-sdk|@smithy',
      'packages/pool/src/bytes/s3-storage, which is loaded for a bucket only',
    ),
    only(
      'queue-door',
      '^packages/pool/src/queue/',
      'bullmq|ioredis',
      'packages/pool/src/queue/, which is loaded with a pool only',
    ),
    only(
      'fastify-door',
      '^electron/service/api/|^packages/(compat|http)/',
      'fastify|@fastify/[^/]+',
      'packages/http, service/api/ and packages/compat',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
