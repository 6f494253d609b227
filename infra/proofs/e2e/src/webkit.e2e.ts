import assert from 'node:assert/strict';
import { FORDS_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { describe, it } from 'mocha';
import { hasWebKit, inWebKit } from './inWebKit.ts';
import { EMAIL, hasLaterStyles } from './resultsPage.ts';
import { shellOrigin } from './sharedStack.ts';

const FIRST_SLOTS = ['toolbar', 'filters', 'results', 'leads'];
const USED = '[data-slot="filters"] input[name="listingType"][value="USED"]';
const SORT = 'select[name="sortBy"]';
const CARD_LINK = '[data-tile="listing"] h3 a';
const HEART = '[data-tile] article button[aria-label^="Save "]';
const SAVED = '[data-tile] article button[aria-pressed="true"]';
const MENU = '[data-tile="listing"] article details:not([open]) > summary';
const COMPARE = '//*[@data-tile]//details[@open]//button[starts-with(normalize-space(), "Compare ")]';
const COMPARE_NOW = '//aside[@aria-label="Compare vehicles"]//button[.="Compare now"]';
const FILTER = '//*[@data-slot="toolbar"]//button[starts-with(normalize-space(), "Filter")]';

/** Steps of a shopper in a window of WebKit. */
function shopperIn(webKit: WebdriverIO.Browser) {
  const until = (what: string, isTrue: () => Promise<boolean>) =>
    webKit.waitUntil(isTrue, { timeoutMsg: `in WebKit: ${what}`, interval: 100 });

  return {
    until,
    open: async (path: string): Promise<void> => {
      await webKit.url(shellOrigin() + path);
      for (const slot of FIRST_SLOTS)
        await until(`${slot} is not interactive`, () =>
          webKit.execute((name) => performance.getEntriesByName(`slot:${name}:hydrated`).length > 0, slot),
        );
    },
    /** By the pointer at its place: the driver's own click refuses links that are on two lines. */
    press: async (selector: string): Promise<void> => {
      await webKit.$(selector).waitForExist();
      let place: { x: number; y: number } | undefined;
      // Cards that come into view get their height: until it stays where it is.
      await until(`${selector} is covered, or moves`, async () => {
        const before = place;
        const control = await webKit.$(selector).getElement();
        await control.execute((element: HTMLElement) =>
          element.scrollIntoView({ block: 'center', behavior: 'instant' }),
        );
        place = await control.execute((element: HTMLElement) => {
          const [box] = element.getClientRects();
          if (!box) return undefined;
          const x = Math.round(box.left + box.width / 2);
          const y = Math.round(box.top + box.height / 2);
          const hit = document.elementFromPoint(x, y);
          // A checkbox may be drawn by its label.
          return element.contains(hit) || element.closest('label')?.contains(hit) ? { x, y } : undefined;
        });
        return place !== undefined && place.x === before?.x && place.y === before.y;
      });
      await webKit.action('pointer').move(place!).down().up().perform();
    },
    /** Pictures that are drawn larger than the element around them. */
    oversizedPictures: (): Promise<string[]> =>
      webKit.execute(() =>
        [...document.images]
          .filter((picture) => {
            const inner = picture.getBoundingClientRect();
            const outer = picture.parentElement!.getBoundingClientRect();
            return inner.width > outer.width + 1 || inner.height > outer.height + 1;
          })
          .map(({ outerHTML }) => outerHTML),
      ),
    /** The number of matches, once the list is that of the expected URL. */
    matches: async (isExpected: (url: URL) => boolean): Promise<number> => {
      let count = 0;
      await until('the expected matches are not shown', async () => {
        const shown = await webKit.execute(() => ({
          href: window.location.href,
          isIdle: document.querySelector('#listings[aria-busy="false"]') !== null,
          text: document.getElementById('results-heading')?.textContent ?? '',
        }));
        count = Number(shown.text.replaceAll(/\D/g, ''));
        return shown.isIdle && isExpected(new URL(shown.href));
      });
      return count;
    },
  };
}

describe('the results page in WebKit', () => {
  it('filters, goes back, sorts, opens a vehicle and returns to its card', async function () {
    if (!hasWebKit()) return this.skip();
    await inWebKit(async (webKit) => {
      const { open, press, matches, until, oversizedPictures } = shopperIn(webKit);
      await webKit.setWindowSize(1440, 900);
      await open(FORDS_NEAR_CHICAGO);
      const all = await matches(() => true);
      await until('the later styles are not there', () => webKit.execute(hasLaterStyles));
      assert.deepEqual(await oversizedPictures(), []);
      await press(USED);
      const used = await matches(({ pathname }) => pathname.includes('/used'));
      assert.ok(used > 0 && used < all, `${used} of ${all} are used`);
      await webKit.back();
      assert.equal(await matches(({ pathname }) => !pathname.includes('/used')), all);
      assert.equal(await webKit.$(USED).isSelected(), false);

      await webKit.$(SORT).scrollIntoView({ block: 'center' });
      await webKit.$(SORT).selectByAttribute('value', 'derivedpriceASC');
      assert.equal(
        await matches(({ searchParams }) => searchParams.get('sortBy') === 'derivedpriceASC'),
        all,
      );

      const path = await webKit.execute(
        (selector) => [...document.querySelectorAll<HTMLAnchorElement>(selector)].at(8)!.pathname,
        CARD_LINK,
      );
      await press(`${CARD_LINK}[href^="${path}"]`);
      await until('the vehicle is not shown', () =>
        webKit.execute(
          (expected) => window.location.pathname === expected && document.readyState === 'complete',
          path,
        ),
      );
      assert.match(await webKit.$('h1').getText(), /\d{4} Ford/);
      assert.deepEqual(await oversizedPictures(), []);
      await webKit.back();
      await until('the card of the vehicle is not in view', () =>
        webKit.execute((expected) => {
          const card = document
            .querySelector(`[data-tile="listing"] h3 a[href^="${expected}"]`)
            ?.closest('article');
          const box = card?.getBoundingClientRect();
          return box !== undefined && box.top < window.innerHeight && box.bottom > 0;
        }, path),
      );
    });
  });

  it('asks a seller, saves and compares', async function () {
    if (!hasWebKit()) return this.skip();
    await inWebKit(async (webKit) => {
      const { open, press, until, oversizedPictures } = shopperIn(webKit);
      await webKit.setWindowSize(1440, 900);
      await open(FORDS_NEAR_CHICAGO);
      await press(EMAIL);
      await webKit.$('dialog[open] [name="fromEmailAddress"]').waitForExist();
      await webKit.keys('Escape');
      await webKit.$('dialog[open]').waitForExist({ reverse: true });
      await until('the focus is not back on the button', () =>
        webKit.execute((button) => document.activeElement?.matches(button) === true, EMAIL),
      );
      await press(HEART);
      await webKit.$(SAVED).waitForExist();
      for (let count = 0; count < 2; count += 1) {
        await press(MENU);
        await press(COMPARE);
      }
      await press(COMPARE_NOW);
      await webKit.$('dialog[open] table').waitForExist();
      await webKit.$('dialog[open] table img').waitForExist();
      assert.deepEqual(await oversizedPictures(), []);
    });
  });

  it('filters in the dialog of a narrow window', async function () {
    if (!hasWebKit()) return this.skip();
    await inWebKit(async (webKit) => {
      const { open, press, matches } = shopperIn(webKit);
      // The browser's own bar is some 450 px wide.
      await webKit.setWindowSize(390, 844);
      await open(FORDS_NEAR_CHICAGO);
      const all = await matches(() => true);
      await press(FILTER);
      await webKit.$('dialog[open]').waitForExist();
      await press('dialog[open] input[name="listingType"][value="USED"]');
      await press('//dialog[@open]//button[starts-with(normalize-space(), "See Results")]');
      const used = await matches(({ pathname }) => pathname.includes('/used'));
      assert.ok(used > 0 && used < all, `${used} of ${all} are used`);
    });
  });
});
