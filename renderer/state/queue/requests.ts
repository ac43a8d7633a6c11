import type { Photo } from '../photo.svelte.ts';

/** Requests at a time, for what is done to many rows. */
export const requestLanes = 6;

export const isSubmitted = ({ taskId }: Photo) => taskId !== undefined;
