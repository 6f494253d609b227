import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { followPageFailures } from './pageFailures.ts';

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(10);
}

it('prints failures of open pages as plain text, also of a shell that has restarted', async () => {
  const streams: ServerResponse[] = [];
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: shell\ndata: 1\n\nevent: build\ndata: {}\n\n');
    streams.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const printed: string[] = [];
  const stop = followPageFailures(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, (text) =>
    printed.push(text),
  );
  try {
    await until(() => streams.length === 1);
    const failure = (text: string) => `event: failure\ndata: ${JSON.stringify(text)}\n\n`;
    streams[0]?.write(failure('\u001B[31mSlot results failed\n    at Card'));
    await until(() => printed.length === 1);
    streams[0]?.destroy();
    await until(() => streams.length === 2);
    streams[1]?.write(failure('Slot filters failed'));
    await until(() => printed.length === 2);
    expect(printed).toEqual(['Slot results failed\n    at Card', 'Slot filters failed']);
    expect(new Set(paths)).toEqual(new Set(['/overrides/builds']));
  } finally {
    stop();
    server.closeAllConnections();
    server.close();
  }
});
