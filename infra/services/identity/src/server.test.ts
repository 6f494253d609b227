import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPostgres } from '@forecourt/service-kit/postgres';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { prepareStorage } from './openStorage.ts';
import { MIGRATIONS } from './store/accountStore.ts';
import { form } from './testing/flows.ts';
import { CLIENT_ID, createClient, createVisitor, SHOP } from './testing/identityRig.ts';

const bin = findPostgres();
const VISITORS = 4;
/** ms for one step. */
const PROGRESS_MS = 40_000;
let folder: string;
let server: PostgresServer;
const started: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'failover-'));
  if (!bin) return;
  server = await startPostgres(bin);
  await prepareStorage({ DATABASE_URL: `${server.url}?connections=1`, DATA_DIR: folder });
}, 60_000);
afterAll(async () => {
  // After a failure; they would keep the test runner waiting.
  for (const replica of started) replica.kill('SIGKILL');
  await server?.stop();
  rmSync(folder, { recursive: true });
});

interface Replica {
  readonly process: ChildProcess;
  readonly port: number;
  /** Resolves with the exit status, null after a signal. */
  readonly exited: Promise<number | null>;
}

/** Starts the service as operators do on a free port, and waits until it is ready. */
async function startReplica(issuer: string): Promise<Replica> {
  const replica = spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      LOCAL_MODE: 'true',
      DATABASE_URL: server.url,
      DATA_DIR: folder,
      IDENTITY_PORT: '0',
      OIDC_ISSUER: issuer,
      OIDC_CLIENTS: JSON.stringify({ shell: { id: CLIENT_ID, origins: [SHOP] } }),
    },
  });
  started.push(replica);
  const exited = once(replica, 'exit').then(([status]) => status as number | null);
  const port = await new Promise<number>((resolve, reject) => {
    let log = '';
    replica.once('exit', () => reject(new Error('a replica ended at its start')));
    replica.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      const [, listening] = /"port":(\d+)/.exec(log) ?? [];
      if (listening) resolve(Number(listening));
    });
  });
  while (!(await fetch(`http://127.0.0.1:${port}/health/ready`)).ok) await wait(50);
  return { process: replica, port, exited };
}

/** Sends each request to the next replica that accepts connections; a request that was sent is not sent again. */
function forward(
  ports: readonly number[],
  turn: number,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  tries = 0,
) {
  const { method, url, headers } = incoming;
  const port = ports[(turn + tries) % ports.length];
  const upstream = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
  upstream.on('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
    response.on('error', () => outgoing.destroy());
  });
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' && tries + 1 < ports.length)
      return forward(ports, turn, incoming, outgoing, tries + 1);
    return outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end();
  });
  upstream.on('socket', (socket) => socket.once('connect', () => incoming.pipe(upstream)));
}

(bin ? describe : describe.skip)(bin ? 'replicas as processes' : 'skipped: no PostgreSQL', () => {
  it('lose nothing they acknowledged when one is killed and the database crashes, and recover by themselves', async () => {
    const ports: number[] = [];
    let turn = 0;
    const front = createServer((incoming, outgoing) => forward(ports, turn++, incoming, outgoing));
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const replicas = [await startReplica(origin), await startReplica(origin)];
    ports.push(...replicas.map(({ port }) => port));
    const client = createClient(origin);
    const acknowledged: string[] = [];
    const failures: { phases: readonly string[]; reason: string }[] = [];
    let phase = 'calm';

    const requestReset = async (email: string) => {
      const visitor = createVisitor(origin, client);
      const visit = await visitor.begin();
      const response = await visitor.post(`${visit.base}/forgot`, form(visit, { email }));
      if (response.status !== 200) throw new Error(`status ${response.status}`);
    };
    const browse = async (visitor: number) => {
      for (let count = 0; phase !== 'over'; count += 1) {
        const email = `visitor-${visitor}-${count}@example.com`;
        const during = phase;
        await requestReset(email).then(
          () => acknowledged.push(email),
          (error: unknown) => failures.push({ phases: [during, phase], reason: String(error) }),
        );
        await wait(20);
      }
    };
    const progress = async (name: string, count = 20) => {
      phase = name;
      const goal = acknowledged.length + count;
      const deadline = Date.now() + PROGRESS_MS;
      while (acknowledged.length < goal) {
        await wait(20);
        if (Date.now() < deadline) continue;
        phase = 'over';
        throw new Error(`no progress while ${name}; the last failure: ${failures.at(-1)?.reason}`);
      }
    };

    const visitors = Promise.all(Array.from({ length: VISITORS }, (_, index) => browse(index)));
    await progress('calm');
    phase = 'killed';
    replicas[0]!.process.kill('SIGKILL');
    await progress('killed');
    replicas[0] = await startReplica(origin);
    ports[0] = replicas[0].port;
    await progress('replaced');
    phase = 'crashed';
    await server.restart();
    await progress('crashed');
    await progress('recovered');
    phase = 'over';
    await visitors;

    const sql = await openPostgres({ url: server.url, schema: 'identity', migrations: MIGRATIONS });
    const stored = await sql.all<{ recipient: string }>('SELECT recipient FROM mail');
    await sql.close();
    // One that ended by itself had another status.
    for (const { process: replica } of replicas) replica.kill('SIGTERM');
    expect(await Promise.all(replicas.map(({ exited }) => exited))).toEqual([0, 0]);
    front.closeAllConnections();
    front.close();

    expect(acknowledged.length).toBeGreaterThanOrEqual(100);
    expect(acknowledged.filter((email) => !stored.some(({ recipient }) => recipient === email))).toEqual([]);
    // A visit that an outage met fails; at the killed replica, that is at most one per visitor.
    const isOutage = ({ phases }: { phases: readonly string[] }, outage: string) => phases.includes(outage);
    expect(
      failures.filter((failure) => !isOutage(failure, 'killed') && !isOutage(failure, 'crashed')),
    ).toEqual([]);
    expect(failures.filter((failure) => isOutage(failure, 'killed')).length).toBeLessThanOrEqual(VISITORS);
  }, 120_000);
});
