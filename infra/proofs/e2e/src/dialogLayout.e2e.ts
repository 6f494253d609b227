import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { before, describe, it } from 'mocha';
import { F150_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import {
  compareFirst,
  EMAIL,
  openResults,
  press,
  pressInMenu,
  pressWords,
  startFreshVisit,
  WITH_DIALOGS,
} from './resultsPage.ts';

/** A part that loads on demand: without its style sheet it would have the browser's own looks. */
interface Opened {
  readonly name: string;
  readonly width?: number;
  readonly path?: string;
  readonly slots?: readonly string[];
  readonly open: () => Promise<unknown>;
  /** Covers the whole window. */
  readonly isFull?: boolean;
}

const vehicle: Pick<Opened, 'path' | 'slots'> = { path: 'vehicle', slots: ['vehicle', 'leads'] };

const PARTS: readonly Opened[] = [
  { name: 'email', open: () => press(`[data-tile] ${EMAIL}`) },
  { name: 'share', open: () => pressInMenu('Share') },
  { name: 'report', open: () => pressInMenu('Report') },
  { name: 'save search', open: () => pressWords('Save Search') },
  {
    name: 'wallet',
    open: async () => {
      await press('[aria-label="Open the shopping assistant"]');
      await pressWords('Estimate my monthly payment');
    },
  },
  {
    name: 'comparison',
    open: async () => {
      await compareFirst(2);
      await pressWords('Compare now');
    },
  },
  { name: 'filters', width: 390, open: () => press('button[aria-haspopup="dialog"]') },
  { name: 'keywords', width: 390, open: () => browser.$('input[name="keyword"]').click() },
  {
    name: 'full-screen pictures',
    ...vehicle,
    isFull: true,
    open: () => browser.$('button=Full screen').click(),
  },
];

describe('what opens on demand', () => {
  let vehiclePath = '';
  before(async () => {
    await openResults(F150_NEAR_CHICAGO, { slots: ['results'] });
    vehiclePath = await browser.execute(
      () => document.querySelector<HTMLAnchorElement>('[data-tile="listing"] h3 a')?.pathname ?? '',
    );
  });

  for (const { name, width = 1440, path, slots = WITH_DIALOGS, open, isFull = false } of PARTS)
    it(`has its styles: ${name} at ${width} px`, async () => {
      await startFreshVisit();
      await openResults(path === 'vehicle' ? vehiclePath : F150_NEAR_CHICAGO, { width, height: 844, slots });
      await open();
      await browser.$('dialog[open]').waitForDisplayed();
      const { box, background, targets, view } = await browser.execute(() => {
        const dialog = document.querySelector<HTMLElement>('dialog[open]')!;
        const { width: inline, height, left, right, top, bottom } = dialog.getBoundingClientRect();
        return {
          box: { inline, height, left, right, top, bottom },
          background: getComputedStyle(dialog).backgroundColor,
          targets: [...dialog.querySelectorAll<HTMLElement>('button')]
            .filter((button) => button.checkVisibility())
            .map((button) => button.getBoundingClientRect().height),
          view: { inline: window.innerWidth, block: window.innerHeight },
        };
      });
      const facts = JSON.stringify({ box, background, targets });
      assert.ok(box.left >= 0 && box.top >= 0 && box.right <= view.inline && box.bottom <= view.block, facts);
      assert.ok(
        isFull ? box.inline >= view.inline - 20 && box.height >= view.block - 20 : box.inline >= 300,
        facts,
      );
      assert.notEqual(background, 'rgba(0, 0, 0, 0)', facts);
      assert.ok(targets.length > 0 && targets.some((height) => height >= 44), facts);
    });

  it('leaves room for the filters at 400 % zoom', async () => {
    await openResults(F150_NEAR_CHICAGO, { width: 320, height: 256, slots: WITH_DIALOGS });
    await press('button[aria-haspopup="dialog"]');
    await browser.$('dialog[open] form').waitForDisplayed();
    const room = await browser.execute(
      () => document.querySelector('dialog[open] form')!.parentElement!.getBoundingClientRect().height,
    );
    assert.ok(room >= 120, `${room} px`);
  });

  it('tells the switch for payments on from off in forced colors', async () => {
    await browser.sendCommand('Emulation.setEmulatedMedia', {
      features: [{ name: 'forced-colors', value: 'active' }],
    });
    try {
      await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
      const look = () =>
        browser.execute(
          () => getComputedStyle(document.querySelector('input[role="switch"]')!).backgroundColor,
        );
      const off = await look();
      await browser.execute(() => {
        document.querySelector<HTMLInputElement>('input[role="switch"]')!.checked = true;
      });
      assert.notEqual(await look(), off);
    } finally {
      await browser.sendCommand('Emulation.setEmulatedMedia', {
        features: [{ name: 'forced-colors', value: 'none' }],
      });
    }
  });

  it('keeps each price of a build in one piece at 390 px', async () => {
    await openResults('/cars-for-sale/build-your-price?makeCode=FORD&modelCode=F150', {
      width: 390,
      height: 844,
      slots: ['build-your-price'],
    });
    const broken = await browser.execute(() =>
      [...document.querySelectorAll('fieldset label > span:last-child')]
        .filter((price) => {
          const range = document.createRange();
          range.selectNodeContents(price);
          return range.getClientRects().length > 1;
        })
        .map(({ textContent }) => textContent),
    );
    assert.deepEqual(broken, []);
  });
});
