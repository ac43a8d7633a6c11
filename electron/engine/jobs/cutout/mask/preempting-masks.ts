/** Mask networks for a person who waits, while a job of the queue runs. */
import type { MaskInference } from './find-mask.ts';

/** The same calls, which preempt a running pass between two tiles. */
export const preemptingMasks = (inference: MaskInference): MaskInference => ({
  runMask: (request, signal) => inference.runMask({ ...request, preempts: true }, signal),
  runClicks: (request) => inference.runClicks({ ...request, preempts: true }),
  encodePicture: (request) => inference.encodePicture({ ...request, preempts: true }),
  answerPrompts: (request) => inference.answerPrompts({ ...request, preempts: true }),
});
