import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import type { SlotRenderer } from '../../slotRenderer.ts';
import { buildReleaseProgram, recordingRenderer, startReleaseHost } from '../../testing/processRenderer.ts';
import { failureOf, loadingSlot, renderJob, textSlot, tinyRelease } from '../../testing/tinyRelease.ts';
import { openChannel } from '../channel.ts';
import { probeSandbox } from '../renderer.ts';
import { chooseSandbox } from '../sandbox.ts';
import { createHostedSandbox } from './hostedSandbox.ts';
import { FROM_HOST_LIMITS, HOST_PROTOCOL } from './hostProtocol.ts';

// What a release may do in there is in `attacks.test.ts` and `visitors.test.ts`, which run at this level, too.

jest.setTimeout(120_000);

let program: Awaited<ReturnType<typeof buildReleaseProgram>>;
let hosted: Awaited<ReturnType<typeof startReleaseHost>>;
const folder = mkdtempSync(join(tmpdir(), 'release-host-'));
beforeAll(async () => {
  program = await buildReleaseProgram();
  hosted = await startReleaseHost(program.file);
});
afterAll(async () => {
  hosted.host.kill('SIGKILL');
  rmSync(folder, { recursive: true });
  await program.remove();
});

const opened: SlotRenderer[] = [];
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((renderer) => renderer.close()));
  for (const server of servers.splice(0)) server.close();
});

function hostedRenderer(limits: object = {}, socket = hosted.socket) {
  const recording = recordingRenderer(createHostedSandbox(socket), { limits });
  opened.push(recording.renderer);
  return recording;
}

it('renders a release, large pages too, in a process of the host', async () => {
  const { renderer } = hostedRenderer();
  const long = 'x'.repeat(900_000);
  const release = tinyRelease({
    good: textSlot('fine'),
    long: `defineSlot({ reads: [], view: () => 'x'.repeat(900_000) })`,
  });
  await renderer.prepare(release);
  expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
  expect((await renderer.render(renderJob(release, 'long', { deadlineMs: 5_000 }))).html).toBe(long);
});

it.each([
  ['CPU time', 'for (;;);', { cpuMs: 200 }, /a job used \d+ ms of CPU time/],
  [
    'memory',
    'const all = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await new Promise((next) => setTimeout(next, 5)); }',
    { hardMemoryMb: 160, cpuMs: 20_000 },
    /it grew to \d+ MB/,
  ],
])('kills a release that takes too much %s, by what the host measured', async (_, body, limits, reason) => {
  const { renderer, deaths } = hostedRenderer(limits);
  const release = tinyRelease({ greedy: loadingSlot(body), good: textSlot('fine') });
  await renderer.prepare(release);
  expect(
    await failureOf(renderer.render(renderJob(release, 'greedy', { deadlineMs: 20_000 }))),
  ).toMatchObject({
    code: 'DIED',
  });
  expect(deaths()).toMatchObject([{ reason: expect.stringMatching(reason) as unknown }]);
  expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
});

/** Leads to the host; paused, nothing from there reaches the shell. */
async function slowSocket() {
  const fromHost: Socket[] = [];
  const path = join(folder, 'slow.sock');
  const server = createServer((shell) => {
    const host = connect(hosted.socket);
    fromHost.push(host);
    for (const [end, other] of [
      [shell, host],
      [host, shell],
    ] as const)
      end
        .on('data', (bytes: Buffer) => other.write(bytes))
        .on('close', () => other.destroy())
        .on('error', () => {});
  });
  servers.push(server);
  server.listen(path);
  await once(server, 'listening');
  return { path, fromHost };
}

const residentMb = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it('holds a flood of output back in its process while the shell reads nothing', async () => {
  const { path, fromHost } = await slowSocket();
  const { renderer, deaths } = hostedRenderer({ cpuMs: 60_000 }, path);
  const flood = `for (let at = 0; at < 1_200; at += 1) {
    console.log('x'.repeat(50_000));
    await new Promise((next) => setTimeout(next, 0));
  }`;
  const release = tinyRelease({ flood: loadingSlot(flood) });
  await renderer.prepare(release);
  const before = residentMb(hosted.host.pid);
  for (const socket of fromHost) socket.pause();
  const ended = failureOf(renderer.render(renderJob(release, 'flood', { deadlineMs: 60_000 })));
  await sleep(2_000);
  // 60 MB were printed.
  expect(residentMb(hosted.host.pid) - before).toBeLessThan(30);
  for (const socket of fromHost) socket.resume();
  await ended;
  for (let tries = 0; tries < 100 && deaths().length === 0; tries += 1) await sleep(100);
  expect(deaths()).toMatchObject([
    { reason: expect.stringMatching(/it sent more than \d+ bytes for one result/) as unknown },
  ]);
});

it('replaces processes that ended with their host, once it is back', async () => {
  const { renderer } = hostedRenderer();
  const release = tinyRelease({ good: textSlot('fine') });
  await renderer.prepare(release);
  hosted.host.kill('SIGKILL');
  await once(hosted.host, 'exit');
  expect(await failureOf(renderer.render(renderJob(release, 'good')))).toMatchObject({
    code: expect.stringMatching(/DIED|NOT_PREPARED/) as unknown,
  });
  hosted = await startReleaseHost(program.file);
  // The start that was under way when the host was away is reported once.
  await failureOf(renderer.render(renderJob(release, 'good')));
  expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
});

const choose = (hostSocket?: string) =>
  chooseSandbox(
    hostSocket === undefined ? 'container' : 'auto',
    'container',
    {
      program: program.file,
      hosted: hostSocket === undefined ? undefined : createHostedSandbox(hostSocket),
      heapMb: 96,
      youngMb: 8,
    },
    probeSandbox,
  );

it('is chosen before other levels when it is configured, and never otherwise', async () => {
  expect((await choose(hosted.socket)).sandbox.level).toBe('container');
  await expect(choose()).rejects.toThrow('no sandbox for releases');
});

it('says that the host is away', async () => {
  await expect(choose(join(folder, 'none.sock'))).rejects.toThrow(/the release host is away: .*ENOENT/);
});

it('refuses a host of another build, and one that does not speak the protocol', async () => {
  const answer = async (message: object) => {
    const path = join(folder, `${servers.length}.sock`);
    const server = createServer((connection) => {
      const { send } = openChannel<object>(connection, {
        ...FROM_HOST_LIMITS,
        receive: () => {},
        broken: () => {},
      });
      connection.on('error', () => {});
      send(message);
    });
    servers.push(server);
    server.listen(path);
    await once(server, 'listening');
    return choose(path);
  };
  const hello = { kind: 'hello', notes: [] };
  await expect(answer({ ...hello, protocol: HOST_PROTOCOL + 1 })).rejects.toThrow(
    'speaks protocol 3, this shell 2',
  );
  await expect(answer({ kind: 'shell', command: 'id' })).rejects.toThrow('broke the protocol');
});
