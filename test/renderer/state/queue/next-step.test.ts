import { expect, it } from 'vitest';
import { nextStep, pausedText } from '../../../../renderer/state/queue/next-step.ts';

const none = {
  photoCount: 0,
  startableCount: 0,
  chosenStartableCount: 0,
  activeCount: 0,
  isPaused: false,
  unsavedCount: 0,
  isRejectedChosen: false,
  repeatableCount: 0,
  hasChanges: false,
  canOpenFolder: false,
};
const done = { ...none, photoCount: 3 };

it.each([
  ['add', none],
  ['start', { ...done, startableCount: 3, chosenStartableCount: 3 }],
  ['start', { ...done, startableCount: 3 }],
  ['pause', { ...done, startableCount: 1, activeCount: 2 }],
  ['start', { ...done, startableCount: 1, chosenStartableCount: 1, activeCount: 2 }],
  ['resume', { ...done, activeCount: 2, isPaused: true }],
  ['save', { ...done, unsavedCount: 3 }],
  ['again', { ...done, unsavedCount: 3, hasChanges: true }],
  ['again', { ...done, unsavedCount: 3, isRejectedChosen: true, repeatableCount: 2 }],
  ['none', { ...done, unsavedCount: 3, isRejectedChosen: true }],
  ['open', { ...done, canOpenFolder: true }],
  ['add', done],
] as const)('is %s', (step, standing) => {
  expect(nextStep(standing)).toBe(step);
});

it.each([
  ['Paused', ['QUEUED', 'ready']],
  ['Pauses after the photo that is running', ['PROCESSING', 'QUEUED']],
  ['Pauses after the 2 photos that are running', ['PROCESSING', 'PROCESSING']],
])('of a paused queue says %s', (words, phases) => {
  expect(pausedText(phases.map((phase) => ({ phase })))).toBe(words);
});
