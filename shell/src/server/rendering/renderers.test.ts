import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CallName, CallParams } from '@forecourt/shared-contracts/calls';
import type { LoadedRelease } from './release.ts';
import { createInlineRenderer } from './inline.ts';
import type { RenderFailure, RenderJob, SlotRenderer } from './slotRenderer.ts';
import { textSlot, tinyRelease } from './testing/tinyRelease.ts';
import { buildWorkerFile } from './testing/workerFile.ts';
import { createWorkerRenderer, type WorkerRendererOptions } from './worker/renderer.ts';

jest.setTimeout(120_000);

let built: Awaited<ReturnType<typeof buildWorkerFile>>;
beforeAll(async () => {
  built = await buildWorkerFile();
});
afterAll(() => built.remove());

const open: SlotRenderer[] = [];
afterEach(() => Promise.all(open.splice(0).map((renderer) => renderer.close())));

type LogEvent = Parameters<WorkerRendererOptions['log']>[0];

function workerRenderer(options: Partial<WorkerRendererOptions> = {}) {
  const events: LogEvent[] = [];
  const renderer = createWorkerRenderer({
    file: built.file,
    log: (event) => events.push(event),
    ...options,
    limits: { paintMs: 200, ...options.limits },
  });
  open.push(renderer);
  return { renderer, events, deaths: () => events.filter(({ event }) => event === 'worker-died') };
}

function inlineRenderer() {
  const renderer = createInlineRenderer();
  open.push(renderer);
  return { renderer };
}

function job(release: LoadedRelease, slot: string, changes: Partial<RenderJob> = {}): RenderJob {
  return {
    release,
    slot,
    state: {},
    deadlineMs: 2_000,
    call: () => Promise.reject(new Error('no call is expected')),
    signal: new AbortController().signal,
    ...changes,
  };
}

const failureOf = (rendering: Promise<unknown>) =>
  rendering.then(
    () => undefined,
    (error: RenderFailure) => error,
  );
const LOADS = (body: string) =>
  `defineSlot({ needs: [], load: async ({ call, state, signal }) => { ${body} },
    view: ({ data }) => React.createElement('p', null, String(data)) })`;

