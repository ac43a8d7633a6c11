import { expect, it } from 'vitest';
import { canvasNote, readCanvasNote } from '../../electron/contract/canvas-note.ts';

it('is read again', () => {
  expect(readCanvasNote(canvasNote(1.6))).toBe(1.6);
  expect(readCanvasNote(canvasNote(12.04))).toBe(12);
  expect(readCanvasNote('The graphics card was left for the CPU.')).toBeUndefined();
});
