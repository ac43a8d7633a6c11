/** Devices of the contract, without schemas, since the engine loads no schema package. */

/** onnxruntime's execution providers. */
export const providers = ['cuda', 'dml', 'coreml', 'webgpu', 'cpu'] as const;
export type Provider = (typeof providers)[number];

/** `auto`: the fastest device whose numbers are right. */
export const deviceChoices = ['auto', ...providers] as const;
export type DeviceChoice = (typeof deviceChoices)[number];
