/** Random secrets that outlive restarts, such as the one that signs links. */
import { randomBytes } from 'node:crypto';
import { storing, type Connection } from './connection.ts';

export interface SecretTable {
  /** 32 bytes, made at the first call. */
  get(name: string): Buffer;
  /** 32 bytes from now on. */
  set(name: string, value: Buffer): void;
}

export function createSecretTable(db: Connection): SecretTable {
  const find = db.prepare<[string], Buffer>('SELECT value FROM secrets WHERE name = ?').pluck();
  const insert = db.prepare<[string, Buffer]>(
    'INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const replace = db.prepare<[string, Buffer]>('INSERT OR REPLACE INTO secrets VALUES (?, ?)');
  return {
    set: (name, value) => void storing(() => replace.run(name, value)),
    get(name) {
      const known = find.get(name);
      if (known) return known;
      const made = randomBytes(32);
      storing(() => insert.run(name, made));
      return find.get(name) ?? made;
    },
  };
}
