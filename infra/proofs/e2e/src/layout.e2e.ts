import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { after, describe, it } from 'mocha';
import { F150_NEAR_CHICAGO, FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { expectNoOverflow, setColorScheme } from './pageChecks.ts';
import {
  compareFirst,
  EMAIL,
  openResults,
  press,
  pressWords,
  waitForCount,
  waitForPath,
  waitForSlots,
} from './resultsPage.ts';

/** Number of displayed elements with this text. */
const displayedCount = (selector: string, text: string): Promise<number> =>
  browser.execute(
    (query: string, words: string) =>
      [...document.querySelectorAll<HTMLElement>(query)].filter(
        (element) => element.textContent?.trim() === words && element.checkVisibility(),
      ).length,
    selector,
    text,
  );

describe('the first view of the results', () => {
  it('shows price, title and facts of the first row at 1440×900', async () => {
    await openResults(F150_NEAR_CHICAGO, { width: 1440, height: 900 });
    const bottom = await browser.execute(
      () => document.querySelector('[data-tile] article h3 + p + p')?.getBoundingClientRect().bottom,
    );
    assert.ok(typeof bottom === 'number' && bottom < 820, `the facts end at ${bottom} px`);
  });

  it('offers Clear Filters once on a wide screen', async () => {
    await openResults(FORDS_NEAR_CHICAGO);
    assert.equal(await displayedCount('a', 'Clear Filters'), 1);
  });

  it('covers no dots of a card’s pictures with its labels, however narrow it is', async () => {
    for (const width of [320, 1200, 1440]) {
      await openResults('/cars-for-sale/all/ford', { width });
      const covered = await browser.execute(() =>
        [...document.querySelectorAll('[data-tile] article [style*="--count"]')].map((picture) => {
          const dots = Number.parseFloat(getComputedStyle(picture, '::after').blockSize);
          const top = picture.getBoundingClientRect().bottom - dots;
          const labels = [...picture.querySelectorAll('p + p')];
          return labels.map((label) => label.getBoundingClientRect().bottom - top);
        }),
      );
      const below = covered.flat();
      assert.ok(below.length > 0, `${below.length} labels at ${width} px`);
      assert.ok(Math.max(...below) <= 0, `${Math.max(...below)} px of the dots are covered at ${width} px`);
    }
  });

  it('cuts no facts of a card and hides no focus ring behind its picture', async () => {
    await openResults(FORDS_NEAR_CHICAGO, { width: 1000 });
    const cut = await browser.execute(
      () =>
        [...document.querySelectorAll<HTMLElement>('[data-tile] article h3 + p + p')].filter(
          (facts) => facts.scrollWidth > facts.clientWidth,
        ).length,
    );
    assert.equal(cut, 0);
    await browser.keys('Tab');
    const offset = await browser.execute(() => {
      document.querySelector<HTMLElement>('[data-tile] article h3 a')?.focus();
      return getComputedStyle(document.querySelector('[data-tile] article') as Element).outlineOffset;
    });
    assert.ok(Number.parseInt(offset) >= 0, offset);
  });
});

describe('the bottom edge of a small screen', () => {
  it('leaves at least 80% of the page uncovered while vehicles are compared', async () => {
    await openResults(F150_NEAR_CHICAGO, { width: 390, height: 844, slots: ['toolbar', 'results', 'leads'] });
    await browser.execute(() => window.scrollTo(0, 1500));
    await compareFirst(2);
    const share = await browser.execute(() => {
      const drawer = document.querySelector('aside[aria-label="Compare vehicles"]');
      return (drawer?.getBoundingClientRect().height ?? 0) / window.innerHeight;
    });
    assert.ok(share > 0 && share < 0.2, `${Math.round(share * 100)}% is covered`);
    await browser.$('aside[aria-label="Compare vehicles"] button[aria-expanded]').click();
  });

  it('never hides the focused control behind drawer or floating buttons', async () => {
    await openResults(F150_NEAR_CHICAGO, { width: 390, height: 700, slots: ['toolbar', 'results', 'leads'] });
    await compareFirst(2);
    await browser.execute(() => document.querySelector<HTMLElement>('[data-tile] article h3 a')?.focus());
    const hidden: string[] = [];
    for (let stop = 0; stop < 40; stop++) {
      await browser.keys('Tab');
      const name = await browser.execute(() => {
        const { activeElement } = document;
        if (!activeElement || activeElement.closest('aside, [data-assistant]')) return '';
        const { left, top, width, height } = activeElement.getBoundingClientRect();
        const front = document.elementFromPoint(left + width / 2, top + height / 2);
        const isSeen = front && (activeElement.contains(front) || front.contains(activeElement));
        return isSeen ? '' : activeElement.outerHTML.slice(0, 80);
      });
      if (name !== '') hidden.push(name);
    }
    assert.deepEqual(hidden, []);
  });
});

describe('the vehicle page on a phone', () => {
  it('shows the first contact in the first view, without horizontal scrolling', async () => {
    await openResults(F150_NEAR_CHICAGO, { width: 390, height: 844, slots: ['results'] });
    const path = await browser.execute(
      () => document.querySelector<HTMLAnchorElement>('[data-tile="listing"] h3 a')?.pathname,
    );
    for (const width of [390, 320]) {
      await openResults(path ?? '', { width, height: 844, slots: ['vehicle'] });
      await expectNoOverflow();
      const bottom = await browser.execute(
        () => document.querySelector('#contact')?.firstElementChild?.getBoundingClientRect().bottom,
      );
      assert.ok(typeof bottom === 'number' && bottom < 844, `the first contact ends at ${bottom} px`);
    }
  });
});

describe('fields on a phone', () => {
  it('have text of 16 px, into which iOS does not zoom', async () => {
    const smaller = () =>
      browser.execute(() =>
        [...document.querySelectorAll('input, select, textarea')]
          .filter(
            (field) =>
              field.checkVisibility() &&
              !/checkbox|radio|range|hidden/.test((field as HTMLInputElement).type),
          )
          .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
          .map(({ outerHTML }) => outerHTML.slice(0, 90)),
      );
    await openResults(F150_NEAR_CHICAGO, {
      width: 390,
      height: 844,
      slots: ['toolbar', 'filters', 'results', 'leads'],
    });
    assert.deepEqual(await smaller(), []);
    await browser.$('button[aria-haspopup="dialog"]').click();
    await browser.$('dialog[open] input').waitForExist();
    assert.deepEqual(await smaller(), []);
    await browser.keys('Escape');
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    await press(`[data-tile] ${EMAIL}`);
    await browser.$('dialog[open] [name="fromEmailAddress"]').waitForExist();
    assert.deepEqual(await smaller(), []);
    await browser.keys('Escape');
  });
});

describe('the results in forced colors', () => {
  const emulate = (value: 'active' | 'none') =>
    browser.sendCommand('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value }] });

  it('underline only the current category and outline buttons', async () => {
    await emulate('active');
    try {
      await openResults(F150_NEAR_CHICAGO, { slots: ['toolbar', 'leads'] });
      const { lines, border } = await browser.execute(() => ({
        lines: [...document.querySelectorAll('nav[aria-label="Categories"] a')].map(
          (tab) => getComputedStyle(tab).borderBlockEndColor,
        ),
        border: getComputedStyle(document.querySelector('[data-assistant] button') as Element).borderTopWidth,
      }));
      const [current, ...others] = lines;
      assert.equal(new Set(others).size, 1);
      assert.ok(!others.includes(current ?? ''), `all are ${current}`);
      assert.equal(border, '1px');
    } finally {
      await emulate('none');
    }
  });
});

describe('the way from a search to a vehicle', () => {
  after(() => setColorScheme(''));

  for (const { name, width, height, scheme } of [
    { name: '320 px', width: 320, height: 640, scheme: 'dark' },
    { name: '390 px', width: 390, height: 844, scheme: 'light' },
    { name: '820 px', width: 820, height: 1180, scheme: 'dark' },
    { name: '1440 px', width: 1440, height: 900, scheme: 'light' },
    { name: '1920 px', width: 1920, height: 1080, scheme: 'dark' },
    { name: '1440 px and 200% zoom', width: 720, height: 450, scheme: 'light' },
  ])
    it(`filters, opens a vehicle and its dialog at ${name}, ${scheme}, without horizontal scrolling`, async () => {
      await setColorScheme(scheme);
      await openResults(F150_NEAR_CHICAGO, { width, height, slots: ['toolbar', 'filters', 'results'] });
      await expectNoOverflow();
      const used = browser.$('input[name="listingType"][value="USED"]');
      if (!(await used.isDisplayed())) {
        await browser.$('button[aria-haspopup="dialog"]').click();
        await browser.$('dialog[open] form').waitForDisplayed();
        await browser.$('dialog[open] input[name="listingType"][value="USED"]').click();
        await browser.$('dialog[open]').$('button*=See Results').click();
      } else await used.click();
      await waitForPath((path) => path.includes('/used') || path.includes('listingType=USED'));
      await waitForCount((count) => count > 0);
      await press('[data-tile="listing"] h3 a');
      await waitForPath((path) => path.startsWith('/cars-for-sale/vehicle/'));
      await waitForSlots('vehicle', 'leads');
      await expectNoOverflow();
      await pressWords(' Share');
      await browser.$('dialog[open]').waitForDisplayed();
      const { right, bottom, isWithin } = await browser.execute(() => {
        const box = document.querySelector('dialog[open]')!.getBoundingClientRect();
        return { right: box.right, bottom: box.bottom, isWithin: box.top >= 0 && box.left >= 0 };
      });
      assert.ok(isWithin && right <= width && bottom <= height, `the dialog ends at ${right}, ${bottom}`);
    });
});