describe.each([
  ['inline', inlineRenderer],
  ['worker', workerRenderer],
] as const)('the %s renderer', (_, create) => {
  it('renders the view of a slot with its slice of the state', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      heading: `defineSlot({ needs: ['search.texts'], view: () => {
        const heading = usePageState((state) => state.search.texts.heading);
        return React.createElement('h1', { id: React.useId() }, heading);
      } })`,
    });
    await renderer.prepare(release);
    const state = {
      search: { texts: { heading: 'Ford & <Co>', title: '', description: '', canonicalUrl: '' } },
    };
    const { html } = await renderer.render(job(release, 'heading', { state }));
    expect(html).toMatch(/^<h1 id="_heading-[^"]*">Ford &amp; &lt;Co&gt;<\/h1>$/);
  });

  it('runs the calls of `load` through the shell and hands the data on', async () => {
    const { renderer } = create();
    const release = tinyRelease({ city: LOADS(`return (await call('zipLookup', { zip: '60601' })).city`) });
    await renderer.prepare(release);
    const asked: [CallName, CallParams][] = [];
    const call: RenderJob['call'] = (name, params) => {
      asked.push([name, params]);
      return Promise.resolve({ city: 'Chicago' });
    };
    expect(await renderer.render(job(release, 'city', { call }))).toEqual({
      html: '<p>Chicago</p>',
      data: 'Chicago',
    });
    expect(asked).toEqual([['zipLookup', { zip: '60601' }]]);
  });

  it('hands on what search engines shall know of the slot', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      city: `defineSlot({ needs: ['search.url'], load: async () => 'Chicago', view: () => null,
        structuredData: ({ state, data }) => ({ '@type': 'City', name: data, url: state.search.url }) })`,
    });
    await renderer.prepare(release);
    const state = { search: { url: '/cars-for-sale/all-cars' } };
    expect(await renderer.render(job(release, 'city', { state }))).toEqual({
      html: '',
      data: 'Chicago',
      structuredData: { '@type': 'City', name: 'Chicago', url: '/cars-for-sale/all-cars' },
    });
  });

  it('lets `load` hear of a call that failed', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      city: LOADS(`try { await call('zipLookup', {}) } catch (error) { return 'failed: ' + error.message }`),
    });
    await renderer.prepare(release);
    const call = () => Promise.reject(new Error('no answer'));
    expect((await renderer.render(job(release, 'city', { call }))).html).toMatch(/failed: .*no answer/);
  });

  it.each([
    ['a view that throws', `defineSlot({ needs: [], view: () => { throw new Error('boom') } })`],
    ['a `load` that rejects', LOADS(`throw new Error('boom')`)],
  ])('rejects with THREW for %s and goes on', async (_, source) => {
    const { renderer } = create();
    const release = tinyRelease({ bad: source, good: textSlot('fine') });
    await renderer.prepare(release);
    expect(await failureOf(renderer.render(job(release, 'bad')))).toMatchObject({
      code: 'THREW',
      message: expect.stringContaining('boom') as unknown,
    });
    expect((await renderer.render(job(release, 'good'))).html).toBe('<p>fine</p>');
  });

  it('cuts a `load` that never answers at the deadline, and its calls with it', async () => {
    const { renderer } = create();
    const release = tinyRelease({ slow: LOADS(`return call('zipLookup', {})`) });
    await renderer.prepare(release);
    let cut: AbortSignal | undefined;
    const call: RenderJob['call'] = (_, __, signal) => {
      cut = signal;
      return new Promise(() => {});
    };
    expect(await failureOf(renderer.render(job(release, 'slow', { call, deadlineMs: 100 })))).toMatchObject({
      code: 'DEADLINE',
    });
    expect(cut?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('stops when the visitor leaves, and begins nothing for one who has left', async () => {
    const { renderer } = create();
    const release = tinyRelease({ slow: LOADS(`return call('zipLookup', {})`) });
    await renderer.prepare(release);
    const call = jest.fn<RenderJob['call']>(() => new Promise(() => {}));
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 50);
    expect(
      await failureOf(renderer.render(job(release, 'slow', { call, signal: leaving.signal }))),
    ).toMatchObject({
      code: 'CANCELLED',
    });
    const calls = call.mock.calls.length;
    expect(
      await failureOf(renderer.render(job(release, 'slow', { call, signal: leaving.signal }))),
    ).toMatchObject({
      code: 'CANCELLED',
    });
    expect(call).toHaveBeenCalledTimes(calls);
  });

  it('refuses a release which throws, is no container, or exposes no slot', async () => {
    const { renderer } = create();
    const broken = (source: string) => ({
      ...tinyRelease({ x: textSlot('x') }),
      nodeSources: new Map([['remoteEntry.cjs', source]]),
    });
    await expect(renderer.prepare(broken('throw new Error("at load")'))).rejects.toThrow('at load');
    await expect(renderer.prepare(broken('module.exports = 1'))).rejects.toThrow('no federation container');
    await expect(renderer.prepare(broken('}{'))).rejects.toThrow();
    await expect(renderer.prepare(tinyRelease({ x: '({ view: 1 })' }))).rejects.toThrow('no slot module');
    await expect(renderer.prepare(tinyRelease({ x: '1' }, { top: `require('node:fs')` }))).rejects.toThrow(
      `requires 'node:fs'`,
    );
  });

  it('knows a release no more once it is retired', async () => {
    const { renderer } = create();
    const release = tinyRelease({ x: textSlot('x') });
    await renderer.prepare(release);
    renderer.retire(release.id);
    expect(await failureOf(renderer.render(job(release, 'x')))).toMatchObject({ code: 'NOT_PREPARED' });
  });

  it('gives a release neither environment nor exit', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      env: `defineSlot({ needs: [], view: () => React.createElement('p', null, JSON.stringify(process.env)) })`,
      exit: `defineSlot({ needs: [], view: () => process.exit(1) })`,
    });
    await renderer.prepare(release);
    expect((await renderer.render(job(release, 'env'))).html).toContain(
      '{&quot;NODE_ENV&quot;:&quot;production&quot;}',
    );
    expect(await failureOf(renderer.render(job(release, 'exit')))).toMatchObject({ code: 'THREW' });
  });
});

