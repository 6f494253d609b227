import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { closeGently } from './start.ts';

let server: Server;
let agent: Agent;
const port = () => (server.address() as AddressInfo).port;
beforeEach(async () => {
  server = createServer((request, response) => {
    const delayMs = Number(request.url?.slice(1));
    setTimeout(() => response.end('done'), delayMs);
  }).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
});

async function request(path: string, through?: Agent): Promise<{ connection: unknown; body: string }> {
  const sent = get({ host: '127.0.0.1', port: port(), path, agent: through });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { connection: response.headers.connection, body: await text(response) };
}

it('serves callers with open connections while they leave them, and refuses others afterwards', async () => {
  expect((await request('/0', agent)).connection).toBe('keep-alive');
  const at = port();
  const closed = closeGently(server);
  await wait(50);
  for (const through of [agent, undefined])
    expect(await request('/0', through)).toEqual({ connection: 'close', body: 'done' });
  await closed;
  await expect(once(get({ host: '127.0.0.1', port: at }), 'response')).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
});

it('finishes requests that had begun, and closes the connections that they leave open', async () => {
  const slow = request('/1500', agent);
  await wait(50);
  const started = performance.now();
  await closeGently(server);
  expect(await slow).toEqual({ connection: 'keep-alive', body: 'done' });
  expect(performance.now() - started).toBeLessThan(4_000);
});

it('answers a request that arrives while the process is busy until the end of the drain', async () => {
  await request('/0', agent);
  const closed = closeGently(server);
  await wait(700);
  // From here, timers are next, before anything is read.
  await immediate();
  const waiting = request('/0', agent);
  const busyUntil = performance.now() + 500;
  while (performance.now() < busyUntil);
  expect((await waiting).body).toBe('done');
  await closed;
});

it('ends at once without a connection', async () => {
  const closed = closeGently(server).then(() => 'closed');
  expect(await Promise.race([closed, wait(500, 'still open')])).toBe('closed');
});
