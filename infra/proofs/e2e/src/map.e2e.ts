import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { after, describe, it } from 'mocha';
import { expectNoAxeViolations } from './pageChecks.ts';
import { F150_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { shellOrigin } from './sharedStack.ts';
import {
  openResults,
  shownCount,
  shownPath,
  waitForCount,
  waitForPath,
  waitForSlots,
  setViewport,
} from './resultsPage.ts';

const SLOTS = ['toolbar', 'filters', 'results', 'map'];
const MAP_NEAR_CHICAGO = F150_NEAR_CHICAGO.replace('&zip', '&view=map&zip');

interface ShownCluster {
  readonly name: string;
  readonly count: number;
  readonly isInside: boolean;
}

/** The circles of the map by their names. */
const shownClusters = (): Promise<ShownCluster[]> =>
  browser.execute(() => {
    const area = document.querySelector('[data-slot="map"] [role="group"] > div')?.getBoundingClientRect();
    return [...document.querySelectorAll('[aria-label="Sellers on the map"] a')].map((link) => {
      const name = link.querySelector('span:last-child')?.textContent ?? '';
      const { left, top } = link.parentElement!.getBoundingClientRect();
      const isInside =
        !area || (left > area.left && left < area.right && top > area.top && top < area.bottom);
      return { name, count: Number(name.split(' ')[0]?.replaceAll(',', '')), isInside };
    });
  });

const sum = (clusters: readonly ShownCluster[]): number =>
  clusters.reduce((total, { count }) => total + count, 0);

const statusText = (): Promise<string> => browser.$('[data-slot="map"] [role="status"]').getText();

/** Chooses the circle with the most vehicles and returns its count. */
async function chooseLargest(): Promise<number> {
  // Late data is loaded by the browser.
  await browser.waitUntil(async () => (await shownClusters()).length > 0);
  const clusters = await shownClusters();
  const largest = clusters.reduce((most, cluster) => (cluster.count > most.count ? cluster : most));
  await browser.$(`//*[@data-slot="map"]//a[.//span[text()="${largest.name}"]]`).click();
  return largest.count;
}

const hasArea = (path: string) => path.includes('area=') && !path.includes('searchRadius');

describe('the map of sellers', () => {
  it('leaves room for the number of matches beside it', async () => {
    for (const width of [1200, 1440, 1920]) {
      await openResults(MAP_NEAR_CHICAGO, { width, slots: SLOTS });
      const overlaps = await browser.execute(() => {
        const box = document.querySelector('[data-your-search]')!;
        const parts = [...box.querySelectorAll('p, a, select, button')].filter((part) =>
          part.checkVisibility(),
        );
        const boxes = parts.map((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return part.matches('select') ? part.getBoundingClientRect() : range.getBoundingClientRect();
        });
        return boxes.flatMap((one, at) =>
          boxes
            .slice(at + 1)
            .filter(
              (other) =>
                one.left < other.right &&
                other.left < one.right &&
                one.top < other.bottom &&
                other.top < one.bottom,
            ),
        ).length;
      });
      assert.equal(overlaps, 0, `at ${width} px`);
    }
  });

  it('opens from the list, and a circle finds the vehicles that it counts', async () => {
    await openResults(F150_NEAR_CHICAGO);
    await browser.$('a=Map').click();
    await waitForPath(MAP_NEAR_CHICAGO);
    await waitForSlots(...SLOTS);
    const before = await shownCount();
    const count = await chooseLargest();
    await waitForPath(hasArea);
    assert.equal(await waitForCount((shown) => shown !== before), count);
    await browser.waitUntil(async () => (await statusText()).startsWith(`${count} vehicle`));
    assert.equal(await browser.$('[aria-label="Selected filters"]').$('span=Map area').isExisting(), true);
    await browser.back();
    await waitForPath(MAP_NEAR_CHICAGO);
    assert.equal(await waitForCount((shown) => shown === before), before);
    await browser.back();
    await waitForPath(F150_NEAR_CHICAGO);
    await waitForSlots('results');
    assert.equal(await browser.$('[data-slot="map"]').isExisting(), false);
  });

  it('searches the part of the map that it was moved to', async () => {
    await openResults(MAP_NEAR_CHICAGO, { slots: SLOTS });
    const before = await statusText();
    await browser.$('aria/Zoom out').click();
    await browser.waitUntil(async () => (await statusText()) !== before);
    await browser.$('a=Search this area').click();
    await waitForPath(hasArea);
    const shown = await waitForCount((count) => count > 0);
    await browser.waitUntil(async () => (await statusText()).includes('in this area'));
    assert.equal(sum(await shownClusters()), await waitForCount((count) => count > 0));
    assert.ok(shown > 0);
  });

  it('has roads with their numbers, and prices instead of single sellers in a small view', async () => {
    await openResults(MAP_NEAR_CHICAGO, { slots: SLOTS });
    await browser.waitUntil(async () => (await shownClusters()).length > 0);
    const drawn = () =>
      browser.execute(() => {
        const frame = document.querySelector('[data-slot="map"] [role="group"]')!;
        const roads = [...frame.querySelectorAll('svg path')].at(-1)?.getAttribute('d') ?? '';
        const texts = [...frame.querySelectorAll(':scope > span[aria-hidden]')].map(
          (part) => part.textContent,
        );
        return { roads, texts };
      });
    const { roads, texts } = await drawn();
    assert.match(roads, /^M/);
    assert.ok(
      ['55', '80', '90'].some((number) => texts.includes(number)),
      texts.join(),
    );
    await openResults('/cars-for-sale/all-cars?area=41.7~-88~42.1~-87.5&view=map', { slots: SLOTS });
    await browser.waitUntil(async () => (await shownClusters()).length > 0);
    const names = (await shownClusters()).map(({ name }) => name);
    assert.ok(
      names.some((name) => /^[\d,]+ vehicles? from \$[\d,]+ near /.test(name)),
      names.join('; '),
    );
    // A road that is a few miles off would mislead here.
    assert.equal((await drawn()).roads, '');
  });

  it('moves with the arrow keys and by dragging', async () => {
    await openResults(MAP_NEAR_CHICAGO, { slots: SLOTS });
    const frame = browser.$('[data-slot="map"] [role="group"]');
    const place = () => browser.$('[aria-label="Sellers on the map"] li').getAttribute('style');
    const start = await place();
    await browser.execute(() =>
      document.querySelector<HTMLElement>('[data-slot="map"] [role="group"]')?.focus(),
    );
    await browser.keys('ArrowRight');
    await browser.waitUntil(async () => (await place()) !== start);
    const moved = await place();
    await frame.dragAndDrop({ x: -120, y: 60 });
    await browser.waitUntil(async () => (await place()) !== moved);
    assert.equal(await shownPath(), MAP_NEAR_CHICAGO);
  });

  for (const width of [390, 1440]) {
    it(`has no axe violations, layout shift or horizontal scrolling at ${width} px`, async () => {
      await openResults(MAP_NEAR_CHICAGO, { width, height: 900, slots: SLOTS });
      await expectNoAxeViolations();
      const { overflow, shift, smallest } = await browser.execute(async () => {
        const entries = await new Promise<PerformanceEntry[]>((resolve) => {
          const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
          observer.observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => resolve([]), 500);
        });
        const sizes = [...document.querySelectorAll('[data-slot="map"] a')].map((link) => {
          const box = link.getBoundingClientRect();
          return Math.min(box.width, box.height);
        });
        return {
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          shift: entries.reduce((total, entry) => total + (entry as unknown as { value: number }).value, 0),
          smallest: Math.min(...sizes),
        };
      });
      assert.equal(overflow, 0);
      assert.ok(shift < 0.02, `layout shift ${shift}`);
      assert.ok(smallest >= 24, `a target of ${smallest} px`);
    });
  }
});

describe('the map without JavaScript', () => {
  const setScripting = (isOff: boolean) =>
    browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: isOff });
  after(() => setScripting(false));

  it('opens, zooms and searches areas by links', async () => {
    await setViewport({ width: 1440, height: 900 });
    await setScripting(true);
    await browser.url(shellOrigin() + F150_NEAR_CHICAGO);
    await browser.$('a=Map').click();
    await browser.waitUntil(async () => (await shownPath()) === MAP_NEAR_CHICAGO);
    const count = await chooseLargest();
    // The path changes before the page is whole.
    await browser.waitUntil(async () => hasArea(await shownPath()) && (await shownCount()) === count);
    assert.equal(sum((await shownClusters()).filter(({ isInside }) => isInside)), count);
    await browser.$('aria/Zoom out').click();
    await browser.waitUntil(async () => (await shownCount()) >= count);
    await browser.$('[aria-label="Selected filters"]').$('a*=Map area').click();
    await browser.waitUntil(async () => !(await shownPath()).includes('area='));
  });
});
