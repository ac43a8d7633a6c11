/** The name of a processor as a device: the service writes it, and clients word it in their language. */
export interface Processor {
  name: string;
  threads: number;
}

export const processorName = ({ name, threads }: Processor): string =>
  `${name}, ${threads} threads`;

/** Returns undefined for the names of other devices. */
export function readProcessorName(deviceName: string): Processor | undefined {
  const [, name, threads] = /^(.+), (\d+) threads$/.exec(deviceName) ?? [];
  return name === undefined ? undefined : { name, threads: Number(threads) };
}
