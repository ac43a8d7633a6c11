/** Tells all who listen what a request set anew. */
import type { ChangeNews, ChangedName } from '../settings/change-news.ts';
import type { Api } from './deps.ts';

const resources: readonly ChangedName[] = ['presets', 'watches', 'models'];

/** Settings tell of themselves: a part of them is set by other ways too. */
export function tellChanges(app: Api, changes: ChangeNews): void {
  app.addHook('onResponse', (request, reply, done) => {
    const [, , resource] = (request.routeOptions.url ?? '').split('/');
    const name = resources.find((one) => one === resource);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (name !== undefined && !isRead && reply.statusCode < 300) changes.note([name]);
    done();
  });
}
