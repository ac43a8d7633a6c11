/**
 * Device files that onnxruntime's package for Node does not contain. Hashes are those that GitHub publishes
 * for the release. A newer onnxruntime needs new hashes: a test compares the version with the package's.
 */
import type { DeviceFiles } from '../../../packages/contract/src/models/obtainable.ts';

export const onnxruntimeVersion = '1.30.0';

const release = `https://github.com/microsoft/onnxruntime/releases/download/v${onnxruntimeVersion}`;
const homepage = `https://github.com/microsoft/onnxruntime/releases/tag/v${onnxruntimeVersion}`;

/** Kept files of an archive: CUDA's provider and the library it shares with onnxruntime. */
export const requiredFiles = [
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

/** Files for a system: onnxruntime's package for Node can use CUDA on Linux x64 only. */
export const deviceFilesFor = (
  platform: string = process.platform,
  architecture: string = process.arch,
): readonly DeviceFiles[] => (platform === 'linux' && architecture === 'x64' ? linux : []);
