import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createStateEncoder } from './process/stateEncoder.ts';
import { buildLibraryState, libraryState } from '../testing/libraryState.ts';
import { createSlotCache } from './slotCache.ts';
import { type RenderedSlot, type RenderJob, type SlotRenderer, slotOfBytes } from './slotRenderer.ts';
import { renderJob, textSlot, tinyRelease } from './testing/tinyRelease.ts';

const RELEASE = tinyRelease({ tiny: textSlot('x') });
const SECONDS = 60;

/** A cache over a clock, and a renderer that numbers what it renders. */
function start({ seconds = SECONDS, hasBytes = true } = {}) {
  const encodeState = createStateEncoder(libraryState.divided).encode;
  let time = 0;
  let renders = 0;
  const renderer = { ...(hasBytes && { encodeState }) } as SlotRenderer;
  const cache = createSlotCache(
    { renderer, clock: () => new Date(time) },
    { CACHE_SECONDS: { pages: 0, slots: seconds } },
  );
  const render = async (
    job: RenderJob,
    work: (job: RenderJob) => Promise<Partial<RenderedSlot>> = async () => ({}),
  ) => {
    const result = await cache?.render(job, async (bounded) => {
      renders += 1;
      const number = renders;
      return { html: `<p>${number}</p>`, data: undefined, ...(await work(bounded)) };
    });
    return { html: result?.rendered.html, isReused: result?.isReused };
  };
  return { cache, render, renders: () => renders, pass: (ms: number) => (time += ms) };
}

const stateOf = (changes: object) =>
  ({ shelf: { ...buildLibraryState().shelf, ...changes } }) as RenderJob['state'];

describe('a slot whose release, state and name are those of an earlier render', () => {
  it('is not rendered again, though its state is another object', async () => {
    const { render, renders } = start();
    expect(await render(renderJob(RELEASE, 'tiny', { state: stateOf({ url: '/a' }) }))).toMatchObject({
      isReused: false,
    });
    expect(await render(renderJob(RELEASE, 'tiny', { state: stateOf({ url: '/a' }) }))).toEqual({
      html: '<p>1</p>',
      isReused: true,
    });
    expect(renders()).toBe(1);
  });

  it.each([
    ['another slot of the release', renderJob(RELEASE, 'other')],
    ['another version', renderJob(tinyRelease({}, { version: '1.0.1' }), 'tiny')],
    [
      'a build that replaced it under the same version',
      renderJob(tinyRelease({ tiny: textSlot('x') }), 'tiny'),
    ],
    ['another state', renderJob(RELEASE, 'tiny', { state: stateOf({}) })],
    ['the visitor’s own state', renderJob(RELEASE, 'tiny', { isPersonal: true })],
    ['a check of what it reads', renderJob(RELEASE, 'tiny', { checksReads: true })],
  ])('is rendered for %s', async (_, job) => {
    const { render } = start();
    await render(renderJob(RELEASE, 'tiny'));
    expect((await render(job)).isReused).toBe(false);
  });

  it('is rendered again when it is older than the setting allows', async () => {
    const { render, pass } = start();
    await render(renderJob(RELEASE, 'tiny'));
    pass(SECONDS * 1000);
    expect((await render(renderJob(RELEASE, 'tiny'))).isReused).toBe(true);
    pass(1);
    expect((await render(renderJob(RELEASE, 'tiny'))).isReused).toBe(false);
  });

  it.each<[string, Partial<RenderedSlot>]>([
    ['lacked data that was late', { isPartial: true }],
    ['decided about its page', { page: { kind: 'page' } as never }],
    ['is larger than an eighth of the cache', { html: 'x'.repeat(1024 * 1024 + 1) }],
  ])('is rendered again when it %s', async (_, outcome) => {
    const { render } = start();
    await render(renderJob(RELEASE, 'tiny'), () => Promise.resolve(outcome));
    expect((await render(renderJob(RELEASE, 'tiny'))).isReused).toBe(false);
  });

  it('is rendered again when its HTML was refused or it threw', async () => {
    const { render } = start();
    await expect(
      render(renderJob(RELEASE, 'tiny'), () => Promise.reject(new Error('refused'))),
    ).rejects.toThrow('refused');
    expect((await render(renderJob(RELEASE, 'tiny'))).isReused).toBe(false);
  });
});

