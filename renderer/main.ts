import { createClient } from '../packages/api-client/src/client.ts';
import { openSession } from './api/session.ts';
import { Remembered } from './state/options/remembered.svelte.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/high-contrast.css';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no place for the page.');

const session = await openSession();
const client = session && createClient(session);
const remembered = client && new Remembered(client);
// Files may be given at once and need the settings of new photos, and every text needs its language at once.
await remembered?.load();
document.documentElement.dataset.language = remembered?.page.language ?? 'system';
const { showPage, showNoSession } = await import('./show-page.ts');
if (session === undefined || client === undefined || remembered === undefined)
  showNoSession(target);
else showPage(target, { session, client, remembered });
