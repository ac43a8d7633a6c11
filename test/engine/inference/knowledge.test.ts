import { expect, it } from 'vitest';
import { openKnowledge } from '../../../electron/engine/inference/knowledge.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('one device is in use: the one that was said to be last', () => {
  const dir = temporaryFolder();
  const knowledge = openKnowledge(dir, ['webgpu', 'cuda', 'cpu'], () => undefined);
  knowledge.setDevice('cuda', 'left', 'No driver.');
  knowledge.setDevice('webgpu', 'in-use');
  knowledge.setDevice('cpu', 'in-use');
  const states = knowledge.report().devices.map(({ provider, state }) => `${provider} ${state}`);
  expect(states).toEqual(['webgpu available', 'cuda left', 'cpu in-use']);
});
