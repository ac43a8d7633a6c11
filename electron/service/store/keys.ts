/** API keys: named, shown once, stored as SHA-256, revocable. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { runWrite, runOptionalWrite, type SqliteConnection } from './connection.ts';

/** Times are wall clock in milliseconds. */
interface KeyRow {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt?: number;
  /** A callbackUrl of this key may name this machine or a private network. */
  localCallbacks: boolean;
}

type KeyOptions = Partial<Pick<KeyRow, 'localCallbacks'>>;

export interface KeyTable {
  /** Creates a key. Its text is returned only here. */
  create(
    name: string,
    nowAt: number,
    options?: KeyOptions,
  ): { id: string; name: string; key: string };
  /** Stores a key that was created elsewhere, such as that of cli.key. */
  add(name: string, key: string, nowAt: number): KeyRow;
  /** Returns the row of a valid key. Its last use is updated at most once a minute. */
  verify(key: string, nowAt: number): KeyRow | undefined;
  list(): KeyRow[];
  /** Returns undefined for a revoked key. */
  get(id: string): KeyRow | undefined;
  /** @returns false if there is no such key */
  revoke(id: string): boolean;
}

interface RawKey {
  id: string;
  name: string;
  hash: string;
  created_at: number;
  last_used_at: number | null;
  local_callbacks: number;
}

const useNotedEveryMs = 60_000;

export function createKeyTable(db: SqliteConnection): KeyTable {
  const insert = db.prepare<[object]>(
    `INSERT INTO keys (id, name, hash, created_at, local_callbacks)
      VALUES (@id, @name, @hash, @createdAt, @localCallbacks)`,
  );
  const byHash = db.prepare<[string], RawKey>('SELECT * FROM keys WHERE hash = ?');
  const byId = db.prepare<[string], RawKey>('SELECT * FROM keys WHERE id = ?');
  const noteUse = db.prepare<[object]>('UPDATE keys SET last_used_at = @nowAt WHERE id = @id');
  const all = db.prepare<[], RawKey>('SELECT * FROM keys ORDER BY created_at, id');
  const remove = db.prepare<[string]>('DELETE FROM keys WHERE id = ?');

  const add = (
    name: string,
    key: string,
    nowAt: number,
    { localCallbacks = false }: KeyOptions = {},
  ): KeyRow => {
    const row = { id: randomUUID(), name, createdAt: nowAt };
    const flags = { localCallbacks: localCallbacks ? 1 : 0 };
    runWrite(() => insert.run({ ...row, ...flags, hash: hashOf(key) }));
    return { ...row, localCallbacks };
  };
  return {
    add,
    create(name, nowAt, options) {
      const key = randomBytes(32).toString('base64url');
      return { id: add(name, key, nowAt, options).id, name, key };
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
    get(id) {
      const raw = byId.get(id);
      return raw && toKeyRow(raw);
    },
    revoke: (id) => runWrite(() => remove.run(id)).changes === 1,
  };
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function toKeyRow(raw: RawKey): KeyRow {
  const { id, name, created_at: createdAt, last_used_at: lastUsedAt } = raw;
  return {
    ...{ id, name, createdAt, localCallbacks: raw.local_callbacks === 1 },
    ...(lastUsedAt === null ? {} : { lastUsedAt }),
  };
}
