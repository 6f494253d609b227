import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LIBRARY_PLAN } from '../testing/libraryPlan.ts';
import { createInlineRenderer } from './inline.ts';
import type { RenderedSlot, RenderJob, SlotRenderer } from './slotRenderer.ts';
import { recordingRenderer, testSandboxes } from './testing/processRenderer.ts';
import { failureOf, loadingSlot, renderJob, textSlot, tinyRelease } from './testing/tinyRelease.ts';

jest.setTimeout(120_000);

let built: Awaited<ReturnType<typeof testSandboxes>>;
beforeAll(async () => {
  built = await testSandboxes(['process']);
});
afterAll(() => built.remove());

const open: SlotRenderer[] = [];
afterEach(() => Promise.all(open.splice(0).map((renderer) => renderer.close())));

function processRenderer() {
  const { renderer } = recordingRenderer(built.sandboxes.get('process')!);
  open.push(renderer);
  return { renderer };
}

function inlineRenderer() {
  const renderer = createInlineRenderer(LIBRARY_PLAN);
  open.push(renderer);
  return { renderer };
}

/** State of the library, as a job has it. */
const stateOf = (state: object) => state as RenderJob['state'];

/** The slot without its bytes, which only a process has and which must be those of its HTML. */
function withoutBytes({ bytes, ...slot }: RenderedSlot): RenderedSlot {
  if (bytes) expect(bytes.toString('utf8')).toBe(slot.html);
  return slot;
}

describe.each([
  ['inline', inlineRenderer],
  ['process', processRenderer],
] as const)('the %s renderer', (_, create) => {
  it('renders the view of a slot with its slice of the state', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      heading: `defineSlot({ reads: ['shelf.heading'], view: () => {
        const heading = usePageState((state) => state.shelf.heading);
        return React.createElement('h1', { id: React.useId() }, heading);
      } })`,
    });
    await renderer.prepare(release);
    const state = stateOf({ shelf: { heading: 'Ford & <Co>' } });
    const { html } = await renderer.render(renderJob(release, 'heading', { state }));
    expect(html).toMatch(/^<h1 id="_heading-[^"]*">Ford &amp; &lt;Co&gt;<\/h1>$/);
  });

  it('runs the calls of `load` through the shell and hands the data on', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      city: loadingSlot(`return (await call('branch', { branch: 'main' })).city`),
    });
    await renderer.prepare(release);
    const asked: [string, object][] = [];
    const call: RenderJob['call'] = (name, params) => {
      asked.push([name, params]);
      return Promise.resolve({ city: 'Chicago' });
    };
    expect(withoutBytes(await renderer.render(renderJob(release, 'city', { call })))).toEqual({
      html: '<p>Chicago</p>',
      data: 'Chicago',
    });
    expect(asked).toEqual([['branch', { branch: 'main' }]]);
  });

  it('hands on what search engines shall know of the slot', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      city: `defineSlot({ reads: ['shelf.url'], load: async () => 'Chicago', view: () => null,
        structuredData: ({ state, data }) => ({ '@type': 'City', name: data, url: state.shelf.url }) })`,
    });
    await renderer.prepare(release);
    const state = stateOf({ shelf: { url: '/library/shelf' } });
    expect(withoutBytes(await renderer.render(renderJob(release, 'city', { state })))).toEqual({
      html: '',
      data: 'Chicago',
      structuredData: { '@type': 'City', name: 'Chicago', url: '/library/shelf' },
    });
  });

  it('lets `load` hear of a call that failed', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      city: loadingSlot(
        `try { await call('branch', {}) } catch (error) { return 'failed: ' + error.message }`,
      ),
    });
    await renderer.prepare(release);
    const call = () => Promise.reject(new Error('no answer'));
    expect((await renderer.render(renderJob(release, 'city', { call }))).html).toMatch(/failed: .*no answer/);
  });

  it.each([
    ['a view that throws', `defineSlot({ reads: [], view: () => { throw new Error('boom') } })`],
    ['a `load` that rejects', loadingSlot(`throw new Error('boom')`)],
  ])('rejects with THREW for %s and goes on', async (_, source) => {
    const { renderer } = create();
    const release = tinyRelease({ bad: source, good: textSlot('fine') });
    await renderer.prepare(release);
    expect(await failureOf(renderer.render(renderJob(release, 'bad')))).toMatchObject({
      code: 'THREW',
      message: expect.stringContaining('boom') as unknown,
    });
    expect((await renderer.render(renderJob(release, 'good'))).html).toBe('<p>fine</p>');
  });

  it('cuts a `load` that never answers at the deadline, and its calls with it', async () => {
    const { renderer } = create();
    const release = tinyRelease({ slow: loadingSlot(`return call('branch', {})`) });
    await renderer.prepare(release);
    let cut: AbortSignal | undefined;
    const call: RenderJob['call'] = (_, __, signal) => {
      cut = signal;
      return new Promise(() => {});
    };
    expect(
      await failureOf(renderer.render(renderJob(release, 'slow', { call, deadlineMs: 100 }))),
    ).toMatchObject({
      code: 'DEADLINE',
    });
    expect(cut?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('stops when the visitor leaves, and begins nothing for one who has left', async () => {
    const { renderer } = create();
    const release = tinyRelease({ slow: loadingSlot(`return call('branch', {})`) });
    await renderer.prepare(release);
    const call = jest.fn<RenderJob['call']>(() => new Promise(() => {}));
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 50);
    expect(
      await failureOf(renderer.render(renderJob(release, 'slow', { call, signal: leaving.signal }))),
    ).toMatchObject({
      code: 'CANCELLED',
    });
    const calls = call.mock.calls.length;
    expect(
      await failureOf(renderer.render(renderJob(release, 'slow', { call, signal: leaving.signal }))),
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
    expect(await failureOf(renderer.render(renderJob(release, 'x')))).toMatchObject({ code: 'NOT_PREPARED' });
  });

  it('gives a release neither environment nor exit', async () => {
    const { renderer } = create();
    const release = tinyRelease({
      env: `defineSlot({ reads: [], view: () => React.createElement('p', null, JSON.stringify(process.env)) })`,
      exit: `defineSlot({ reads: [], view: () => process.exit(1) })`,
    });
    await renderer.prepare(release);
    expect((await renderer.render(renderJob(release, 'env'))).html).toContain(
      '{&quot;NODE_ENV&quot;:&quot;production&quot;}',
    );
    expect(await failureOf(renderer.render(renderJob(release, 'exit')))).toMatchObject({ code: 'THREW' });
  });
});
