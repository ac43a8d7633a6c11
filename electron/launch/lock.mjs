/** A lock between processes that start in the same checkout. */
import path from 'node:path';

/**
 * Runs `work` while no other process holds the lock of this name. The system releases the lock when the
 * process ends, however it ends.
 * @param {string} root @param {string} name names a file in node_modules
 * @param {() => unknown} work @param {() => void} [onWait] is called once if another process holds the lock
 * @returns {Promise<void>}
 */
export async function withLock(root, name, work, onWait = () => undefined) {
  const { default: Database } = await import('better-sqlite3');
  const lock = new Database(path.join(root, 'node_modules', name), { timeout: 0 });
  try {
    await acquire(lock, onWait);
    await work();
  } finally {
    lock.close();
  }
}

const retryMs = 100;

/** Waits between tries, instead of inside SQLite, so that signals are handled meanwhile. */
async function acquire(lock, onWait) {
  for (let tries = 0; ; tries += 1) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (error.code !== 'SQLITE_BUSY') throw error;
      if (tries === 0) onWait();
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}
