/** A program that only wants to know the newest tasks, in a process of its own: how long its calls take. */
import { setTimeout as wait } from 'node:timers/promises';
import { say, targetOf, type Call, type GoodTold, type Target } from './messages.ts';

const { url, key } = targetOf() as Target;
const headers = { authorization: `KEY ${key}` };
const calls: Call[] = [];
const now = () => performance.timeOrigin + performance.now();

const call = async () => {
  const from = now();
  const response = await fetch(`${url}/api/tasks?limit=20`, { headers });
  await response.text();
  if (!response.ok) throw new Error(`The list answered ${response.status}.`);
  calls.push({ from, to: now() });
};

process.once('message', () => {
  say({ calls } satisfies GoodTold);
  process.exit(0);
});
await call();
calls.length = 0;
say({});
for (;;) {
  await call();
  await wait(20);
}