describe('the worker renderer, when a release misbehaves', () => {
  const HANGS = `defineSlot({ needs: [], view: () => { for (;;); } })`;

  it('replaces a thread whose view hangs, and runs the innocent jobs behind it once more', async () => {
    const { renderer, deaths } = workerRenderer();
    const release = tinyRelease({ hangs: HANGS, good: textSlot('fine') });
    await renderer.prepare(release);
    const guilty = failureOf(renderer.render(job(release, 'hangs')));
    const innocent = [1, 2, 3].map(() => renderer.render(job(release, 'good')));
    for (const { html } of await Promise.all(innocent)) expect(html).toBe('<p>fine</p>');
    expect(await guilty).toMatchObject({ code: 'DIED' });
    expect(deaths()).toHaveLength(1);
  });

  it('leaves other releases untouched by it', async () => {
    const { renderer } = workerRenderer();
    const bad = tinyRelease({ hangs: HANGS }, { name: 'mfe-bad' });
    const good = tinyRelease({ good: textSlot('fine') }, { name: 'mfe-good' });
    await Promise.all([renderer.prepare(bad), renderer.prepare(good)]);
    const guilty = failureOf(renderer.render(job(bad, 'hangs')));
    const fine = renderer.render(job(good, 'good'));
    // Whichever is first: the good one does not wait until the other's thread has died.
    expect(await Promise.race([fine, guilty])).toMatchObject({ html: '<p>fine</p>' });
    expect(await guilty).toMatchObject({ code: 'DIED' });
  });

  it('finds out a thread that hangs outside of a view, and replaces it', async () => {
    const { renderer, deaths } = workerRenderer();
    const release = tinyRelease({ hangs: LOADS('for (;;);'), good: textSlot('fine') });
    await renderer.prepare(release);
    expect(await failureOf(renderer.render(job(release, 'hangs', { deadlineMs: 100 })))).toMatchObject({
      code: 'DEADLINE',
    });
    expect((await renderer.render(job(release, 'good'))).html).toBe('<p>fine</p>');
    expect(deaths()).toMatchObject([{ reason: 'its thread was silent for 200 ms' }]);
  });

  it('does not take a slow but answering `load` for a hang', async () => {
    const { renderer, deaths } = workerRenderer();
    const release = tinyRelease({ slow: LOADS('await new Promise(() => {})'), good: textSlot('fine') });
    await renderer.prepare(release);
    await failureOf(renderer.render(job(release, 'slow', { deadlineMs: 50 })));
    await pause(300);
    expect((await renderer.render(job(release, 'good'))).html).toBe('<p>fine</p>');
    expect(deaths()).toEqual([]);
  });

  it('does not run a job whose deadline passed while it was queued', async () => {
    const { renderer } = workerRenderer({ limits: { paintMs: 1_000 } });
    const release = tinyRelease(
      {
        busy: `defineSlot({ needs: [], view: () => { const end = Date.now() + 150; while (Date.now() < end); return null } })`,
        counted: `defineSlot({ needs: [], view: () => { runs += 1; return null } })`,
        runs: `defineSlot({ needs: [], view: () => React.createElement('p', null, runs) })`,
      },
      { top: 'let runs = 0;' },
    );
    await renderer.prepare(release);
    const first = renderer.render(job(release, 'busy'));
    const late = failureOf(renderer.render(job(release, 'counted', { deadlineMs: 50 })));
    expect(await late).toMatchObject({ code: 'DEADLINE' });
    await first;
    expect((await renderer.render(job(release, 'runs'))).html).toBe('<p>0</p>');
  });

  it('lets a release rest that dies again and again, and tries it again after the window', async () => {
    const { renderer, deaths } = workerRenderer({ maxDeaths: 1, deathWindowMs: 1_500 });
    const release = tinyRelease({ hangs: HANGS, good: textSlot('fine') });
    await renderer.prepare(release);
    expect(await failureOf(renderer.render(job(release, 'hangs')))).toMatchObject({ code: 'DIED' });
    expect(await failureOf(renderer.render(job(release, 'hangs')))).toMatchObject({ code: 'DIED' });
    expect(await failureOf(renderer.render(job(release, 'good')))).toMatchObject({ code: 'TRIPPED' });
    expect(deaths()).toHaveLength(2);
    await pause(1_600);
    expect((await renderer.render(job(release, 'good'))).html).toBe('<p>fine</p>');
    // It hangs again right after its rest: once is enough now, and the rest is twice as long.
    expect(await failureOf(renderer.render(job(release, 'hangs')))).toMatchObject({ code: 'DIED' });
    await pause(1_600);
    expect(await failureOf(renderer.render(job(release, 'good')))).toMatchObject({ code: 'TRIPPED' });
    expect(deaths()).toHaveLength(3);
  });

  it('logs a late asynchronous throw as the release’s own and goes on', async () => {
    const { renderer, events } = workerRenderer();
    const release = tinyRelease({
      late: `defineSlot({ needs: [], view: () => { setTimeout(() => { throw new Error('late') }); return null } })`,
      rejects: `defineSlot({ needs: [], view: () => { Promise.reject(new Error('unheard')); return null } })`,
      good: textSlot('fine'),
    });
    await renderer.prepare(release);
    await renderer.render(job(release, 'late'));
    await renderer.render(job(release, 'rejects'));
    await pause(50);
    expect((await renderer.render(job(release, 'good'))).html).toBe('<p>fine</p>');
    // A timer's throw and a rejection have no order between them.
    expect(events).toHaveLength(2);
    for (const reason of ['late', 'unheard'])
      expect(events).toContainEqual({ event: 'worker-stray', release: release.id, reason });
  });

  it('puts what a release prints into the log, and no more than so much of it', async () => {
    const { renderer, events } = workerRenderer();
    const release = tinyRelease({
      prints: `defineSlot({ needs: [], view: () => { console.log('hello'); return null } })`,
      throws: `defineSlot({ needs: [], view: () => { for (let at = 0; at < 100; at += 1) setTimeout(() => { throw new Error('again') }); return null } })`,
    });
    await renderer.prepare(release);
    await renderer.render(job(release, 'prints'));
    await renderer.render(job(release, 'throws'));
    await pause(200);
    expect(events).toContainEqual({ event: 'worker-output', release: release.id, reason: 'hello' });
    expect(events.length).toBeLessThanOrEqual(20);
  });

  it('keeps files, exit and bindings of the process from a release', async () => {
    const { renderer, deaths } = workerRenderer();
    const release = tinyRelease({
      global: `defineSlot({ needs: [], view: () => React.createElement('p', null, Object.keys(globalThis.process).join()) })`,
      made: `defineSlot({ needs: [], view: () => React.createElement('p', null, new Function('return typeof process.getBuiltinModule')()) })`,
    });
    await renderer.prepare(release);
    expect((await renderer.render(job(release, 'global'))).html).toBe('<p>env</p>');
    expect((await renderer.render(job(release, 'made'))).html).toBe('<p>undefined</p>');
    expect(deaths()).toEqual([]);
  });

  it('outlives a heap that overflows', async () => {
    const { renderer, deaths } = workerRenderer({ limits: { heapMb: 24, paintMs: 5_000 } });
    const release = tinyRelease({
      leaks: `defineSlot({ needs: [], view: () => { const kept = []; for (;;) kept.push(new Array(1e4).fill(kept.length)) } })`,
      good: textSlot('fine'),
    });
    await renderer.prepare(release);
    expect(await failureOf(renderer.render(job(release, 'leaks', { deadlineMs: 10_000 })))).toMatchObject({
      code: 'DIED',
    });
    expect((await renderer.render(job(release, 'good'))).html).toBe('<p>fine</p>');
    expect(deaths()).toHaveLength(1);
  });

  it.each(['return null', 'throw new Error("and throws")'])(
    'recycles a thread whose buffers grow although its view would %s',
    async (end) => {
      const { renderer, deaths } = workerRenderer({ limits: { externalMb: 32 } });
      const release = tinyRelease(
        {
          leaks: `defineSlot({ needs: [], view: () => { kept.push(Buffer.alloc(40 * 1024 * 1024)); ${end} } })`,
          good: textSlot('fine'),
        },
        { top: 'const kept = [];' },
      );
      await renderer.prepare(release);
      await failureOf(renderer.render(job(release, 'leaks')));
      expect((await renderer.render(job(release, 'good'))).html).toBe('<p>fine</p>');
      expect(deaths()).toMatchObject([{ reason: 'its buffers outgrew their limit' }]);
    },
  );

  it('refuses a release that is not ready in time', async () => {
    const { renderer } = workerRenderer({ limits: { bootMs: 300 } });
    const release = tinyRelease({ x: textSlot('x') }, { top: 'for (;;);' });
    await expect(renderer.prepare(release)).rejects.toThrow('not ready in 300 ms');
  });

  it('hands only data that is JSON to the shell', async () => {
    const { renderer } = workerRenderer();
    const release = tinyRelease({
      odd: `defineSlot({ needs: [], load: async () => ({ kept: 1, date: new Date(0), gone: () => {} }), view: () => null })`,
    });
    await renderer.prepare(release);
    expect((await renderer.render(job(release, 'odd'))).data).toEqual({
      kept: 1,
      date: '1970-01-01T00:00:00.000Z',
    });
  });
});

