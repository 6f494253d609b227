import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { manifestBytesOf, sampleRelease, temporaryDirectory } from '@forecourt/release-kit/testing';
import { callersByToken, Credentials } from '../access/credentials.ts';
import { addToStore } from '../releases/addToStore.ts';
import { openRoom } from '../room/openRoom.ts';
import { startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

const TOKEN = 'a-token-of-the-registry';
const PAGE = 'page.0123456789ab.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** A registry with a room, sample releases 1.0.0 and 2.0.0, and credentials by scope. */
async function rig(options: { token?: string; origin?: string; shellUrls?: readonly string[] } = {}) {
  const { token, origin, shellUrls = [] } = options;
  const page = await temporaryDirectory();
  await mkdir(page.path, { recursive: true });
  await writeFile(join(page.path, PAGE), 'page()');
  let callerByToken = callersByToken({ authenticate: () => Promise.reject(new Error('not open')) }, token);
  const room = openRoom({
    token,
    origin,
    isLocal: token === undefined,
    callerByToken: (credential) => callerByToken(credential),
    shellUrls,
    directory: page.path,
  });
  if (!room) throw new Error('the page of the test is missing');
  const registry: TestRegistry = await startTestRegistry({ ...(token && { token }) }, { room });
  closing.push(registry.stop, page.remove);
  const credentials = new Credentials(registry.storage.access);
  callerByToken = callersByToken(credentials, token);
  for (const version of ['1.0.0', '2.0.0']) {
    const release = sampleRelease({ version });
    const upload = { manifestBytes: manifestBytesOf(release), files: release.files };
    await addToStore(registry.storage.releases, upload, { publisher: { by: 'ci' } });
    await registry.board.promote('sample', version);
  }
  const own = { origin: origin ?? registry.url, 'content-type': 'application/json' };
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(registry.url + path, {
      method: 'POST',
      headers: { ...own, ...headers },
      body: JSON.stringify(body),
    });
  const signIn = async (body: object = {}) => {
    const response = await send('/room/api/session', body);
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    return { response, cookie };
  };
  return { registry, credentials, send, signIn };
}

/** A shell that reports this. */
async function startReportingShell(report: object): Promise<string> {
  const shell = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        status: 'ready',
        startedAt: '2026-03-01T12:00:00.000Z',
        windowMinutes: 10,
        remotes: {},
        refused: {},
        canaries: [],
        worse: [],
        slots: [],
        ...report,
      }),
    );
  });
  await new Promise<void>((resolve) => shell.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => shell.close(resolve)));
  return `http://127.0.0.1:${(shell.address() as AddressInfo).port}`;
}

const codeOf = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? response.status;

