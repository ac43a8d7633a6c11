import { expect, it } from 'vitest';
import type { EngineHostOptions } from '../../../electron/engine/host/host.ts';
import { createPowerAndActivityStore } from '../../../electron/service/settings/power-and-activity.ts';
import { openService } from '../../support/service.ts';

it('tells the engine how much room was chosen, and what was told of the machine', async () => {
  let room: EngineHostOptions['budget'];
  const service = await openService({
    onEngine(asked) {
      room = asked;
    },
  });
  const rest = { onBattery: false, personElsewhere: false };
  expect(room?.()).toEqual({ leave: 'auto', around: rest });
  const around = { onBattery: true, personElsewhere: false };
  expect((await service.call('PUT', '/api/surroundings', around)).status).toBe(204);
  expect(room?.()).toEqual({ leave: 'auto', around });
  await service.call('PATCH', '/api/settings', { leaveRoom: 'most' });
  expect(room?.()).toEqual({ leave: 'most', around });
});

it('refuses surroundings that say too little, and a level that there is not', async () => {
  const service = await openService();
  const { status } = await service.call('PUT', '/api/surroundings', { onBattery: true });
  expect(status).toBe(400);
  const other = await service.call('PATCH', '/api/settings', { leaveRoom: 'all' });
  expect(other.status).toBe(400);
});

it('forgets what nobody says any more', () => {
  let now = 0;
  const around = createPowerAndActivityStore(() => now);
  around.update({ onBattery: true, personElsewhere: true });
  now = 119_000;
  expect(around.now().onBattery).toBe(true);
  now = 120_000;
  expect(around.now()).toEqual({ onBattery: false, personElsewhere: false });
});
