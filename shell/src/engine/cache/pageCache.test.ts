import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createPageCache, type CacheOutcome, type PageCache, type Render } from './pageCache.ts';
import { PageBody } from '../compose/pageBody.ts';

interface Rig {
  readonly cache: PageCache<string>;
  readonly clock: { now: number };
  readonly errors: unknown[];
  /** Renderings so far, each with its signal. */
  readonly renderings: AbortSignal[];
  readonly get: (key: string, options?: Partial<GetOptions>) => Promise<readonly [string, CacheOutcome]>;
}
interface GetOptions {
  readonly signal: AbortSignal;
  readonly isRenewed: boolean;
  readonly acceptsOld: boolean;
  readonly render: Render<string>;
}

const STAY = new AbortController().signal;

/** Ten ms fresh, twenty more stale, old for a hundred; a page is `{key}{number of its rendering}`, and has `bytes`. */
function rig({ maxBytes = 1000, bytes = 2 } = {}): Rig {
  const clock = { now: 0 };
  const errors: unknown[] = [];
  const renderings: AbortSignal[] = [];
  const cache = createPageCache<string>({
    freshMs: 10,
    staleMs: 20,
    oldMs: 100,
    maxBytes,
    now: () => clock.now,
    onError: (error) => errors.push(error),
  });
  const renderOf =
    (key: string): Render<string> =>
    ({ signal }) => {
      renderings.push(signal);
      const answer = `${key}${renderings.length}`;
      const body = new PageBody();
      // What can't be compressed much.
      body.html.write(answer + randomBytes(bytes).toString('base64').slice(0, bytes));
      body.html.end();
      return Promise.resolve({ result: answer, body });
    };
  return {
    cache,
    clock,
    errors,
    renderings,
    async get(key, { signal = STAY, render = renderOf(key), ...query } = {}) {
      const { result, outcome } = await cache.get(key, render, { signal, ...query });
      // Lets the cache store the page after the response.
      await new Promise(setImmediate);
      return [result, outcome];
    },
  };
}

