/** The end of the API: nothing new, streams end, what is being answered gets a moment. */
import type { Api } from './deps.ts';

const graceMs = 2000;

/** @param hurry cuts the moment short */
export async function closeApp(app: Api, hurry: AbortSignal): Promise<void> {
  const cut = () => app.server.closeAllConnections();
  const timer = setTimeout(cut, graceMs);
  hurry.addEventListener('abort', cut, { once: true });
  try {
    const closed = app.close();
    if (hurry.aborted) cut();
    await closed;
  } finally {
    clearTimeout(timer);
    hurry.removeEventListener('abort', cut);
  }
}
