/** Log entries; the shell decides where they go (stderr, a file). */
type LogLevel = 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;
