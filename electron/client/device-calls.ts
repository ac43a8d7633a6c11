/** Devices, and the files that some of them need beside Enlarger. */
import type { DeviceList } from '../contract/model.ts';
import type { DeviceFilesList } from '../contract/obtainable.ts';
import { createDownloadCalls } from './download-calls.ts';
import type { Transport } from './transport.ts';

const filesOf = (id: string) => `/api/devices/${encodeURIComponent(id)}/files`;

export function createDeviceCalls(transport: Transport) {
  const { request, get, send } = transport;
  return {
    devices: () => get<DeviceList>('/api/devices'),
    deviceFiles: () => get<DeviceFilesList>('/api/devices/obtainable'),
    deviceDownloads: createDownloadCalls(transport, '/api/devices'),
    /** From the archive as it was published. */
    async addDeviceFiles(id: string, archive: Blob, signal: AbortSignal): Promise<DeviceFilesList> {
      const headers = { 'content-type': 'application/octet-stream' };
      const answer = await request('PUT', filesOf(id), { body: archive, headers, signal });
      return (await answer.json()) as DeviceFilesList;
    },
    removeDeviceFiles: (id: string) => send('DELETE', filesOf(id)),
  };
}
