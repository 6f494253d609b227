import { describe, expect, it } from '@jest/globals';
import { OverloadedError } from './permits.ts';
import { PageLoad } from './pageLoad.ts';

const STAY = new AbortController().signal;

/** Two pages at a time unless told, 50 ms acceptable: intervals of 500 ms. */
function rig(maxConcurrent = 2) {
  const clock = { now: 0, loopDelayMs: 0 };
  const levels: string[] = [];
  const load = new PageLoad({
    maxConcurrent,
    targetMs: 50,
    now: () => clock.now,
    loopDelayMs: () => clock.loopDelayMs,
    onLevel: (level) => levels.push(level),
    onShed: () => {},
  });
  /** A page that is rendered until it is ended. */
  const render = () => {
    const end = Promise.withResolvers<void>();
    const page = load.run(STAY, () => Promise.resolve('page'), { endOf: () => end.promise });
    page.catch(() => {});
    return { page, end: end.resolve };
  };
  const advance = async (ms: number) => {
    await new Promise(setImmediate);
    clock.now += ms;
    return load.level;
  };
  return { clock, levels, load, render, advance };
}

describe('the load of pages', () => {
  it('rises while pages wait, even if none is finished', async () => {
    const { render, advance, load } = rig();
    const pages = [render(), render(), render()];
    await advance(0);
    expect(load.queueLength()).toBe(1);
    const levels = [await advance(500), await advance(500), await advance(500), await advance(500)];
    // Two pages of the first interval did not wait.
    expect(levels).toEqual(['normal', 'slots', 'stale', 'refuse']);
    for (const { end } of pages) end();
    await Promise.all(pages.map(({ page }) => page));
  });

  it('is busy while more than a quarter of the possible pages are being written', async () => {
    const { load } = rig(8);
    const ends: (() => void)[] = [];
    const busy: boolean[] = [];
    for (let pages = 1; pages <= 3; pages += 1) {
      const end = Promise.withResolvers<void>();
      await load.run(STAY, () => Promise.resolve('page'), { endOf: () => end.promise });
      ends.push(end.resolve);
      busy.push(load.isBusy);
    }
    expect(busy).toEqual([false, false, true]);
    ends[0]?.();
    await new Promise(setImmediate);
    expect(load.isBusy).toBe(false);
  });

  it('refuses at the last level only what would have to wait', async () => {
    const { render, advance } = rig();
    const pages = [render(), render(), render()];
    for (let times = 0; times < 4; times += 1) await advance(500);
    await expect(render().page).rejects.toThrow(OverloadedError);
    for (const { end } of pages) end();
    await advance(0);
    const next = render();
    expect(await next.page).toBe('page');
    next.end();
  });

  it('ignores a burst that is over within the interval', async () => {
    const { render, advance } = rig();
    const burst = [render(), render(), render()];
    await advance(400);
    for (const { end } of burst) end();
    await advance(0);
    const after = render();
    expect(await advance(100)).toBe('normal');
    after.end();
  });

  it('rises with the delay of the event loop while half of the permits are in use', async () => {
    const { clock, render, advance } = rig();
    clock.loopDelayMs = 80;
    expect([await advance(500), await advance(500)]).toEqual(['normal', 'normal']);
    const page = render();
    expect([await advance(500), await advance(500)]).toEqual(['slots', 'stale']);
    page.end();
    expect([await advance(5000), await advance(5000)]).toEqual(['slots', 'normal']);
  });

  it('is normal again after a pause without requests', async () => {
    const { render, advance, levels } = rig();
    const pages = [render(), render(), render()];
    for (let times = 0; times < 4; times += 1) await advance(500);
    for (const { end } of pages) end();
    await Promise.all(pages.map(({ page }) => page));
    expect(await advance(60_000)).toBe('normal');
    expect(levels).toEqual(['slots', 'stale', 'refuse', 'normal']);
  });

  it('rises again after the clock was set back', async () => {
    const { clock, render, advance } = rig();
    clock.loopDelayMs = 80;
    const page = render();
    expect(await advance(-3_600_000)).toBe('normal');
    expect(await advance(500)).toBe('slots');
    page.end();
  });

  it('returns the permit of work that fails', async () => {
    const { load, render } = rig();
    for (let times = 0; times < 5; times += 1)
      await expect(load.run(STAY, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const page = render();
    expect(await page.page).toBe('page');
    page.end();
  });
});
