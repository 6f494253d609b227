import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createGracefulStop } from './gracefulStop.ts';

let server: Server | undefined;
const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
  server?.closeAllConnections();
  server?.close();
});

/** A server that sends `/slow` in two halves, 150 ms apart, and anything else at once. */
async function start(drainMs = 0) {
  const own = createServer((request, response) => {
    if (request.url !== '/slow') return response.end('quick');
    response.write('first ');
    setTimeout(() => response.end('second'), 150);
    return undefined;
  });
  server = own;
  const graceful = createGracefulStop(own, { drainMs });
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  const { port } = own.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  const get = (path: string) =>
    new Promise<{ text: string; headers: IncomingMessage['headers'] }>((resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', path, agent }, (response) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part.toString()));
        response.on('end', () => resolve({ text, headers: response.headers }));
        response.on('error', reject);
      })
        .on('error', reject)
        .end();
    });
  return { graceful, get };
}

describe('graceful stop', () => {
  it('completes responses in flight and then closes', async () => {
    const { graceful, get } = await start();
    const slow = get('/slow');
    await wait(50);
    let isGone = false;
    const stopped = graceful.stop().then(() => (isGone = true));
    await wait(30);
    expect(isGone).toBe(false);
    expect((await slow).text).toBe('first second');
    await stopped;
    await expect(get('/quick')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/);
  });

  it('does not wait for idle connections', async () => {
    const { graceful, get } = await start();
    await get('/quick');
    // Nothing but the stop itself closes the connection before the test times out.
    if (server) server.keepAliveTimeout = 3_600_000;
    await graceful.stop();
    await expect(get('/quick')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|hang up/);
  });

  it('serves requests while load balancers drain', async () => {
    const { graceful, get } = await start(1500);
    expect(graceful.isStopping()).toBe(false);
    const stopped = graceful.stop();
    expect(graceful.isStopping()).toBe(true);
    const answers = [];
    for (let times = 0; times < 5; times += 1) answers.push(await get('/quick'));
    expect(answers.map(({ text }) => text)).toEqual(Array(5).fill('quick'));
    // Each of them ends its connection, so that the next one looks for another server.
    expect(answers.map(({ headers }) => headers.connection)).toEqual(Array(5).fill('close'));
    await stopped;
  });

  it('stops once for repeated calls', async () => {
    const { graceful } = await start();
    expect(graceful.stop()).toBe(graceful.stop());
    await graceful.stop();
  });
});
