/** Parts of the page that show photos, their options and models. They are loaded after the first paint. */
export { default as BatchCard } from './queue/BatchCard.svelte';
export { default as BackgroundFields } from './settings/BackgroundFields.svelte';
export { default as Details } from './details/Details.svelte';
export { default as MoreOptions } from './settings/MoreOptions.svelte';
export { presetText } from '../state/settings/preset-text.ts';
export { default as PrintFields } from './settings/PrintFields.svelte';
export { Models } from '../state/models/models.svelte.ts';
export { default as Notices } from './Notices.svelte';
export { default as PhotoList } from './queue/PhotoList.svelte';
export { default as RecommendedOffer } from './models/RecommendedOffer.svelte';
export { default as Stage } from './viewer/Stage.svelte';
export { default as Toasts } from './Toasts.svelte';
