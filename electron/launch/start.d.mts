export function electronBinary(root: string): string | undefined;