describe('page cache', () => {
  it('serves a fresh page, serves a stale page while revalidating, and drops an expired one', async () => {
    const { get, clock } = rig();
    expect(await get('a')).toEqual(['a1', 'miss']);
    clock.now = 10;
    expect(await get('a')).toEqual(['a1', 'hit']);
    clock.now = 25;
    expect(await get('a')).toEqual(['a1', 'stale']);
    expect(await get('a')).toEqual(['a2', 'hit']);
    clock.now = 56;
    expect(await get('a')).toEqual(['a3', 'miss']);
  });

  it('serves an older page without revalidation to those who accept it, up to its age', async () => {
    const { get, clock, renderings } = rig();
    await get('a');
    clock.now = 100;
    expect(await get('a', { acceptsOld: true })).toEqual(['a1', 'stale']);
    expect(await get('a', { acceptsOld: true })).toEqual(['a1', 'stale']);
    expect(renderings).toHaveLength(1);
    clock.now = 101;
    expect(await get('a', { acceptsOld: true })).toEqual(['a2', 'miss']);
  });

  it('never returns the page of another key', async () => {
    const { get } = rig();
    expect(await get('a')).toEqual(['a1', 'miss']);
    expect(await get('b')).toEqual(['b2', 'miss']);
    expect(await get('a')).toEqual(['a1', 'hit']);
  });

  it('renders once for concurrent requests', async () => {
    const { get, renderings } = rig();
    const answers = await Promise.all(Array.from({ length: 50 }, () => get('a')));
    expect(new Set(answers.map(([answer]) => answer))).toEqual(new Set(['a1']));
    expect(answers.map(([, outcome]) => outcome)).toEqual(['miss', ...Array<string>(49).fill('join')]);
    expect(renderings).toHaveLength(1);
  });

  it('revalidates a stale page once for concurrent requests', async () => {
    const { get, clock, renderings } = rig();
    await get('a');
    clock.now = 15;
    const answers = await Promise.all(Array.from({ length: 10 }, () => get('a')));
    expect(answers).toEqual(Array(10).fill(['a1', 'stale']));
    expect(renderings).toHaveLength(2);
  });

  it('aborts a render when its last client disconnects, not before', async () => {
    const { cache, renderings } = rig();
    const [first, second] = [new AbortController(), new AbortController()];
    const body = new PageBody();
    const render: Render<string> = ({ signal }) => {
      renderings.push(signal);
      signal.addEventListener('abort', () => body.html.fail(signal.reason));
      return Promise.resolve({ result: 'a', body });
    };
    await cache.get('a', render, { signal: first.signal });
    await cache.get('a', render, { signal: second.signal });
    first.abort();
    expect(renderings[0]?.aborted).toBe(false);
    second.abort();
    expect(renderings[0]?.aborted).toBe(true);
    await new Promise(setImmediate);
    expect(cache.size().entries).toBe(0);
    // Who comes now is not given what was given up.
    expect(await cache.get('a', render, { signal: STAY })).toMatchObject({ outcome: 'miss' });
    expect(renderings).toHaveLength(2);
  });

  it('completes a revalidation after its client disconnects', async () => {
    const { cache, get, clock, renderings } = rig();
    await get('a');
    clock.now = 15;
    const leaving = new AbortController();
    const body = new PageBody();
    const render: Render<string> = ({ signal }) => {
      renderings.push(signal);
      return Promise.resolve({ result: 'new', body });
    };
    await cache.get('a', render, { signal: leaving.signal });
    leaving.abort();
    body.html.end();
    expect(renderings.at(-1)?.aborted).toBe(false);
    expect(await get('a')).toEqual(['a1', 'stale']);
    expect(await get('a')).toEqual(['new', 'hit']);
  });

  it.each([
    ['is none', () => Promise.resolve({ result: 'error', body: undefined })],
    [
      'lacks something',
      () => {
        const body = new PageBody();
        body.html.end('late');
        return Promise.resolve({ result: 'poor', body });
      },
    ],
    [
      'lacks something only at its end',
      () => {
        const body = new PageBody();
        setTimeout(() => body.html.end('late'));
        return Promise.resolve({ result: 'poor', body });
      },
    ],
    [
      'was cut',
      () => {
        const body = new PageBody();
        body.html.fail(new Error('cut'));
        return Promise.resolve({ result: 'cut', body });
      },
    ],
  ] as [string, Render<string>][])('does not store a response that %s', async (_, render) => {
    const { get, cache } = rig();
    await get('a', { render });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(cache.size()).toEqual({ entries: 0, bytes: 0 });
    expect((await get('a'))[1]).toBe('miss');
  });

  it('passes a failure to all waiting clients and drops it', async () => {
    const { get, errors } = rig();
    const render: Render<string> = () => Promise.reject(new Error('broken'));
    await Promise.all([
      expect(get('a', { render })).rejects.toThrow('broken'),
      expect(get('a', { render })).rejects.toThrow('broken'),
    ]);
    expect(await get('a')).toEqual(['a1', 'miss']);
    expect(errors).toEqual([]);
  });

  it('keeps a stale page and reports the error when revalidation fails', async () => {
    const { get, clock, errors } = rig();
    await get('a');
    clock.now = 15;
    expect(await get('a', { render: () => Promise.reject(new Error('broken')) })).toEqual(['a1', 'stale']);
    expect(errors).toEqual([new Error('broken')]);
    expect(await get('a')).toEqual(['a1', 'stale']);
  });

  it('evicts the least recently used page when it is full', async () => {
    // Each takes about 770 bytes as zstd, and the one that is requested again as many as Brotli.
    const { get, cache } = rig({ maxBytes: 2700, bytes: 1000 });
    await get('a');
    await get('b');
    await get('a');
    await get('c');
    for (let round = 0; round < 800 && cache.size().entries > 2; round += 1) await wait(5);
    expect(cache.size().entries).toBe(2);
    expect(cache.size().bytes).toBeLessThanOrEqual(2700);
    expect((await get('a'))[1]).toBe('hit');
    expect((await get('b'))[1]).toBe('miss');
  });

  it('renders again for a forced reload and stores the result', async () => {
    const { get } = rig();
    await get('a');
    expect(await get('a', { isRenewed: true })).toEqual(['a2', 'miss']);
    expect(await get('a')).toEqual(['a2', 'hit']);
  });

  it('compresses a page well once it is requested again, keeps that for the same bytes, and counts it', async () => {
    const { cache, clock } = rig({ maxBytes: 100_000 });
    const bodies: PageBody[] = [];
    const html = '<li>a book</li>'.repeat(500);
    const render: Render<string> = () => {
      const body = new PageBody();
      body.html.write(html);
      body.html.end();
      bodies.push(body);
      return Promise.resolve({ result: `rendering ${bodies.length}`, body });
    };
    const get = async () => {
      const page = await cache.get('a', render, { signal: STAY });
      for (let round = 0; round < 800 && !bodies.at(-1)?.isWellCompressed; round += 1)
        await new Promise((resolve) => setTimeout(resolve, 5));
      return page;
    };
    await cache.get('a', render, { signal: STAY });
    await new Promise(setImmediate);
    expect(bodies[0]?.isWellCompressed).toBe(false);
    expect(cache.size().bytes).toBe(html.length);
    await get();
    expect(bodies[0]?.isWellCompressed).toBe(true);
    const { etag, bytes } = await (bodies[0] as PageBody).representation(new Set(['br']));
    // It was stored as zstd first; its HTML is not kept.
    const stored = cache.size();
    expect(stored.bytes).toBeGreaterThan(bytes.length);
    expect(stored.bytes).toBeLessThan(html.length / 10);

    clock.now = 15;
    expect(await get()).toMatchObject({ outcome: 'stale' });
    expect(await get()).toEqual({ result: 'rendering 2', outcome: 'hit' });
    expect(bodies).toHaveLength(2);
    expect(bodies[1]?.hasTag(etag)).toBe(true);
    expect(cache.size()).toEqual(stored);
  });
});
