/** Maps an Idempotency-Key to the task it created. Rows are deleted with their task. */
import { runWrite, type SqliteConnection } from './connection.ts';

export interface IdempotentSubmit {
  key: string;
  keyId: string;
  fingerprint: string;
}

export interface IdempotencyTable {
  /** @param sinceOn keys created up to here (service clock) have expired */
  find(
    submit: IdempotentSubmit,
    sinceOn: number,
  ): { fingerprint: string; taskId: string } | undefined;
  record(submit: IdempotentSubmit, taskId: string, nowOn: number): void;
  forget(untilOn: number): void;
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
    find({ key, keyId }, sinceOn) {
      const row = find.get({ key, keyId, sinceOn });
      return row && { fingerprint: row.fingerprint, taskId: row.task_id };
    },
    record: (submit, taskId, nowOn) =>
      void runWrite(() => remember.run({ ...submit, taskId, nowOn })),
    forget: (untilOn) => void runWrite(() => forget.run(untilOn)),
  };
}
