/** What other programs did. */
import type { RequestLog } from '../../electron/contract/queue.ts';
import type { Client } from './client.ts';

export function createConnectCalls({ get }: Pick<Client, 'get'>) {
  return { requests: () => get<RequestLog>('/api/requests') };
}
