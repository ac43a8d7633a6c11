/** What onnxruntime says, short. */

/** An error's first line, without the place in onnxruntime's sources that it may begin with. */
export function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line.replace(/^\/\S+:\d+ .* was false\. /, '').slice(0, 300);
}