describe('sessions of the control room', () => {
  it('let someone on this machine roll back from the page', async () => {
    const { registry, send, signIn } = await rig();
    const { response, cookie } = await signIn();
    expect(await response.json()).toMatchObject({ caller: { name: 'local' }, isLocal: true });
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const rollback = await send('/api/remotes/sample/rollback', {}, { cookie });
    expect(await rollback.json()).toMatchObject({ remotes: { sample: { live: '1.0.0' } } });
    const [change] = await registry.board.readChanges({ limit: 1 });
    expect(change).toMatchObject({ by: 'local', verb: 'rollback' });
  });

  it.each([
    ['another site', { origin: 'http://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
  ])('are of no use to %s', async (_, headers) => {
    const { registry, send, signIn } = await rig();
    const { cookie } = await signIn();
    expect(await codeOf(await send('/api/remotes/sample/rollback', {}, { cookie, ...headers }))).toBe(
      'WRITE_REFUSED',
    );
    expect(await codeOf(await send('/room/api/session', {}, headers))).toBe('WRITE_REFUSED');
    expect((await registry.board.read()).remotes['sample']?.live).toBe('2.0.0');
  });

  it('read for the page itself only', async () => {
    const { registry, signIn } = await rig();
    const { cookie } = await signIn();
    const read = (headers: Record<string, string>) =>
      fetch(`${registry.url}/room/api/releases/sample/2.0.0`, { headers: { cookie, ...headers } });
    expect((await read({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await read({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await read({})).status).toBe(403);
  });

  it('need a token outside of local mode, and allow what its credential allows', async () => {
    const { credentials, send, signIn } = await rig({ token: TOKEN });
    expect(await codeOf((await signIn()).response)).toBe('WRITE_REFUSED');
    expect(await codeOf((await signIn({ token: 'frc_unknown' })).response)).toBe('UNAUTHORIZED');
    const administrator = { name: 'bootstrap', scopes: [{ remote: '*', actions: ['administer' as const] }] };
    const { token } = await credentials.create(administrator, {
      name: 'sample-team',
      scopes: [{ remote: 'sample', actions: ['rollback'] }],
    });
    const { cookie } = await signIn({ token });
    expect(await codeOf(await send('/api/remotes/sample/promote', { version: '2.0.0' }, { cookie }))).toBe(
      'FORBIDDEN',
    );
    expect((await send('/api/remotes/sample/rollback', {}, { cookie })).status).toBe(200);

    await credentials.revoke(administrator, 'sample-team');
    expect(await codeOf(await send('/api/remotes/sample/rollback', {}, { cookie }))).toBe('UNAUTHORIZED');
  });

  it('have a cookie for the host alone where the page is served by https', async () => {
    const { signIn } = await rig({ token: TOKEN, origin: 'https://registry.example' });
    const { response, cookie } = await signIn({ token: TOKEN });
    expect(cookie).toMatch(/^__Host-room=/);
    expect(response.headers.get('set-cookie')).toMatch(/; Path=\/; .*; Secure$/);
  });

  it('end by signing out, and do not accept a forged cookie', async () => {
    const { registry, send } = await rig();
    const end = await send('/room/api/session/end', {});
    expect(end.headers.get('set-cookie')).toMatch(/^room=; .*Max-Age=0/);
    const session = await fetch(`${registry.url}/room/api/session`, {
      headers: { cookie: 'room=eyJhbGciOiJkaXIifQ..forged', 'sec-fetch-site': 'same-origin' },
    });
    expect(await session.json()).toEqual({ isLocal: true, hasIssuer: false });
  });
});

describe('page of the control room', () => {
  it('is served at every path of the room, with its own scripts alone', async () => {
    const { registry } = await rig();
    for (const path of ['/room', '/room/sample', '/room/sample/2.0.0']) {
      const page = await fetch(registry.url + path);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(page.headers.get('content-security-policy')).toContain(
        `default-src 'none'; script-src ${registry.url}/room/assets/;`,
      );
      expect(await page.text()).toContain(`src="/room/assets/${PAGE}" integrity="sha384-`);
    }
    const script = await fetch(`${registry.url}/room/assets/${PAGE}`);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(await script.text()).toBe('page()');
    expect((await fetch(`${registry.url}/room/assets/other.js`)).status).toBe(404);
    expect(await codeOf(await fetch(`${registry.url}/room/api/other`))).toBe('NOT_FOUND');
  });

  it('gets the board at once and again when a pointer moves, until the session ends', async () => {
    const url = await startReportingShell({ remotes: { sample: { live: '2.0.0' } } });
    const { registry, signIn } = await rig({ shellUrls: [url, 'http://127.0.0.1:9'] });
    const events = (cookie: string) =>
      fetch(`${registry.url}/room/api/events`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    expect((await events('')).status).toBe(401);

    const { cookie } = await signIn();
    // The stream looks again every two seconds. With that timer stopped, only the change itself can send the board.
    jest.useFakeTimers({
      doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval'],
    });
    closing.push(() => Promise.resolve(jest.useRealTimers()));
    const { body } = await events(cookie);
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => {
      for (let text = ''; ;) {
        const { value, done } = await reader.read();
        if (done) throw new Error('the stream ended');
        text += value;
        const data = /data: (.*)\n\n/.exec(text)?.[1];
        if (data !== undefined) return JSON.parse(data) as Record<string, unknown>;
      }
    };
    expect(await next()).toMatchObject({
      revision: 2,
      remotes: [
        {
          name: 'sample',
          pointer: { live: '2.0.0' },
          previous: '1.0.0',
          releases: [
            { version: '2.0.0', by: 'ci' },
            { version: '1.0.0', by: 'ci' },
          ],
        },
      ],
      shells: expect.arrayContaining([
        { url, report: expect.objectContaining({ remotes: { sample: { live: '2.0.0' } } }) },
        { url: 'http://127.0.0.1:9', problem: expect.stringContaining('UNREACHABLE') },
      ]),
    });
    await registry.board.startCanary('sample', { version: '1.0.0', weight: 5 });
    expect(await next()).toMatchObject({
      revision: 3,
      remotes: [{ pointer: { canary: { version: '1.0.0', weight: 5 } } }],
    });
    await reader.cancel();
  });
});

describe('evidence of a canary', () => {
  const health = (good: number, bad: number) => ({ good, bad });
  const rule = { minFailures: 5, minDifference: 0.02, minEvidence: 1_200 };
  const panel = {
    kind: 'server',
    name: 'panel',
    isRequired: false,
    canary: health(500, 0),
    live: health(5000, 2),
    evidence: 0.5,
    rule,
  };
  const inp = {
    ...panel,
    kind: 'vital',
    name: 'INP',
    goodMs: 200,
    canary: health(40, 30),
    live: health(900, 9),
    evidence: 100,
  };
  const canary = { remote: 'sample', version: '1.0.0', measures: [panel, inp] };

  async function rigWithCanary(reports: readonly object[], token?: string) {
    const shellUrls = await Promise.all(reports.map(startReportingShell));
    const rigged = await rig({ shellUrls, ...(token !== undefined && { token }) });
    await rigged.registry.board.startCanary('sample', { version: '1.0.0', weight: 5 });
    const read = async () =>
      (await (await fetch(`${rigged.registry.url}/api/remotes/sample/canary`)).json()) as unknown;
    return { ...rigged, read };
  }

  it('is added up over the shells, with a verdict for each slot and vital', async () => {
    const { read } = await rigWithCanary([{ canaries: [canary] }, { canaries: [canary] }]);
    expect(await read()).toMatchObject({
      remote: 'sample',
      canary: { version: '1.0.0', weight: 5 },
      live: '2.0.0',
      windowMinutes: 60,
      shells: 2,
      measures: [
        {
          kind: 'server',
          name: 'panel',
          canary: health(1000, 0),
          live: health(10000, 4),
          verdict: { kind: 'fine' },
        },
        {
          kind: 'vital',
          name: 'INP',
          goodMs: 200,
          canary: health(80, 60),
          live: health(1800, 18),
          // Not enough for either shell, but for both together.
          evidence: 10_000,
          verdict: { kind: 'worse' },
        },
      ],
    });
  });

  it('is left out of shells that report too many measures, or counts that are none', async () => {
    const many = { ...canary, measures: Array.from({ length: 201 }, () => inp) };
    const negative = { ...canary, measures: [{ ...inp, canary: health(-1, 0) }] };
    const { measures: _, ...earlier } = canary;
    const { read } = await rigWithCanary([
      { canaries: [many] },
      { canaries: [negative] },
      { canaries: [earlier] },
      { canaries: [canary] },
    ]);
    expect(await read()).toMatchObject({
      shells: 2,
      measures: [{ name: 'panel', canary: health(500, 0), live: health(5000, 2) }, { name: 'INP' }],
    });
  });

  it('needs a credential, because every request asks every shell, and a canary', async () => {
    const { registry } = await rigWithCanary([], TOKEN);
    expect((await fetch(`${registry.url}/api/remotes/sample/canary`)).status).toBe(401);
    const response = await fetch(`${registry.url}/api/remotes/other/canary`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(await codeOf(response)).toBe('NO_CANARY');
  });
});

describe('pictures of slots in the control room', () => {
  /** A shell whose gate accepts every release. */
  async function startGate(): Promise<string> {
    const render = { context: 'ordinary', isGood: true, ms: 3 };
    const renders = [
      { ...render, slot: 'panel', html: '<p>7 vehicles</p>' },
      { ...render, slot: 'side' },
    ];
    const shell = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ release: 'sample@1.0.0', isAccepted: true, refusals: [], renders }));
    });
    await new Promise<void>((resolve) => shell.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => shell.close(resolve)));
    return `http://127.0.0.1:${(shell.address() as AddressInfo).port}`;
  }

  it('are documents with the HTML and styles of the gated release, in which nothing runs', async () => {
    const { registry, send, signIn } = await rig({ shellUrls: [await startGate()] });
    const { cookie } = await signIn();
    const path = '/room/api/releases/sample/1.0.0';
    const read = (slot: string, headers: Record<string, string>) =>
      fetch(`${registry.url}${path}/pictures/${slot}`, {
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
      });
    expect((await read('panel', { cookie })).status).toBe(404);
    const { gateResults } = (await (await send(`${path}/gate`, {}, { cookie })).json()) as {
      gateResults: { result: { renders: { slot: string; html?: unknown }[] } }[];
    };
    expect(gateResults[0]?.result.renders.map(({ slot, html }) => [slot, html])).toEqual([
      ['panel', true],
      ['side', undefined],
    ]);
    const picture = await read('panel', { cookie });
    const html = await picture.text();
    expect(html).toContain('<body inert><p>7 vehicles</p></body>');
    expect(html).toContain('<link rel="stylesheet" href="/remotes/sample/1.0.0/web/panel.css">');
    const policy = picture.headers.get('content-security-policy');
    expect(policy).toMatch(/^sandbox allow-same-origin; default-src 'none'; /);
    expect(policy).not.toMatch(/script|unsafe-inline'? [^;]*script/);
    expect((await read('side', { cookie })).status).toBe(404);
    expect((await read('panel', {})).status).toBe(401);
  });
});