it('keeps no more memory alive than the HTML of a slot has, however much was read with it', async () => {
  const { cache } = start();
  const read = Buffer.alloc(50_000, ' ');
  read.write('<p>größer</p>', 100);
  const bytes = read.subarray(100, 100 + Buffer.byteLength('<p>größer</p>'));
  const shown = () => cache!.render(renderJob(RELEASE, 'tiny'), async () => slotOfBytes(bytes, { data: 1 }));
  await shown();
  const { rendered } = await shown();
  expect(rendered).toMatchObject({ html: '<p>größer</p>', data: 1 });
  expect(rendered.bytes?.buffer.byteLength).toBe(bytes.length);
});

describe('a slot with calls', () => {
  const answering = (answer: () => Promise<unknown>) => {
    let calls = 0;
    const call: RenderJob['call'] = () => {
      calls += 1;
      return answer();
    };
    return { job: renderJob(RELEASE, 'tiny', { call }), calls: () => calls };
  };
  const load = async ({ call, signal }: RenderJob) => ({
    html: JSON.stringify(await call('branch' as never, { branch: 'main' }, signal)),
  });

  it('is reused while they are answered as before, each called once', async () => {
    const { render } = start();
    await render(answering(() => Promise.resolve({ city: 'Lisbon' })).job, load);
    const again = answering(() => Promise.resolve({ city: 'Lisbon' }));
    expect(await render(again.job, load)).toEqual({ html: '{"city":"Lisbon"}', isReused: true });
    expect(again.calls()).toBe(1);
  });

  it('is rendered when one is answered otherwise, from the response that was compared', async () => {
    const { render } = start();
    await render(answering(() => Promise.resolve({ city: 'Lisbon' })).job, load);
    const changed = answering(() => Promise.resolve({ city: 'Porto' }));
    expect(await render(changed.job, load)).toEqual({ html: '{"city":"Porto"}', isReused: false });
    expect(changed.calls()).toBe(1);
  });

  it('is rendered when one fails, and not stored', async () => {
    const { render } = start();
    const tolerant = async (job: RenderJob) => load(job).catch(() => ({ html: 'without' }));
    await render(answering(() => Promise.resolve({ city: 'Lisbon' })).job, tolerant);
    for (let at = 0; at < 2; at += 1)
      expect(await render(answering(() => Promise.reject(new Error('down'))).job, tolerant)).toEqual({
        html: 'without',
        isReused: false,
      });
  });

  it('does not wait long for a response, and is rendered with what is left of its deadline', async () => {
    const { render } = start();
    await render(answering(() => Promise.resolve({ city: 'Lisbon' })).job, load);
    const slow = answering(() => new Promise(() => {}));
    const left: number[] = [];
    const seen = await render(slow.job, ({ deadlineMs }) => {
      left.push(deadlineMs);
      return Promise.resolve({ html: 'late' });
    });
    expect(seen).toEqual({ html: 'late', isReused: false });
    expect(left).toEqual([expect.any(Number)]);
    expect(left[0]).toBeLessThan(slow.job.deadlineMs);
  });

  it('leaves a deadline also to a slot whose comparison took longer than that, because the machine was busy', async () => {
    const { render } = start();
    const { job } = answering(() => Promise.resolve({ city: 'Lisbon' }));
    const left: number[] = [];
    const state = {
      ...job.state,
      get note() {
        const until = performance.now() + 30;
        while (performance.now() < until);
        return 'encoded slowly';
      },
    };
    await render({ ...job, state, deadlineMs: 20 }, ({ deadlineMs }) => {
      left.push(deadlineMs);
      return Promise.resolve({ html: '' });
    });
    expect(left[0]).toBeGreaterThanOrEqual(1);
  });
});

it('gives equal HTML to two visitors only if nothing that the slot was given differs', async () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  await fc.assert(
    fc.asyncProperty(json, json, fc.string(), fc.string(), async (first, second, url, otherUrl) => {
      const { render } = start();
      const jobOf = (note: unknown, at: string) =>
        renderJob(RELEASE, 'tiny', { state: stateOf({ note, url: at }) });
      const shown = async ({ state }: RenderJob) => ({ html: JSON.stringify(state) });
      const one = jobOf(first, url);
      const other = jobOf(second, otherUrl);
      await render(one, shown);
      expect((await render(other, shown)).html).toBe(JSON.stringify(other.state));
    }),
    { numRuns: 300 },
  );
});

it('does not exist where it is switched off, or where states are not sent as bytes', () => {
  expect(start().cache).toBeDefined();
  expect(start({ seconds: 0 }).cache).toBeUndefined();
  expect(start({ hasBytes: false }).cache).toBeUndefined();
});
