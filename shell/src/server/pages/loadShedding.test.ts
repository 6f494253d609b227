import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { searchResponseSchema } from '@forecourt/shared-contracts/entities';
import { buildListing } from '@forecourt/shared-contracts/testing';
import { LAYOUT } from '../layout/layouts.ts';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';
import { startShell, type Answer, type ShellRig } from '../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const PAGE = '/cars-for-sale/all-cars';
/** Not shared with other visitors: each is rendered for itself. */
const OWN = { headers: { Cookie: 'signedIn=true' } };
const REMOTE_SLOTS = LAYOUT.flatMap(({ slot, source }) =>
  source === 'shell' ? [] : [{ slot, remote: source.remote }],
);
const live = new Map(
  REMOTE_SLOTS.map(({ remote }) => {
    const slots = REMOTE_SLOTS.filter((other) => other.remote === remote).map(({ slot }) => [
      slot,
      textSlot(slot),
    ]);
    return [
      remote,
      { live: tinyRelease(Object.fromEntries(slots) as Record<string, string>, { name: remote }) },
    ];
  }),
);
const results = () =>
  searchResponseSchema.parse({ listings: [buildListing()], owners: [], totalResultCount: 1 });

/** A shell of two pages at a time; overload is a delay above 10 ms for 100 ms. `gate` closes the upstream. */
async function start() {
  const gate = { open: Promise.resolve() };
  const clock = { ms: Date.parse('2026-06-15T12:00:00Z') };
  const rig = await startShell({
    live,
    environment: { MAX_CONCURRENT_PAGES: '2', SHED_DELAY_MS: '10' },
    answers: {
      search: async () => {
        await gate.open;
        return results();
      },
    },
    deps: { clock: () => new Date(clock.ms) },
  });
  rigs.push(rig);
  const close = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate.open = promise;
    return resolve;
  };
  const level = async () => (JSON.parse((await rig.send('/health/ready')).text) as { load: string }).load;
  /** Waits for a level; readiness checks move the load's clock. */
  const reach = async (expected: string) => {
    for (const deadline = Date.now() + 10_000; Date.now() < deadline;) {
      if ((await level()) === expected) return;
      await wait(5);
    }
    throw new Error(`the level is ${await level()}, not ${expected}`);
  };
  /** Fills permits and queue until the level is reached, then lets all of them finish. */
  const overload = async (expected: string): Promise<Answer[]> => {
    const open = close();
    const pages = Array.from({ length: 6 }, () => rig.send(PAGE, OWN));
    await reach(expected);
    open();
    return Promise.all(pages);
  };
  return { ...rig, clock, close, level, reach, overload };
}
const outcome = ({ headers }: Answer) => /desc="(\w+)"/.exec(String(headers['server-timing']))?.[1];
const slotOf = ({ text }: Answer, slot: string) =>
  new RegExp(`data-slot="${slot}"[^>]*>(.*?)</div>`).exec(text)?.[1];
const isWhole = ({ text }: Answer) => text.endsWith('</html>');

describe('a shell with more requests than it can answer', () => {
  it('leaves out optional slots first, and renders the required ones', async () => {
    const { overload, metrics, log } = await start();
    const pages = await overload('slots');
    const reduced = pages.filter((page) => slotOf(page, 'filters') === '');
    expect(reduced.length).toBeGreaterThan(0);
    for (const page of pages) {
      expect([page.status, isWhole(page)]).toEqual([200, true]);
      expect(slotOf(page, 'results')).toBe('<p>results</p>');
      expect(page.text).toContain('<h1');
    }
    for (const { text } of reduced) expect(text).toContain('"slot":"filters"');
    const optional = LAYOUT.filter((slot) => slot.criticality === 'optional' && slot.deadlineMs > 0).length;
    expect(await metrics.metrics()).toContain(
      `forecourt_shed_total{what="slot"} ${reduced.length * optional}`,
    );
    expect(log.filter(({ msg }) => msg === 'slot shown by its fallback')).toEqual([]);
  });

  it('shares a page without its optional slots under load only', async () => {
    const { overload, send, reach } = await start();
    await overload('slots');
    const [first, second] = [await send(PAGE), await send(PAGE)];
    expect([first, second].map((page) => slotOf(page, 'filters'))).toEqual(['', '']);
    expect([first, second].map(outcome)).toEqual(['miss', 'hit']);
    await reach('normal');
    const whole = await send(PAGE);
    expect([outcome(whole), slotOf(whole, 'filters')]).toEqual(['miss', '<p>filters</p>']);
  });

  it('serves stored pages of any age next', async () => {
    const { overload, send, clock, calls, metrics } = await start();
    const fresh = await send(PAGE);
    clock.ms += 3_600_000;
    await overload('stale');
    const searches = calls.filter(({ name }) => name === 'search').length;
    const stale = await send(PAGE);
    expect([stale.status, outcome(stale), isWhole(stale)]).toEqual([200, 'stale', true]);
    expect(slotOf(stale, 'filters')).toBe(slotOf(fresh, 'filters'));
    expect(calls.filter(({ name }) => name === 'search')).toHaveLength(searches);
    expect(await metrics.metrics()).toContain('forecourt_shed_total{what="stale"} 1');
  });

  it('refuses the rest with 503 and Retry-After, bots included', async () => {
    const { close, reach, send, metrics } = await start();
    const open = close();
    const pages = Array.from({ length: 6 }, () => send(PAGE, OWN));
    await reach('refuse');
    const bot = { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' };
    for (const [path, headers] of [
      [`${PAGE}?zip=60601`, {}],
      ['/cars-for-sale/all/ford', bot],
      ['/cars-for-sale/vehicle/1', { Accept: '*/*' }],
    ] as const) {
      const refused = await send(path, { headers });
      expect(refused.status).toBe(503);
      expect(['2', '3', '4', '5']).toContain(refused.headers['retry-after']);
      expect(refused.headers['cache-control']).toBe('no-store');
      expect(refused.headers['content-type']).toContain('text/html');
      expect(refused.text).toContain('very busy');
      expect(refused.text).not.toContain('data-slot');
    }
    expect(await metrics.metrics()).toMatch(/forecourt_shed_total\{what="page"\} [3-9]/);
    open();
    for (const { status, text } of await Promise.all(pages)) {
      expect([200, 503]).toContain(status);
      if (status === 200) expect(text).toContain('<p>results</p>');
    }
  });

  it('answers health, metrics and files throughout', async () => {
    const { close, reach, send } = await start();
    const open = close();
    const pages = Array.from({ length: 6 }, () => send(PAGE, OWN));
    await reach('refuse');
    for (const path of [
      '/health/live',
      '/health/ready',
      '/metrics',
      '/assets/abc123/shell.js',
      '/robots.txt',
    ])
      expect([path, (await send(path)).status]).toEqual([path, 200]);
    const { text } = await send('/metrics');
    expect(text).toContain('forecourt_load_level 3');
    expect(text).toMatch(/forecourt_pages_queued \d/);
    open();
    await Promise.all(pages);
  });

  it('recovers level by level, and logs only that', async () => {
    const { overload, reach, send, log } = await start();
    await overload('stale');
    await reach('normal');
    const page = await send(PAGE, OWN);
    expect([page.status, slotOf(page, 'filters')]).toEqual([200, '<p>filters</p>']);
    const levels = log.filter(({ msg }) => msg === 'load level changed').map(({ loadLevel }) => loadLevel);
    expect([levels.slice(0, 2), levels.slice(-2)]).toEqual([
      ['slots', 'stale'],
      ['slots', 'normal'],
    ]);
  });
});
