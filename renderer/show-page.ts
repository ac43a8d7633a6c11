/** Shows the page. This module is imported once the language is known, in which every text is then made. */
import { mount } from 'svelte';
import type { Client } from '../packages/api-client/src/client.ts';
import type { PageSession } from './api/session.ts';
import App from './components/App.svelte';
import NoSession from './components/NoSession.svelte';
import type { Remembered } from './state/options/remembered.svelte.ts';
import { direction, locale } from './text/text.ts';

interface Parts {
  session: PageSession;
  client: Client;
  remembered: Remembered;
}

export function showPage(target: HTMLElement, props: Parts): void {
  sayLanguage();
  mount(App, { target, props });
}

export function showNoSession(target: HTMLElement): void {
  sayLanguage();
  mount(NoSession, { target, props: { onKey: () => location.reload() } });
}

function sayLanguage(): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = direction;
}
