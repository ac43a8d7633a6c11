import { mount } from 'svelte';
import { openSession } from './api/session.ts';
import App from './components/App.svelte';
import NoSession from './components/NoSession.svelte';
import { direction, locale } from './text/text.ts';
import './styles/tokens.css';
import './styles/base.css';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no place for the page.');
document.documentElement.lang = locale;
document.documentElement.dir = direction;

const session = await openSession();
if (session === undefined) mount(NoSession, { target });
else mount(App, { target, props: { session } });
