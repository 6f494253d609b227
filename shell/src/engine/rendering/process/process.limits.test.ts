import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { hostileRelease, isStuck, watchAttack, type Sight } from '../testing/hostileReleases.ts';
import { recordingRenderer, testSandboxes } from '../testing/processRenderer.ts';
import { failureOf, loadingSlot, renderJob, tinyRelease } from '../testing/tinyRelease.ts';
import type { Sandbox } from './sandbox.ts';
import type { ProcessLimits } from './watch.ts';

// A fixture proves a limit only if it succeeds without it.

jest.setTimeout(60_000);

const MB = 1024 * 1024;
const OFF = Infinity;

let built: Awaited<ReturnType<typeof testSandboxes>>;
/** Node's own limit of the heap is off. */
let roomy: typeof built;
beforeAll(async () => {
  built = await testSandboxes(['process']);
  roomy = await testSandboxes(['process'], { heapMb: 4_000 });
});
afterAll(() => Promise.all([built.remove(), roomy.remove()]));

const opened: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((renderer) => renderer.close())));
const sandboxOf = ({ sandboxes }: typeof built) => sandboxes.get('process') as Sandbox;

const HANGS = /CPU time|did not reply|without a job/;
const LARGE = 450 * MB;
const NO_CPU_LIMIT = { cpuMs: OFF, idleCpuMs: OFF, silenceMs: OFF, otherThreadsMs: OFF };
const NO_MEMORY_LIMIT = { softMemoryMb: OFF, hardMemoryMb: OFF };
const NO_QUOTA = { maxMessages: OFF, maxSentBytes: OFF };
const hasEnded = ({ ends }: Sight) => ends.length > 0;
const burns = ({ cpuMs }: Sight) => cpuMs > 2_000;
const grows = ({ memory }: Sight) => memory > LARGE;
const sends = ({ sent }: Sight) => sent > 17 * MB;

