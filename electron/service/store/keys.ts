/** API keys: named, shown once, stored as SHA-256, revocable. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { runWrite, runOptionalWrite, type SqliteConnection } from './connection.ts';

/** Times are wall clock in milliseconds. */
interface KeyRow {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt?: number;
}

export interface KeyTable {
  /** Creates a key. Its text is returned only here. */
  create(name: string, nowAt: number): { id: string; name: string; key: string };
  /** Stores a key that was created elsewhere, such as that of cli.key. */
  add(name: string, key: string, nowAt: number): KeyRow;
  /** Returns the row of a valid key. Its last use is updated at most once a minute. */
  verify(key: string, nowAt: number): KeyRow | undefined;
  list(): KeyRow[];
  /** @returns false if there is no such key */
  revoke(id: string): boolean;
}

interface RawKey {
  id: string;
  name: string;
  hash: string;
  created_at: number;
  last_used_at: number | null;
}

const useNotedEveryMs = 60_000;

export function createKeyTable(db: SqliteConnection): KeyTable {
  const insert = db.prepare<[object]>(
    'INSERT INTO keys (id, name, hash, created_at) VALUES (@id, @name, @hash, @createdAt)',
  );
  const byHash = db.prepare<[string], RawKey>('SELECT * FROM keys WHERE hash = ?');
  const noteUse = db.prepare<[object]>('UPDATE keys SET last_used_at = @nowAt WHERE id = @id');
  const all = db.prepare<[], RawKey>('SELECT * FROM keys ORDER BY created_at, id');
  const remove = db.prepare<[string]>('DELETE FROM keys WHERE id = ?');

  const add = (name: string, key: string, nowAt: number): KeyRow => {
    const row = { id: randomUUID(), name, createdAt: nowAt };
    runWrite(() => insert.run({ ...row, hash: hashOf(key) }));
    return row;
  };
  return {
    add,
    create(name, nowAt) {
      const key = randomBytes(32).toString('base64url');
      return { id: add(name, key, nowAt).id, name, key };
    },
    verify(key, nowAt) {
      const hash = hashOf(key);
      const raw = byHash.get(hash);
      if (!raw || !timingSafeEqual(Buffer.from(raw.hash), Buffer.from(hash))) return undefined;
      if (Math.abs(nowAt - (raw.last_used_at ?? -Infinity)) >= useNotedEveryMs) {
        runOptionalWrite(() => noteUse.run({ id: raw.id, nowAt }));
      }
      return toKeyRow(raw);
    },
    list: () => all.all().map(toKeyRow),
    revoke: (id) => runWrite(() => remove.run(id)).changes === 1,
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function toKeyRow(raw: RawKey): KeyRow {
  const { id, name, created_at: createdAt, last_used_at: lastUsedAt } = raw;
  return { id, name, createdAt, ...(lastUsedAt === null ? {} : { lastUsedAt }) };
}
