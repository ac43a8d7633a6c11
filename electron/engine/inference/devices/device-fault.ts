/** Converts errors of onnxruntime and drivers to a short line for the log and a plain sentence for people. */
import { part } from '../../../../packages/contract/src/notes/notes.ts';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { isOutOfMemory } from './after-failure.ts';

/** An error's first line, without a leading position in onnxruntime's sources. */
export function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line.replace(/^\/\S+:\d+ .* was false\. /, '').slice(0, 300);
}

const noDevice =
  /adapter|no (available|suitable|supported)? ?(device|backend)|not (enabled|available|found)/i;
const lostDevice = /device.{0,20}(lost|removed|hung|reset)|DXGI_ERROR|context.{0,10}lost/i;

/** Describes a device's fault as the end of a sentence. The driver's message goes to the log. */
export function deviceFaultOf(error: unknown): string {
  if (error instanceof EnlargerError) return error.message;
  const line = firstLine(error);
  process.stderr.write(`A device failed: ${line}\n`);
  if (isOutOfMemory(error)) return part('DEVICE_MEMORY');
  if (lostDevice.test(line)) return part('DEVICE_LOST');
  if (noDevice.test(line)) return part('DEVICE_MISSING');
  return part('DEVICE_FAULT');
}
