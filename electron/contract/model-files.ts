/** Files of networks, by their names. */

/** How the names of networks' files end. Weights of ncnn and of large ONNX networks lie in a second file. */
const networkEndings = ['onnx', 'param', 'pth', 'pt', 'ckpt', 'safetensors'] as const;
const besideEndings = ['bin', 'data'] as const;

const endsIn = (name: string, endings: readonly string[]) =>
  endings.includes(name.slice(name.lastIndexOf('.') + 1).toLowerCase());

/** Whether a file is a network by its name. */
export const isNetworkName = (name: string): boolean => endsIn(name, networkEndings);
/** Whether it is one, or belongs to one. */
export const isModelFileName = (name: string): boolean =>
  isNetworkName(name) || endsIn(name, besideEndings);
