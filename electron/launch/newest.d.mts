export function newestMs(file: string): number;
