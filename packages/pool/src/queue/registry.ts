/**
 * Registry of helpers, their heartbeats, and who has quarantined them. Heartbeats expire some time after a
 * machine falls silent.
 */
import type { Redis } from 'ioredis';
import { AsideNotice, Heartbeat, readJson, readMessage } from '../messages.ts';
import { withSentence, prefix } from './server.ts';

/** Age of the last heartbeat above which a helper is away. */
const silentMs = 10_000;
/** Retention of the last heartbeat, so that people see that the helper is away. */
const retentionMs = 10 * 60_000;

const helpersKey = `${prefix}:helpers`;
const asideKey = `${prefix}:aside`;
const outstandingKey = (submitter: string) => `${prefix}:outstanding:${submitter}`;

export interface ObservedHelper {
  heartbeat: Heartbeat;
  isAway: boolean;
}

export interface Registry {
  beat(heartbeat: Heartbeat): Promise<void>;
  leave(helperId: string): Promise<void>;
  helpers(): Promise<ObservedHelper[]>;
  quarantine(submitter: string, helper: string, notice: AsideNotice): Promise<void>;
  /** Submitters that quarantine a helper now. */
  quarantinedBy(helper: string): Promise<Map<string, AsideNotice>>;
  /** A submitter's queued jobs, so that its next start finds what this one left. */
  outstanding: {
    add(submitter: string, jobId: string, queue: string): Promise<void>;
    remove(submitter: string, jobId: string): Promise<void>;
    all(submitter: string): Promise<[jobId: string, queue: string][]>;
  };
}

/** Far above any pool: others with access to the queue could write any number. */
const maxHelpers = 200;
/** Enough for a helper with 200 networks. */
const maxHeartbeatBytes = 64 * 1024;

/** Reads a limited number of heartbeats and deletes oversized ones, on the server. */
const readHeartbeats = `
  local found = {}
  for _, id in ipairs(redis.call('HRANDFIELD', KEYS[1], ARGV[1])) do
    if #id == 16 and redis.call('HSTRLEN', KEYS[1], id) <= tonumber(ARGV[2]) then
      found[#found + 1] = id
      found[#found + 1] = redis.call('HGET', KEYS[1], id)
    else
      redis.call('HDEL', KEYS[1], id)
    end
  end
  return found`;

/** Times are the server's, since the machines' clocks differ. */
export function createRegistry(redis: Redis): Registry {
  const serverMs = async () => {
    const [seconds, microseconds] = await withSentence(redis.time());
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  };
  const heartbeats = async (): Promise<[id: string, text: string][]> => {
    const limits = [maxHelpers, maxHeartbeatBytes];
    const found = await withSentence(redis.eval(readHeartbeats, 1, helpersKey, ...limits));
    const texts = Array.isArray(found) ? found.map(String) : [];
    return texts.flatMap((id, i) => (i % 2 === 0 ? [[id, texts[i + 1] ?? '']] : []));
  };
  return {
    async beat(heartbeat) {
      const stamped = JSON.stringify({ atMs: await serverMs(), word: heartbeat });
      await redis.hset(helpersKey, heartbeat.id, stamped);
    },
    async leave(helperId) {
      await redis.hdel(helpersKey, helperId);
    },
    async helpers() {
      const now = await serverMs();
      const observed: ObservedHelper[] = [];
      for (const [id, text] of await heartbeats()) {
        const stamped = readStamped(text);
        const silence = stamped ? now - stamped.atMs : Infinity;
        // By the server's own clock: one of the future would never fall silent.
        if (!stamped || silence > retentionMs || silence < 0) await redis.hdel(helpersKey, id);
        else observed.push({ heartbeat: stamped.word, isAway: silence > silentMs });
      }
      return observed;
    },
    async quarantine(submitter, helper, notice) {
      const untilMs = (await serverMs()) + (notice.untilMs - Date.now());
      await redis.hset(asideKey, `${submitter}/${helper}`, JSON.stringify({ ...notice, untilMs }));
    },
    async quarantinedBy(helper) {
      const [now, all] = [await serverMs(), await redis.hgetall(asideKey)];
      const found = new Map<string, AsideNotice>();
      for (const [pair, text] of Object.entries(all)) {
        const [submitter = '', whom] = pair.split('/');
        const notice = readJson(AsideNotice, text);
        if (whom === helper && notice && notice.untilMs > now) found.set(submitter, notice);
      }
      return found;
    },
    outstanding: {
      async add(submitter, jobId, queue) {
        await withSentence(redis.hset(outstandingKey(submitter), jobId, queue));
      },
      async remove(submitter, jobId) {
        await redis.hdel(outstandingKey(submitter), jobId);
      },
      all: async (submitter) =>
        Object.entries(await withSentence(redis.hgetall(outstandingKey(submitter)))),
    },
  };
}

function readStamped(text: string): { atMs: number; word: Heartbeat } | undefined {
  try {
    const { atMs, word } = JSON.parse(text) as { atMs: number; word: unknown };
    const read = readMessage(Heartbeat, word);
    return read && Number.isFinite(atMs) ? { atMs, word: read } : undefined;
  } catch {
    return undefined;
  }
}
