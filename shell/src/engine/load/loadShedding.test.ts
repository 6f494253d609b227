import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { liveReleases } from '../rendering/testing/tinyRelease.ts';
import type { TestResponse } from '../testing/appRig.ts';
import { LIBRARY_PLACEMENTS, SHELF_LAYOUT } from '../testing/libraryPlan.ts';
import { startLibrary, type LibraryRig } from '../testing/startLibrary.ts';

const rigs: LibraryRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const PAGE = '/library/shelf';
/** Not shared with other visitors: each is rendered for itself. */
const OWN = { headers: { Cookie: 'card=Ada' } };
const live = liveReleases(LIBRARY_PLACEMENTS);
const shelf = { books: [{ isbn: '1', title: 'Lunch Poems' }] };

/** Longer than the test, in which only its own clock moves: nothing leaves the queue by itself. */
const INTERVAL_MS = 10_000;

/** A shell that renders two pages at a time. */
async function start() {
  const gate = { open: Promise.resolve() };
  const clock = { ms: Date.parse('2026-06-15T12:00:00Z') };
  const rig = await startLibrary({
    live,
    environment: { RENDER_LIMITS: `concurrent=2,delayMs=${INTERVAL_MS / 10}` },
    answers: {
      shelf: async () => {
        await gate.open;
        return shelf;
      },
    },
    adapters: { clock: () => new Date(clock.ms) },
  });
  rigs.push(rig);
  const level = async () => (JSON.parse((await rig.send('/health/ready')).text) as { load: string }).load;
  const pass = (intervals: number) => {
    clock.ms += intervals * INTERVAL_MS;
    return level();
  };
  /** Six pages that wait for the upstream or a permit until the level is reached; `finish` opens the upstream. */
  const overload = async (expected: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate.open = promise;
    const pages = Array.from({ length: 6 }, () => rig.send(PAGE, OWN));
    while (!(await rig.metrics.metrics()).includes('forecourt_pages_queued 4')) await wait(5);
    const levels: string[] = [];
    while (levels.at(-1) !== expected && levels.length < 5) levels.push(await pass(1));
    expect(levels).toEqual(['normal', 'slots', 'stale', 'refuse'].slice(0, levels.length));
    return {
      finish: () => {
        resolve();
        return Promise.all(pages);
      },
    };
  };
  return { ...rig, clock, pass, overload };
}
const outcome = ({ headers }: TestResponse) => /desc="(\w+)"/.exec(String(headers['server-timing']))?.[1];
const slotOf = ({ text }: TestResponse, slot: string) =>
  new RegExp(`data-slot="${slot}"[^>]*>(.*?)</div>`).exec(text)?.[1];
const isWhole = ({ text }: TestResponse) => text.endsWith('</html>');

const loads = ({ calls }: Pick<LibraryRig, 'calls'>) => calls.filter(({ name }) => name === 'shelf').length;
const OPTIONAL = SHELF_LAYOUT.filter(
  ({ criticality, deadlineMs, renderedBy, view }) =>
    criticality === 'optional' && deadlineMs > 0 && !renderedBy && view === undefined,
);

describe('a shell with more requests than it can answer', () => {
  it('leaves out optional slots first, and renders the required ones', async () => {
    const { overload, metrics, log } = await start();
    const pages = await (await overload('slots')).finish();
    for (const page of pages) {
      expect([page.status, isWhole(page)]).toEqual([200, true]);
      expect(slotOf(page, 'shelf')).toBe('<p>shelf</p>');
      expect(page.text).toContain('<h1');
      for (const { slot } of OPTIONAL) expect(slotOf(page, slot)).toBe('');
      // The browser renders it.
      expect(page.text).toContain('"slot":"filters"');
    }
    expect(await metrics.metrics()).toContain(
      `forecourt_shed_total{what="slot"} ${pages.length * OPTIONAL.length}`,
    );
    expect(log.filter(({ msg }) => msg === 'slot shown by its fallback')).toEqual([]);
  });

  it('shares a page without its optional slots under load only', async () => {
    const { overload, send, pass } = await start();
    await (await overload('slots')).finish();
    const [first, second] = [await send(PAGE), await send(PAGE)];
    expect([first, second].map((page) => slotOf(page, 'filters'))).toEqual(['', '']);
    expect([first, second].map(outcome)).toEqual(['miss', 'hit']);
    expect(await pass(10)).toBe('normal');
    const whole = await send(PAGE);
    expect([outcome(whole), slotOf(whole, 'filters')]).toEqual(['miss', '<p>filters</p>']);
  });

  it('serves stored pages of any age next', async () => {
    const { overload, send, clock, calls, metrics } = await start();
    const fresh = await send(PAGE);
    clock.ms += 3_600_000;
    const { finish } = await overload('stale');
    const before = loads({ calls });
    const stale = await send(PAGE);
    expect([stale.status, outcome(stale), isWhole(stale)]).toEqual([200, 'stale', true]);
    expect(slotOf(stale, 'filters')).toBe(slotOf(fresh, 'filters'));
    expect(loads({ calls })).toBe(before);
    expect(await metrics.metrics()).toContain('forecourt_shed_total{what="stale"} 1');
    await finish();
  });

  it('refuses the rest with 503 and Retry-After, bots included', async () => {
    const { overload, send, metrics } = await start();
    const { finish } = await overload('refuse');
    const bot = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };
    for (const [path, headers] of [
      [PAGE, {}],
      [PAGE, OWN.headers],
      ['/library/shelf/poetry', bot],
      ['/library/book/1', { Accept: '*/*' }],
    ] as const) {
      const refused = await send(path, { headers });
      expect(refused.status).toBe(503);
      expect(['2', '3', '4', '5']).toContain(refused.headers['retry-after']);
      expect(refused.headers['cache-control']).toBe('no-store');
      expect(refused.headers['content-type']).toContain('text/html');
      expect(refused.text).toContain('very busy');
      expect(refused.text).not.toContain('data-slot');
    }
    expect(await metrics.metrics()).toContain('forecourt_shed_total{what="page"} 4');
    for (const page of await finish())
      expect([page.status, slotOf(page, 'shelf')]).toEqual([200, '<p>shelf</p>']);
  });

  it('answers health, metrics and files throughout', async () => {
    const { overload, send } = await start();
    const { finish } = await overload('refuse');
    for (const path of ['/health/live', '/health/ready', '/metrics', '/assets/abc123/shell.js'])
      expect([path, (await send(path)).status]).toEqual([path, 200]);
    const { text } = await send('/metrics');
    expect(text).toContain('forecourt_load_level 3');
    expect(text).toContain('forecourt_pages_queued 4');
    await finish();
  });

  it('recovers level by level, and logs only that', async () => {
    const { overload, pass, send, log } = await start();
    const { finish } = await overload('refuse');
    await send(PAGE);
    await finish();
    const levels = [await pass(1), await pass(10), await pass(10), await pass(10)];
    expect(levels).toEqual(['refuse', 'stale', 'slots', 'normal']);
    const page = await send(PAGE, OWN);
    expect([page.status, slotOf(page, 'filters')]).toEqual([200, '<p>filters</p>']);
    const changes = log.filter(({ msg }) => msg !== 'request');
    expect(changes.map(({ msg, loadLevel }) => [msg, loadLevel])).toEqual(
      ['slots', 'stale', 'refuse', 'stale', 'slots', 'normal'].map((each) => ['load level changed', each]),
    );
  });
});