describe('the worker renderer, when the modules of a release leave something running', () => {
  const prepare = (top: string) =>
    workerRenderer().renderer.prepare(tinyRelease({ x: textSlot('x') }, { top }));

  it.each([
    ['an interval', 'setInterval(() => {}, 1000);', 'Timeout'],
    ['a timer that holds no process up', 'setInterval(() => {}, 1000).unref();', 'Timeout'],
    ['a late timer', 'setTimeout(() => {}, 60_000);', 'Timeout'],
    ['a chain of timers', '(function again() { setTimeout(again, 5); })();', 'Timeout'],
  ])('refuses %s', async (_, top, kind) => {
    expect(await failureOf(prepare(top))).toMatchObject({ code: 'LEFT_RUNNING', message: kind });
  });

  it.each([
    ['what is over at once', 'setTimeout(() => {}, 0); setImmediate(() => {}); queueMicrotask(() => {});'],
    ['a timer that was stopped', 'clearInterval(setInterval(() => {}, 10));'],
    ['what it prints', 'console.log("loaded"); console.error("loaded");'],
    ['promises and messages', 'new Promise(() => {}); new MessageChannel(); new AbortController();'],
  ])('accepts %s', async (_, top) => {
    await expect(prepare(top)).resolves.toBeUndefined();
  });
});
