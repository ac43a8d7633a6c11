/** The layering: desktop -> service -> engine -> contract, one door to each native part, no circles. */
const only = (name, folder, packages, doors) => ({
  name,
  severity: 'error',
  comment: `Only ${doors} may import ${packages}.`,
  from: { path: '^(electron|renderer)/', pathNot: folder },
  to: { path: `^node_modules/(${packages})/|^(${packages})$`, dependencyTypesNot: ['type-only'] },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.m?ts$', '\\.config\\.ts$', '^electron/contract/'] },
      to: {},
    },
    {
      name: 'contract-imports-typebox-only',
      severity: 'error',
      from: { path: '^electron/contract/' },
      to: { pathNot: ['^electron/contract/', '^node_modules/typebox/'] },
    },
    {
      name: 'painting-is-pure',
      severity: 'error',
      from: { path: '^electron/painting/' },
      to: { pathNot: '^electron/(painting|contract)/' },
    },
    {
      name: 'engine-knows-no-service',
      severity: 'error',
      from: { path: '^electron/engine/' },
      to: { path: '^electron/', pathNot: '^electron/(engine|painting|contract)/' },
    },
    {
      name: 'service-knows-the-engine-by-host-protocol-and-plan',
      severity: 'error',
      from: { path: '^electron/service/' },
      to: {
        path: '^electron/',
        pathNot:
          '^electron/(service|contract|mcp)/|^electron/engine/(host|protocol|failpoints|output-plan|importing/import-host|works/cutout/plan-cutout)\\.ts$',
      },
    },
    {
      name: 'page-speaks-only-the-api',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^electron/', pathNot: '^electron/(painting|client|contract)/' },
    },
    {
      name: 'tools-for-agents-speak-only-the-api',
      severity: 'error',
      from: { path: '^electron/mcp/' },
      to: { path: '^electron/', pathNot: '^electron/(mcp|client|contract)/' },
    },
    {
      name: 'client-speaks-only-the-api',
      severity: 'error',
      from: { path: '^electron/client/' },
      to: { path: '^electron/', pathNot: '^electron/(contract|client)/' },
    },
    {
      name: 'pool-loaded-only-with-a-pool',
      severity: 'error',
      comment:
        'Who has one machine loads neither a queue nor an S3 client: they stand behind import().',
      from: { path: '^electron/', pathNot: '^electron/service/pool/queue/' },
      to: {
        path: '^electron/service/pool/(queue/|bytes/s3-storage)',
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
    only('sharp-door', '^electron/engine/raster/', 'sharp', 'engine/raster/'),
    only('sqlite-door', '^electron/service/store/', 'better-sqlite3', 'service/store/'),
    only(
      's3-door',
      '^electron/service/pool/bytes/s3-storage\\.ts$',
      '@aws-sdk|@smithy',
      'pool/bytes/s3-storage, which is loaded for a bucket only',
    ),
    only(
      'queue-door',
      '^electron/service/pool/queue/',
      'bullmq|ioredis',
      'service/pool/queue/, which is loaded with a pool only',
    ),
    only(
      'fastify-door',
      '^electron/service/(http/|[a-z]+/[a-z-]+-routes\\.ts$)',
      'fastify|@fastify/[^/]+',
      "service/http/ and the rooms' route files",
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
