import { mount } from 'svelte';
import { createClient } from './api/client.ts';
import { openSession } from './api/session.ts';
import App from './components/App.svelte';
import NoSession from './components/NoSession.svelte';
import { Remembered } from './state/remembered.svelte.ts';
import { direction, locale } from './text/text.ts';
import './styles/tokens.css';
import './styles/base.css';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no place for the page.');
document.documentElement.lang = locale;
document.documentElement.dir = direction;

const session = await openSession();
if (session === undefined) mount(NoSession, { target });
else {
  const client = createClient(session);
  const remembered = new Remembered(client);
  // Files may be given at once: they get what new photos get.
  await remembered.load();
  mount(App, { target, props: { session, client, remembered } });
}
