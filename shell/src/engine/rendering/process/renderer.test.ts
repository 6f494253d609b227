import { getPriority, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RenderFailure, type SlotRenderer, withDeadline } from '../slotRenderer.ts';
import { recordingRenderer, testSandboxes } from '../testing/processRenderer.ts';
import { failureOf, loadingSlot, renderJob, textSlot, tinyRelease } from '../testing/tinyRelease.ts';
import type { ProcessRendererOptions } from './renderer.ts';

jest.setTimeout(120_000);

let built: Awaited<ReturnType<typeof testSandboxes>>;
beforeAll(async () => {
  built = await testSandboxes(['process']);
});
afterAll(() => built.remove());

const open: SlotRenderer[] = [];
afterEach(() => Promise.all(open.splice(0).map((renderer) => renderer.close())));

function processRenderer(
  options: Omit<Partial<ProcessRendererOptions>, 'limits'> & {
    limits?: ProcessRendererOptions['limits'];
  } = {},
) {
  // On a busy machine a hang at lower priority would take longer to be noticed.
  const limits = { cpuMs: 200, silenceMs: 200, normalCpuMs: Infinity, ...options.limits };
  const recording = recordingRenderer(built.sandboxes.get('process')!, { ...options, limits });
  open.push(recording.renderer);
  return recording;
}

