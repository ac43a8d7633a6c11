/** The package's only entry: others import nothing else. */

// Reading: the structure of a file, without its weights.
export { bytesInMemory, openBytes, type ByteSource, type OpenBytes } from './byte-source.ts';
export { readOnnx, type OnnxStructure, type TensorInfo } from './read-onnx.ts';
export { checkOnnx } from './check-onnx.ts';
export {
  isPromptDecoder,
  promptDecoderPorts,
  promptEncoderPorts,
  promptInputs,
  promptSidePx,
  type PromptDecoderPorts,
} from './prompt-ports.ts';
export { refused } from './refused.ts';

// Changing: what is kept is copied from the file when it is written.
export { rewriteOnnx, isSelfContained } from './rewrite-onnx.ts';
export { blendOnnx } from './blend-onnx.ts';
export { colourInput, colourOnnx, colourOutput, takesLuma } from './luma-to-colours.ts';

// Writing: a graph node by node, with its weights.
export {
  createGraph,
  inputName,
  outputName,
  writePieces,
  type FinishedGraph,
  type GraphBuilder,
} from './write-onnx.ts';
export { floatTypes, inputField, integerType, truthType, type Attributes } from './encode-onnx.ts';
export {
  byteLengthOf,
  countOf,
  createWeights,
  toFloats,
  type ElementType,
  type WeightTensor,
} from './tensor.ts';

// Single fields of the file, for who changes nodes and values as they pass.
export { cast, copied } from './rewrite-onnx.ts';
export {
  bytesField,
  fieldsOf,
  numberField,
  numbersIn,
  textIn,
  type OutputPiece,
  type WireField,
} from './protobuf.ts';
