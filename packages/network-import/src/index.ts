/** Public interface of the package. Other folders import nothing else of it. */
export { hashFile, readNetwork } from './read-network.ts';
export { withFiles } from './with-files.ts';
export {
  decoderPath,
  networkPath,
  type NetworkPorts,
  type FileHashes,
  type ImportFile,
  type ImportRequest,
  type ReadNetwork,
} from './request.ts';
export { architectures, buildNetwork } from './torch/architectures/registry.ts';
export { readCheckpoint } from './torch/read-checkpoint.ts';
export { readSafetensors } from './torch/read-safetensors.ts';
export { ncnnToOnnx } from './ncnn/ncnn-to-onnx.ts';
export { readParam } from './ncnn/read-param.ts';
