/** A part of the program says here what happened. The shell decides where it goes (stderr, a file). */
type LogLevel = 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;