describe('a limit of a release’s process', () => {
  it.each<[name: string, stops: RegExp, off: Partial<ProcessLimits>, succeeds: (sight: Sight) => boolean]>([
    ['loops', HANGS, NO_CPU_LIMIT, isStuck],
    ['loops-in-microtasks', HANGS, NO_CPU_LIMIT, isStuck],
    ['waits-for-a-date', HANGS, NO_CPU_LIMIT, isStuck],
    ['waits-for-a-host', HANGS, NO_CPU_LIMIT, isStuck],
    ['waits-for-ever', /did not reply/, { silenceMs: OFF }, isStuck],
    ['forged-states', HANGS, NO_CPU_LIMIT, isStuck],
    ['drips-a-message', /did not reply/, { silenceMs: OFF }, isStuck],
    ['burns-after-its-render', HANGS, NO_CPU_LIMIT, burns],
    ['burns-in-the-thread-pool', /other threads/, { otherThreadsMs: OFF }, burns],
    ['floods-timers', HANGS, NO_CPU_LIMIT, burns],
    ['finalizers', HANGS, NO_CPU_LIMIT, burns],
    ['calls-without-end', /more than 50 calls/, { maxCalls: OFF }, ({ calls }) => calls >= 500],
    ['grows-array-buffers', /grew to/, NO_MEMORY_LIMIT, grows],
    ['grows-external-memory', /grew to/, NO_MEMORY_LIMIT, grows],
    ['leaks-with-each-render', /grew to/, NO_MEMORY_LIMIT, grows],
    ['oversized-html', /grew to|a message of/, NO_MEMORY_LIMIT, grows],
    ['floods-messages', /messages for one result/, NO_QUOTA, ({ sent }) => sent > MB],
    ['floods-with-large-messages', /bytes for one result/, NO_QUOTA, sends],
  ])('stops %s, which succeeds when the limit is off', async (name, stops, off, succeeds) => {
    const where = { sandbox: sandboxOf(built), opened };
    // Another limit that would end the attack first is off in both runs. Beside other tests its threads get little of a core.
    const share = { otherThreadsShare: 0.02 };
    const others = 'cpuMs' in off || 'silenceMs' in off ? {} : { cpuMs: OFF, silenceMs: OFF, ...share };
    const stopped = await watchAttack(name, others, hasEnded, where);
    expect(stopped.ends[0]).toMatch(stops);
    const unstopped = await watchAttack(name, { ...others, ...off }, succeeds, where);
    expect(unstopped.ends).toEqual([]);
  });

  it.each(['grows-its-heap', 'floods-its-output'])(
    'stops %s by the size of its heap, and it grows without that limit',
    async (name) => {
      const where = { sandbox: sandboxOf(built), opened };
      const others = { ...NO_CPU_LIMIT, ...NO_MEMORY_LIMIT };
      const stopped = await watchAttack(name, others, hasEnded, where);
      expect(stopped.ends[0]).toMatch(/ended with SIGABRT/);
      const unstopped = await watchAttack(name, others, grows, { sandbox: sandboxOf(roomy), opened });
      expect(unstopped.ends).toEqual([]);
    },
  );

  it('stops waiting for a `load` that never answers, and waits without a deadline', async () => {
    const { renderer } = recordingRenderer(sandboxOf(built));
    opened.push(renderer);
    const release = hostileRelease('never-answers');
    await renderer.prepare(release);
    const stopped = renderer.render(renderJob(release, 'attack', { deadlineMs: 100 }));
    expect(await failureOf(stopped)).toMatchObject({ code: 'DEADLINE' });
    const unstopped = failureOf(renderer.render(renderJob(release, 'attack', { deadlineMs: 3_600_000 })));
    expect(await Promise.race([unstopped, pause(1_000, 'still waiting')])).toBe('still waiting');
  });

  it('logs some lines of what drips-its-output prints, counts the others, and says so in readiness', async () => {
    const { logged, ends, health } = await watchAttack(
      'drips-its-output',
      {},
      ({ outputs }) => outputs > 100,
      {
        sandbox: sandboxOf(built),
        opened,
      },
    );
    expect(ends).toEqual([]);
    expect(logged).toBeLessThan(50);
    expect(health).toMatchObject({ trouble: 'it prints more than 20 lines in 10 s', isPaused: false });
    expect(health?.droppedLines).toBeGreaterThan(50);
  });

  it('would fill the log with it without that limit', async () => {
    const { logged, health } = await watchAttack('drips-its-output', {}, ({ outputs }) => outputs > 100, {
      sandbox: sandboxOf(built),
      opened,
      maxLines: OFF,
    });
    expect(logged).toBeGreaterThan(100);
    expect(health).toMatchObject({ droppedLines: 0, trouble: undefined });
  });
});

describe('the process of a release that is idle', () => {
  it('returns the memory of its last renders', async () => {
    const recording = recordingRenderer(sandboxOf(built));
    opened.push(recording.renderer);
    const garbage = loadingSlot(`
      let list = [];
      for (let at = 0; at < 400_000; at += 1) list.push({ at });
      return list.length`);
    const release = tinyRelease({ garbage });
    await recording.renderer.prepare(release);
    const memoryMb = () => (recording.renderer.health()[0]?.memory ?? 0) / MB;
    await recording.renderer.render(renderJob(release, 'garbage', { deadlineMs: 5_000 }));
    await recording.renderer.render(renderJob(release, 'garbage', { deadlineMs: 5_000 }));
    const grown = memoryMb();
    expect(grown).toBeGreaterThan(40);
    for (let tries = 0; tries < 200 && memoryMb() > grown - 20; tries += 1) await pause(100);
    expect(memoryMb()).toBeLessThan(grown - 20);
    expect(recording.events).toEqual([]);
  });

  it('does not give its garbage collector to the release', async () => {
    const { renderer } = recordingRenderer(sandboxOf(built));
    opened.push(renderer);
    const release = tinyRelease({ gc: loadingSlot('return typeof globalThis.gc') });
    await renderer.prepare(release);
    expect((await renderer.render(renderJob(release, 'gc'))).html).toBe('<p>undefined</p>');
  });
});
