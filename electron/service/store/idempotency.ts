/** Maps an Idempotency-Key to the task it created. Rows are deleted with their task. */
import { runWrite, type SqliteConnection } from './connection.ts';

export interface IdempotentSubmit {
  key: string;
  keyId: string;
  fingerprint: string;
}

/** How long a key stands for its task, in milliseconds of the service's clock. */
const retentionMs = 24 * 3_600_000;

/** Times are of the service's clock. */
export interface IdempotencyTable {
  /** The task of a key that has not expired, with the fingerprint of its body. */
  find(
    submit: IdempotentSubmit,
    nowOn: number,
  ): { fingerprint: string; taskId: string } | undefined;
  record(submit: IdempotentSubmit, taskId: string, nowOn: number): void;
  /** Deletes the keys that have expired. */
  forget(nowOn: number): void;
}

export function createIdempotencyTable(db: SqliteConnection): IdempotencyTable {
  const find = db.prepare<[object], { fingerprint: string; task_id: string }>(
    `SELECT fingerprint, task_id FROM idempotency
     WHERE idempotency_key = @key AND key_id = @keyId AND created_on > @sinceOn`,
  );
  const remember = db.prepare<[object]>(
    `INSERT INTO idempotency (idempotency_key, key_id, fingerprint, task_id, created_on)
     VALUES (@key, @keyId, @fingerprint, @taskId, @nowOn)
     ON CONFLICT DO UPDATE SET fingerprint = @fingerprint, task_id = @taskId, created_on = @nowOn`,
  );
  const forget = db.prepare<[number]>('DELETE FROM idempotency WHERE created_on <= ?');
  return {
    find({ key, keyId }, nowOn) {
      const row = find.get({ key, keyId, sinceOn: nowOn - retentionMs });
      return row && { fingerprint: row.fingerprint, taskId: row.task_id };
    },
    record: (submit, taskId, nowOn) =>
      void runWrite(() => remember.run({ ...submit, taskId, nowOn })),
    forget: (nowOn) => void runWrite(() => forget.run(nowOn - retentionMs)),
  };
}
