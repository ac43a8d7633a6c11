/**
 * Lists the files of devices that do not come with onnxruntime's package for Node. The hashes are those that
 * GitHub publishes for the release's files. A newer onnxruntime needs hashes of its own: a test compares the
 * version with the package's.
 */
import type { DeviceFiles } from '../../contract/models/obtainable.ts';

export const onnxruntimeVersion = '1.30.0';

const release = `https://github.com/microsoft/onnxruntime/releases/download/v${onnxruntimeVersion}`;
const homepage = `https://github.com/microsoft/onnxruntime/releases/tag/v${onnxruntimeVersion}`;

/** These files of an archive are kept: CUDA's provider, and the library that it shares with onnxruntime. */
export const keptFiles = [
  'libonnxruntime_providers_cuda.so',
  'libonnxruntime_providers_shared.so',
] as const;

function cuda(version: number, sha256: string): DeviceFiles {
  const name = `onnxruntime-linux-x64-gpu_cuda${version}-${onnxruntimeVersion}.tgz`;
  return {
    id: `cuda-${version}`,
    provider: 'cuda',
    name: `CUDA ${version}`,
    description: `Runs networks on NVIDIA's cards by CUDA ${version} in place of WebGPU. Some hundred megabytes.`,
    needs: `NVIDIA's driver, CUDA ${version} and cuDNN 9`,
    licence: 'MIT',
    author: 'Microsoft',
    homepage,
    files: [{ name, sha256, urls: [`${release}/${name}`] }],
  };
}

const linux = [
  cuda(12, 'f9886932ee7bb0b4d3fcab736a392d4ff5efaa0672b47f19f0cec03437cf64f1'),
  cuda(13, '382d79133112388cf94ce5855789b7c9bef12bef76a08b6b277e5a317213adcd'),
];

/** Answers a system's files: only on Linux with x64 can onnxruntime's package for Node use CUDA. */
export const deviceFilesFor = (
  platform: string = process.platform,
  architecture: string = process.arch,
): readonly DeviceFiles[] => (platform === 'linux' && architecture === 'x64' ? linux : []);
