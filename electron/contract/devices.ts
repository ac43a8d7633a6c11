/** The devices that the contract names. Without a schema, since the engine loads this file and no package for schemas. */

/** What networks can run on, as onnxruntime names it. */
export const providers = ['cuda', 'dml', 'coreml', 'webgpu', 'cpu'] as const;
export type Provider = (typeof providers)[number];

/** `auto`: the fastest that gives the right numbers. */
export const deviceChoices = ['auto', ...providers] as const;
export type DeviceChoice = (typeof deviceChoices)[number];
