/** The contract names these devices. They have no schema here, since the engine loads no package for schemas. */

/** Networks can run on these, which are named as onnxruntime names them. */
export const providers = ['cuda', 'dml', 'coreml', 'webgpu', 'cpu'] as const;
export type Provider = (typeof providers)[number];

/** `auto` means the fastest device that gives the right numbers. */
export const deviceChoices = ['auto', ...providers] as const;
export type DeviceChoice = (typeof deviceChoices)[number];
