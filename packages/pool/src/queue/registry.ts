/**
 * The registry says which machines help, and which submitter set which helper aside. The last heartbeat of a
 * machine is forgotten some time after it falls silent.
 */
import type { Redis } from 'ioredis';
import { AsideNotice, Heartbeat, readJson, readMessage } from '../messages.ts';
import { answered, prefix } from './server.ts';

/** A helper is away when its last heartbeat is older than this. */
const silentMs = 10_000;
/** The last heartbeat is kept for this long, so that a person sees that the helper is away. */
const rememberedMs = 10 * 60_000;

const helpersKey = `${prefix}:helpers`;
const asideKey = `${prefix}:aside`;
const outstandingKey = (submitter: string) => `${prefix}:outstanding:${submitter}`;

export interface HeardHelper {
  word: Heartbeat;
  isAway: boolean;
}

export interface Registry {
  beat(word: Heartbeat): Promise<void>;
  leave(helperId: string): Promise<void>;
  helpers(): Promise<HeardHelper[]>;
  setAside(submitter: string, helper: string, word: AsideNotice): Promise<void>;
  /** Lists the submitters that set a helper aside, as it holds now. */
  asideBy(helper: string): Promise<Map<string, AsideNotice>>;
  /** The jobs of a submitter that lie in the queues, so that its next start finds what this one left behind. */
  outstanding: {
    add(submitter: string, jobId: string, queue: string): Promise<void>;
    remove(submitter: string, jobId: string): Promise<void>;
    all(submitter: string): Promise<[jobId: string, queue: string][]>;
  };
}

/** Far more than a pool has; whoever reaches the queue could write any number. */
const maxHelpers = 200;
/** A helper with 200 networks stays below it. */
const maxHeartbeatBytes = 64 * 1024;

/** Reads at most so many heartbeats, and removes those that are too long to be any, at the server. */
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

/** Creates the registry. All its times are the server's, because the clocks of machines differ. */
export function createRegistry(redis: Redis): Registry {
  const serverMs = async () => {
    const [seconds, microseconds] = await answered(redis.time());
    return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  };
  const heartbeats = async (): Promise<[id: string, text: string][]> => {
    const limits = [maxHelpers, maxHeartbeatBytes];
    const found = await answered(redis.eval(readHeartbeats, 1, helpersKey, ...limits));
    const texts = Array.isArray(found) ? found.map(String) : [];
    return texts.flatMap((id, i) => (i % 2 === 0 ? [[id, texts[i + 1] ?? '']] : []));
  };
  return {
    async beat(word) {
      const said = JSON.stringify({ atMs: await serverMs(), word });
      await redis.hset(helpersKey, word.id, said);
    },
    async leave(helperId) {
      await redis.hdel(helpersKey, helperId);
    },
    async helpers() {
      const now = await serverMs();
      const heard: HeardHelper[] = [];
      for (const [id, text] of await heartbeats()) {
        const said = readSaid(text);
        const silence = said ? now - said.atMs : Infinity;
        if (!said || silence > rememberedMs) await redis.hdel(helpersKey, id);
        else heard.push({ word: said.word, isAway: silence > silentMs });
      }
      return heard;
    },
    async setAside(submitter, helper, word) {
      const untilMs = (await serverMs()) + (word.untilMs - Date.now());
      await redis.hset(asideKey, `${submitter}/${helper}`, JSON.stringify({ ...word, untilMs }));
    },
    async asideBy(helper) {
      const [now, all] = [await serverMs(), await redis.hgetall(asideKey)];
      const found = new Map<string, AsideNotice>();
      for (const [pair, text] of Object.entries(all)) {
        const [submitter = '', whom] = pair.split('/');
        const word = readJson(AsideNotice, text);
        if (whom === helper && word && word.untilMs > now) found.set(submitter, word);
      }
      return found;
    },
    outstanding: {
      async add(submitter, jobId, queue) {
        await answered(redis.hset(outstandingKey(submitter), jobId, queue));
      },
      async remove(submitter, jobId) {
        await redis.hdel(outstandingKey(submitter), jobId);
      },
      all: async (submitter) =>
        Object.entries(await answered(redis.hgetall(outstandingKey(submitter)))),
    },
  };
}

function readSaid(text: string): { atMs: number; word: Heartbeat } | undefined {
  try {
    const { atMs, word } = JSON.parse(text) as { atMs: number; word: unknown };
    const read = readMessage(Heartbeat, word);
    return read && Number.isFinite(atMs) ? { atMs, word: read } : undefined;
  } catch {
    return undefined;
  }
}
