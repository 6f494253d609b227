import { gatePagesSchema } from '@forecourt/releases/gatePages';
import { shellReportSchema } from '@forecourt/releases/shellReport';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { LIBRARY_PLAN } from '../testing/libraryPlan.ts';
import { startLibrary, type LibraryRig } from '../testing/startLibrary.ts';
import { type ReleaseGate, createTrialQueue } from './gateApi.ts';
import { gatePages } from '../releases/gatePages.ts';
import { shellProvides } from '../releases/releaseLoader.ts';
import { ReleaseError } from '../releases/registryClient.ts';

const rigs: LibraryRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const TOKEN = 'a-token-of-the-registry';
const accept: ReleaseGate['tryOut'] = async (name, version) => ({
  release: `${name}@${version}`,
  isAccepted: true,
  refusals: [],
  renders: [],
});

async function start(environment: Record<string, string>, tryOut = accept): Promise<LibraryRig> {
  const rig = await startLibrary({
    environment,
    adapters: {
      gate: { provides: shellProvides(LIBRARY_PLAN), tryOut, pages: () => gatePages(LIBRARY_PLAN) },
    },
  });
  rigs.push(rig);
  return rig;
}
const asking = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const RELEASE = { remote: 'mfe-x', version: '1.0.0' };
const LOCAL = { LOCAL_MODE: 'true' };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe('release gate of a running shell', () => {
  it('returns what releases are checked against', async () => {
    const { send } = await start({});
    const { status, text } = await send('/releases/provides');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(shellProvides(LIBRARY_PLAN));
  });

  it('tries a release only with the token', async () => {
    const tryOut = jest.fn(accept);
    const { send } = await start({ GATE_TOKEN: TOKEN, ...LOCAL }, tryOut);
    for (const headers of [{}, bearer('another'), bearer(''), { Authorization: TOKEN }])
      expect((await send('/releases/gate', asking(RELEASE, headers))).status).toBe(401);
    expect(tryOut).not.toHaveBeenCalled();
    const { status, text } = await send('/releases/gate', asking(RELEASE, bearer(TOKEN)));
    expect([status, JSON.parse(text)]).toEqual([200, await accept('mfe-x', '1.0.0')]);
  });

  it('gives its recorded pages to the token, with what each call results in', async () => {
    const { send } = await start({ GATE_TOKEN: TOKEN, ...LOCAL });
    expect((await send('/releases/recorded-pages')).status).toBe(401);
    const { status, text } = await send('/releases/recorded-pages', { headers: bearer(TOKEN) });
    expect(status).toBe(200);
    const pages = gatePagesSchema.parse(JSON.parse(text));
    expect(pages.map(({ name }) => name)).toEqual(LIBRARY_PLAN.recordedPages().map(({ name }) => name));
    for (const { kind, slots, answers } of pages) {
      const layout = LIBRARY_PLAN.layouts[kind as keyof typeof LIBRARY_PLAN.layouts] ?? [];
      const ofRemotes = layout.filter(({ source }) => source !== 'shell');
      expect(Object.keys(slots)).toEqual(ofRemotes.map(({ slot }) => slot));
      expect(Object.keys(answers)).toEqual(Object.keys(LIBRARY_PLAN.calls));
    }
  });

  it('reports what it serves to the token, not to visitors', async () => {
    const { send } = await start({ GATE_TOKEN: TOKEN, ...LOCAL });
    expect((await send('/releases/report')).status).toBe(401);
    const { status, text } = await send('/releases/report', { headers: bearer(TOKEN) });
    expect(status).toBe(200);
    expect(shellReportSchema.parse(JSON.parse(text))).toMatchObject({ windowMinutes: 10, canaries: [] });
  });

  it('takes its own token, and not that of the registry', async () => {
    const { send } = await start({ GATE_TOKEN: 'a-token-of-the-gate', REGISTRY_TOKEN: TOKEN });
    const statusFor = async (token: string) =>
      (await send('/releases/gate', asking(RELEASE, bearer(token)))).status;
    expect([await statusFor('a-token-of-the-gate'), await statusFor(TOKEN)]).toEqual([200, 401]);
  });

  it.each([
    ['without token and local mode', {}, {}, 401],
    ['in local mode, from a program of this machine', LOCAL, {}, 200],
    ['in local mode, not from a web page', LOCAL, { Origin: 'http://evil.example' }, 401],
    ['in local mode, not by a name that points here', LOCAL, { Host: 'localhost.evil.example' }, 401],
    ['in local mode, not through a proxy', LOCAL, { 'X-Forwarded-For': '127.0.0.1' }, 401],
    [
      'in local mode, not through one that names the host alone',
      LOCAL,
      { 'X-Forwarded-Host': 'x.example' },
      401,
    ],
  ])('accepts requests %s', async (_, environment, headers, expected) => {
    const { send } = await start(environment);
    expect((await send('/releases/gate', asking(RELEASE, headers as Record<string, string>))).status).toBe(
      expected,
    );
  });

  it.each([
    ['another place to load from', { remote: 'http://evil.example/', version: '1.0.0' }],
    ['a path for a version', { remote: 'mfe-x', version: '../1.0.0' }],
    ['no version', { remote: 'mfe-x' }],
    ['no JSON', '{'],
    ['too much', { ...RELEASE, more: 'x'.repeat(2_000) }],
  ])('refuses %s', async (_, body) => {
    const tryOut = jest.fn(accept);
    const { send } = await start(LOCAL, tryOut);
    const { status } = await send('/releases/gate', asking(body));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(tryOut).not.toHaveBeenCalled();
  });

  it('runs trials sequentially, shares concurrent ones and limits the queue', async () => {
    let atOnce = 0;
    const counts: number[] = [];
    const tryOut = jest.fn<ReleaseGate['tryOut']>(async (name, version) => {
      counts.push((atOnce += 1));
      await new Promise(setImmediate);
      atOnce -= 1;
      return accept(name, version);
    });
    const ask = createTrialQueue(tryOut);
    const trials = Array.from({ length: 9 }, (_, at) => ask('mfe-x', `1.0.${at}`) ?? accept('none', '0.0.0'));
    expect(ask('mfe-x', '1.0.3')).toBe(trials[3]);
    expect(ask('mfe-x', '2.0.0')).toBeUndefined();
    expect((await Promise.all(trials)).map(({ release }) => release)).toEqual(
      trials.map((_, at) => `mfe-x@1.0.${at}`),
    );
    expect(counts).toEqual(Array<number>(9).fill(1));
    expect(await ask('mfe-x', '2.0.0')).toMatchObject({ release: 'mfe-x@2.0.0' });
  });

  it('returns 429 when the queue is full', async () => {
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const { send } = await start(LOCAL, (name, version) => opened.then(() => accept(name, version)));
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => {
        const { status } = await send('/releases/gate', asking({ remote: 'mfe-x', version: `1.0.${at}` }));
        if (status === 429) open();
        return status;
      }),
    );
    expect(statuses.sort()).toEqual([...Array<number>(9).fill(200), 429]);
  });

  it('continues after a failed trial and reports an unreachable registry', async () => {
    const tryOut = jest
      .fn<ReleaseGate['tryOut']>(accept)
      .mockRejectedValueOnce(new ReleaseError('REGISTRY_UNREACHABLE', 'away'));
    const { send } = await start(LOCAL, tryOut);
    const { status, text } = await send('/releases/gate', asking(RELEASE));
    expect(status).toBe(503);
    expect(text).toContain('REGISTRY_UNREACHABLE');
    expect((await send('/releases/gate', asking(RELEASE))).status).toBe(200);
  });
});

describe('release that this shell refuses', () => {
  it('appears with its rule in readiness and metrics', async () => {
    const refusal = {
      rule: 'SIZE_BUDGET',
      expected: 'less',
      found: 'more',
      remedy: 'load it later',
    } as const;
    const rig = await startLibrary({
      adapters: {
        releases: {
          live: () => new Map(),
          find: () => undefined,
          refused: () => new Map([['mfe-x@1.0.0', [refusal]]]),
        },
      },
    });
    rigs.push(rig);
    expect(JSON.parse((await rig.send('/health/ready')).text)).toMatchObject({
      refused: { 'mfe-x@1.0.0': [refusal] },
    });
    expect(await rig.metrics.metrics()).toContain(
      'forecourt_release_refused{remote="mfe-x",release="mfe-x@1.0.0",rule="SIZE_BUDGET"} 1',
    );
  });
});