describe('the process renderer, when a release misbehaves', () => {
  const HANGS = `defineSlot({ reads: [], view: () => { for (;;); } })`;

  it('replaces a process whose view hangs, and runs the innocent jobs behind it once more', async () => {
    const { renderer, deaths } = processRenderer();
    const release = tinyRelease({ hangs: HANGS, good: textSlot('fine') });
    await renderer.prepare(release);
    const guilty = failureOf(renderer.render(renderJob(release, 'hangs')));
    const innocent = [1, 2, 3].map(() => renderer.render(renderJob(release, 'good')));
    for (const { html } of await Promise.all(innocent)) expect(html).toBe('<p>fine</p>');
    expect(await guilty).toMatchObject({ code: 'DIED' });
    expect(deaths()).toHaveLength(1);
  });

  it('runs an older job once more, too, which waited for its data while the view of a younger one hung', async () => {
    const { renderer, deaths } = processRenderer();
    const release = tinyRelease({
      hangs: HANGS,
      loads: loadingSlot(`return call('branch', {}).catch(({ message }) => message);`),
    });
    await renderer.prepare(release);
    const calls: number[] = [];
    let guilty: Promise<RenderFailure | undefined> | undefined;
    const call = () => {
      calls.push(calls.length);
      if (calls.length > 1) return Promise.reject(new Error('closed'));
      guilty = failureOf(renderer.render(renderJob(release, 'hangs')));
      return new Promise<never>(() => {});
    };
    const innocent = await renderer.render(renderJob(release, 'loads', { call }));
    expect(innocent.html).toContain('closed');
    expect(await guilty).toMatchObject({ code: 'DIED' });
    expect([calls.length, deaths().length]).toEqual([2, 1]);
  });

  it('says where the code of a release threw', async () => {
    const { renderer } = processRenderer();
    const release = tinyRelease({
      throws: `defineSlot({ reads: [], view: function PriceTag() { throw new Error('no price'); } })`,
    });
    await renderer.prepare(release);
    const failure = await failureOf(renderer.render(renderJob(release, 'throws')));
    expect(failure).toMatchObject({ code: 'THREW', message: 'no price' });
    expect((failure as RenderFailure).releaseStack).toMatch(/^ +at .*PriceTag/);
  });

  it('leaves other releases untouched by it', async () => {
    const { renderer } = processRenderer();
    const bad = tinyRelease({ hangs: HANGS }, { name: 'mfe-bad' });
    const good = tinyRelease({ good: textSlot('fine') }, { name: 'mfe-good' });
    await Promise.all([renderer.prepare(bad), renderer.prepare(good)]);
    const guilty = failureOf(renderer.render(renderJob(bad, 'hangs')));
    const fine = renderer.render(renderJob(good, 'good'));
    // Whichever is first: the good one does not wait until the other's process has died.
    expect(await Promise.race([fine, guilty])).toMatchObject({ html: '<p>fine</p>' });
    expect(await guilty).toMatchObject({ code: 'DIED' });
  });

  it('finds out a process that hangs outside of a view, and replaces it', async () => {
    const { renderer, deaths } = processRenderer();
    const release = tinyRelease({ hangs: loadingSlot('for (;;);'), good: textSlot('fine') });
    await renderer.prepare(release);
    expect(await failureOf(renderer.render(renderJob(release, 'hangs', { deadlineMs: 100 })))).toMatchObject({
      code: 'DEADLINE',
    });
    expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
    expect(deaths()).toMatchObject([{ reason: expect.stringMatching(/CPU time|did not reply/) as unknown }]);
  });

  it('does not take a slow but answering `load` for a hang', async () => {
    const { renderer, deaths } = processRenderer();
    const release = tinyRelease({ slow: loadingSlot('await new Promise(() => {})'), good: textSlot('fine') });
    await renderer.prepare(release);
    await failureOf(renderer.render(renderJob(release, 'slow', { deadlineMs: 50 })));
    await pause(300);
    expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
    expect(deaths()).toEqual([]);
  });

  it('does not run a job whose deadline passed while it was queued', async () => {
    const { renderer } = processRenderer({ limits: { cpuMs: 1_000, silenceMs: Infinity } });
    // The deadline does not count the time in which the process waits for a core, so the first job takes many times as long.
    const release = tinyRelease(
      {
        busy: `defineSlot({ reads: [], view: () => { const end = Date.now() + 600; while (Date.now() < end); return null } })`,
        counted: `defineSlot({ reads: [], view: () => { runs += 1; return null } })`,
        runs: `defineSlot({ reads: [], view: () => React.createElement('p', null, runs) })`,
      },
      { top: 'let runs = 0;' },
    );
    await renderer.prepare(release);
    const first = renderer.render(renderJob(release, 'busy'));
    const late = failureOf(renderer.render(renderJob(release, 'counted', { deadlineMs: 50 })));
    expect(await late).toMatchObject({ code: 'DEADLINE' });
    await first;
    expect((await renderer.render(renderJob(release, 'runs'))).html).toBe('<p>0</p>');
  });

  it('lets a release rest that dies again and again, and tries it again after the window', async () => {
    let laterMs = 0;
    const realNow = Date.now;
    const now = jest.spyOn(Date, 'now').mockImplementation(() => realNow() + laterMs);
    const windowMs = 60_000;
    const { renderer, deaths } = processRenderer({ maxDeaths: 1, deathWindowMs: windowMs });
    const release = tinyRelease({ hangs: HANGS, good: textSlot('fine') });
    await renderer.prepare(release);
    expect(await failureOf(renderer.render(renderJob(release, 'hangs')))).toMatchObject({ code: 'DIED' });
    expect(await failureOf(renderer.render(renderJob(release, 'hangs')))).toMatchObject({ code: 'DIED' });
    expect(await failureOf(renderer.render(renderJob(release, 'good')))).toMatchObject({ code: 'PAUSED' });
    expect(deaths()).toHaveLength(2);
    laterMs += windowMs;
    expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
    // It hangs again right after its rest: once is enough now, and the rest is twice as long.
    expect(await failureOf(renderer.render(renderJob(release, 'hangs')))).toMatchObject({ code: 'DIED' });
    laterMs += windowMs;
    expect(await failureOf(renderer.render(renderJob(release, 'good')))).toMatchObject({ code: 'PAUSED' });
    expect(deaths()).toHaveLength(3);
    now.mockRestore();
  });

  it('logs a late asynchronous throw as the release’s own and goes on', async () => {
    const { renderer, events } = processRenderer();
    const release = tinyRelease({
      late: `defineSlot({ reads: [], view: () => { setTimeout(() => { throw new Error('late') }); return null } })`,
      rejects: `defineSlot({ reads: [], view: () => { Promise.reject(new Error('unheard')); return null } })`,
      good: textSlot('fine'),
    });
    await renderer.prepare(release);
    await renderer.render(renderJob(release, 'late'));
    await renderer.render(renderJob(release, 'rejects'));
    await pause(50);
    expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
    // A timer's throw and a rejection have no order between them.
    expect(events).toHaveLength(2);
    for (const reason of ['late', 'unheard'])
      expect(events).toContainEqual({ event: 'release-error', release: release.id, reason });
  });

  it('puts what a release prints into the log, and no more than so much of it', async () => {
    const { renderer, events } = processRenderer();
    const release = tinyRelease({
      prints: `defineSlot({ reads: [], view: () => { console.log('hello'); return null } })`,
      throws: `defineSlot({ reads: [], view: () => { for (let at = 0; at < 100; at += 1) setTimeout(() => { throw new Error('again') }); return null } })`,
    });
    await renderer.prepare(release);
    await renderer.render(renderJob(release, 'prints'));
    await renderer.render(renderJob(release, 'throws'));
    await pause(200);
    expect(events).toContainEqual({ event: 'release-output', release: release.id, reason: 'hello' });
    expect(events.length).toBeLessThanOrEqual(20);
  });

  it('keeps files, exit and bindings of the process from a release', async () => {
    const { renderer, deaths } = processRenderer();
    const release = tinyRelease({
      global: `defineSlot({ reads: [], view: () => React.createElement('p', null, Object.keys(globalThis.process).join()) })`,
      made: `defineSlot({ reads: [], view: () => React.createElement('p', null, new Function('return typeof process.getBuiltinModule')()) })`,
    });
    await renderer.prepare(release);
    expect((await renderer.render(renderJob(release, 'global'))).html).toBe('<p>env</p>');
    expect((await renderer.render(renderJob(release, 'made'))).html).toBe('<p>undefined</p>');
    expect(deaths()).toEqual([]);
  });

  it('outlives a heap that overflows', async () => {
    const { renderer, deaths } = processRenderer({ limits: { cpuMs: 5_000, hardMemoryMb: 1_000 } });
    const release = tinyRelease({
      leaks: `defineSlot({ reads: [], view: () => { const kept = []; for (;;) kept.push(new Array(1e4).fill(kept.length)) } })`,
      good: textSlot('fine'),
    });
    await renderer.prepare(release);
    expect(
      await failureOf(renderer.render(renderJob(release, 'leaks', { deadlineMs: 10_000 }))),
    ).toMatchObject({
      code: 'DIED',
    });
    expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
    expect(deaths()).toHaveLength(1);
  });

  it.each(['return null', 'throw new Error("and throws")'])(
    'replaces a process whose buffers grow although its view would %s, without failing a render',
    async (end) => {
      // Filling the buffer takes CPU time, up to some hundred ms where page faults are slow.
      const limits = { softMemoryMb: 70, cpuMs: 5_000, silenceMs: 5_000 };
      const { renderer, events, deaths } = processRenderer({ limits });
      const release = tinyRelease(
        {
          leaks: `defineSlot({ reads: [], view: () => { kept.push(Buffer.alloc(60 * 1024 * 1024, 1)); ${end} } })`,
          size: `defineSlot({ reads: [], view: () => React.createElement('p', null, kept.length) })`,
        },
        { top: 'const kept = [];' },
      );
      await renderer.prepare(release);
      await failureOf(renderer.render(renderJob(release, 'leaks')));
      let html = '';
      for (let tries = 0; tries < 40 && html !== '<p>0</p>'; tries += 1) {
        ({ html } = await renderer.render(renderJob(release, 'size')));
        await pause(50);
      }
      expect(html).toBe('<p>0</p>');
      expect(events).toMatchObject([{ event: 'release-recycled' }]);
      expect(deaths()).toEqual([]);
    },
  );

  it('starts one replacement when a process that has grown dies before its replacement runs', async () => {
    const sandbox = built.sandboxes.get('process')!;
    let starts = 0;
    const counting = { ...sandbox, start: () => ((starts += 1), sandbox.start()) };
    const limits = { softMemoryMb: 1, maxCalls: 1, cpuMs: 5_000, silenceMs: 5_000 };
    const { renderer, deaths } = recordingRenderer(counting, { limits });
    open.push(renderer);
    const dies = loadingSlot(`for (;;) await call('branch', {}).catch(() => {})`);
    const release = tinyRelease({ dies, good: textSlot('fine') });
    await renderer.prepare(release);
    await renderer.render(renderJob(release, 'good'));
    expect(await failureOf(renderer.render(renderJob(release, 'dies')))).toMatchObject({ code: 'DIED' });
    expect(deaths()).toHaveLength(1);
    expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
    // The last render found a grown process again.
    expect(starts).toBe(3);
  });

  it('lets other releases go first while a job uses more CPU time than most, where that is permitted', async () => {
    const normal = getPriority();
    try {
      setPriority(normal - 1);
      setPriority(normal);
    } catch {
      return;
    }
    const sandbox = built.sandboxes.get('process')!;
    let pid = 0;
    const start = () => {
      const started = sandbox.start();
      void started.pid.then((id) => (pid = id));
      return started;
    };
    const { renderer } = recordingRenderer({ ...sandbox, start }, { limits: { cpuMs: 60_000 } });
    open.push(renderer);
    const works = loadingSlot('let sum = 0; for (let at = 0; at < 1e9; at += 1) sum ^= at; return sum;');
    const release = tinyRelease({ works, good: textSlot('fine') });
    await renderer.prepare(release);
    await renderer.render(renderJob(release, 'good'));
    expect(getPriority(pid)).toBe(normal);
    const working = renderer.render(renderJob(release, 'works', { deadlineMs: 60_000 }));
    for (let tries = 0; tries < 500 && getPriority(pid) === normal; tries += 1) await pause(20);
    expect(getPriority(pid)).toBe(Math.min(normal + 10, 19));
    await working;
    expect(getPriority(pid)).toBe(normal);
  });

  it('says how long the machine kept a late job waiting', async () => {
    const never = () => new Promise<never>(() => {});
    const busy = { blockedMs: () => 40 };
    const { signal } = new AbortController();
    expect(await failureOf(withDeadline(50, signal, never, busy))).toMatchObject({
      code: 'DEADLINE',
      message: expect.stringMatching(/^not done in \d+ ms, 40 of them waiting for the machine$/) as unknown,
    });
    expect(await failureOf(withDeadline(50, signal, never))).toMatchObject({
      message: expect.stringMatching(/^not done in \d+ ms$/) as unknown,
    });
  });

  it.each([
    // 'not done in 609 ms, 808 of them waiting'
    ['the machine, if it took more than the rest', { blockedMs: () => 808 }, true],
    ['the release, if the time without waiting was too long', { blockedMs: () => 10 }, false],
    ['the release, without waiting', {}, false],
    ['the release, if its other jobs came first', { blockedMs: () => 808, machineMs: () => 0 }, false],
  ])('a missed deadline is the fault of %s', async (_, options, isOfMachine) => {
    const never = () => new Promise<never>(() => {});
    const { signal } = new AbortController();
    expect(await failureOf(withDeadline(40, signal, never, options))).toMatchObject({
      code: 'DEADLINE',
      isOfMachine,
    });
  });

  it('kills a process at once that grows above the hard limit within a job', async () => {
    const { renderer, deaths } = processRenderer({ limits: { cpuMs: 20_000, hardMemoryMb: 200 } });
    const release = tinyRelease({
      grows: `defineSlot({ reads: [], view: () => { const kept = []; for (;;) kept.push(Buffer.alloc(1024 * 1024, 1)) } })`,
      good: textSlot('fine'),
    });
    await renderer.prepare(release);
    expect(
      await failureOf(renderer.render(renderJob(release, 'grows', { deadlineMs: 10_000 }))),
    ).toMatchObject({ code: 'DIED', message: expect.stringContaining('it grew to') as unknown });
    expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
    expect(deaths()).toHaveLength(1);
  });

  it('renders personal jobs in a process that has rendered nothing before and renders nothing after', async () => {
    const { renderer } = processRenderer();
    const seen = `defineSlot({ reads: [], view: () => {
      React.seen ??= [];
      Array.prototype.seen ??= [];
      globalThis.seen ??= [];
      for (const place of [own, React.seen, Array.prototype.seen, globalThis.seen]) place.push(1);
      return React.createElement('p', null, [own, React.seen, [].seen, globalThis.seen].map((place) => place.length).join());
    } })`;
    const release = tinyRelease({ seen }, { top: 'const own = [];' });
    await renderer.prepare(release);
    const render = async (isPersonal: boolean) =>
      (await renderer.render(renderJob(release, 'seen', { isPersonal }))).html;
    expect(await render(false)).toBe('<p>1,1,1,1</p>');
    expect(await render(false)).toBe('<p>2,2,2,2</p>');
    // At the same time, and one after the other.
    expect(await Promise.all([render(true), render(true)])).toEqual(['<p>1,1,1,1</p>', '<p>1,1,1,1</p>']);
    expect(await render(true)).toBe('<p>1,1,1,1</p>');
    expect(await render(false)).toBe('<p>3,3,3,3</p>');
  });

  it('refuses a release that is not ready in time', async () => {
    const { renderer } = processRenderer({ limits: { bootMs: 1_500 } });
    const release = tinyRelease({ x: textSlot('x') }, { top: 'for (;;);' });
    await expect(renderer.prepare(release)).rejects.toThrow('not ready in 1500 ms');
  });

  it('hands only data that is JSON to the shell', async () => {
    const { renderer } = processRenderer();
    const release = tinyRelease({
      odd: `defineSlot({ reads: [], load: async () => ({ kept: 1, date: new Date(0), gone: () => {} }), view: () => null })`,
    });
    await renderer.prepare(release);
    expect((await renderer.render(renderJob(release, 'odd'))).data).toEqual({
      kept: 1,
      date: '1970-01-01T00:00:00.000Z',
    });
  });
});

describe('the process renderer, when the modules of a release leave something running', () => {
  const prepare = (top: string) =>
    processRenderer().renderer.prepare(tinyRelease({ x: textSlot('x') }, { top }));

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
