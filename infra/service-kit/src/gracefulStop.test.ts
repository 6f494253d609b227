import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeGently, createGracefulStop } from './gracefulStop.ts';

let server: Server | undefined;
const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
  server?.closeAllConnections();
  server?.close();
});

/** A server that sends `/slow` in two halves, the second when it is told to, and anything else at once. */
async function start(drainMs = 0) {
  const [hasBegun, finishes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const own = createServer((request, response) => {
    if (request.url !== '/slow') return response.end('quick');
    response.write('first ');
    hasBegun.resolve();
    void finishes.promise.then(() => response.end('second'));
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
  return { graceful, get, slow: { hasBegun: hasBegun.promise, finish: finishes.resolve } };
}

describe('graceful stop', () => {
  it('completes responses in flight and then closes', async () => {
    const { graceful, get, slow } = await start();
    const response = get('/slow');
    await slow.hasBegun;
    let isGone = false;
    const stopped = graceful.stop().then(() => (isGone = true));
    await wait(30);
    expect(isGone).toBe(false);
    slow.finish();
    expect((await response).text).toBe('first second');
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

  it('answers a request that arrived while the process was busy until the end of the drain', async () => {
    const { graceful, get } = await start(1000);
    const port = (server!.address() as AddressInfo).port;
    const idle = connect(port, '127.0.0.1');
    idle.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(idle, 'data');
    const stopped = graceful.stop();
    await wait(700);
    // From here, timers are next, before anything is read.
    await immediate();
    const answer = once(idle, 'data', { signal: AbortSignal.timeout(5000) });
    idle.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n');
    const waiting = get('/quick');
    const busyUntil = performance.now() + 400;
    while (performance.now() < busyUntil);
    expect(String((await answer)[0])).toContain('quick');
    expect((await waiting).text).toBe('quick');
    await stopped;
  });

  it('stops once for repeated calls', async () => {
    const { graceful } = await start();
    expect(graceful.stop()).toBe(graceful.stop());
    await graceful.stop();
  });
});

const MODULE = JSON.stringify(new URL('./gracefulStop.ts', import.meta.url).href);

/** A program with one request that never ends; sends it the signal, and returns how it ends. */
async function endOf(stop: string, signal: NodeJS.Signals = 'SIGTERM') {
  const program = `
    import { createServer, get } from 'node:http';
    import { createGracefulStop, stopOnSignals } from ${MODULE};
    const server = createServer(() => console.log('requested'));
    const graceful = createGracefulStop(server, { drainMs: 0 });
    stopOnSignals(${stop}, {
      deadlineMs: 300,
      logger: {
        info: ({ signal }, message) => console.log(message + ' by ' + signal),
        error: ({ reason }) => console.log(reason),
      },
    });
    server.listen(0, '127.0.0.1', () => get({ port: server.address().port }).on('error', () => {}));`;
  const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
    if (output === 'requested\n') child.kill(signal);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  const [, stopping, ...reasons] = output.trim().split('\n');
  expect(stopping).toBe(`stopping by ${signal}`);
  return { status, output: reasons.join('\n') };
}

describe('on a signal the process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends with status 0 after %s when all is stopped',
    async (signal) => {
      expect(await endOf('() => Promise.resolve()', signal)).toEqual({ status: 0, output: '' });
    },
  );

  it('ends with status 1 at its deadline while a request never ends', async () => {
    const end = await endOf('() => graceful.stop()');
    expect(end).toEqual({ status: 1, output: 'it took longer than 300 ms' });
  });

  it('ends with status 1 when stopping fails', async () => {
    const end = await endOf("() => Promise.reject(new Error('the flags did not close'))");
    expect(end).toEqual({ status: 1, output: 'the flags did not close' });
  });
});

describe('closing a server gently', () => {
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
    const sent = httpRequest({ host: '127.0.0.1', port: port(), path, agent: through }).end();
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
    await expect(once(httpRequest({ host: '127.0.0.1', port: at }).end(), 'response')).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('finishes requests that had begun, and closes the connections that they leave open', async () => {
    const slow = request('/1500', agent);
    await once(server, 'request');
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
    let isClosed = false;
    const closed = closeGently(server).then(() => (isClosed = true));
    // Turns of the event loop instead of time, which a busy machine takes away: a drain would last for millions.
    for (let turn = 0; turn < 100_000 && !isClosed; turn += 1) await immediate();
    expect(isClosed).toBe(true);
    await closed;
  });
});
