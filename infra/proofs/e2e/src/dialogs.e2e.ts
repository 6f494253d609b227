import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { browser } from '@wdio/globals';
import { after, before, beforeEach, describe, it } from 'mocha';
import {
  addInitScript,
  WITH_DIALOGS,
  press,
  pressWords,
  openResults,
  shownListings,
  startFreshVisit,
  waitForSlots,
} from './resultsPage.ts';
import { failing, problemsLogged, storedRows } from './marketplaceStore.ts';
import { F150_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { apiOrigin, shellOrigin } from './sharedStack.ts';

const openTitle = () => browser.execute(() => document.querySelector('dialog[open] h2')?.textContent ?? '');
const waitForTitle = (isTitle: (title: string) => boolean) =>
  browser.waitUntil(async () => isTitle(await openTitle()), { timeoutMsg: 'the dialog did not open' });
async function close(): Promise<void> {
  await browser.keys('Escape');
  await browser.$('dialog[open]').waitForExist({ reverse: true });
}

/** A vehicle with a 360° view: its id and the path of a results page that contains it. */
async function turnableVehicle(): Promise<{ readonly id: string; readonly path: string }> {
  for (let firstRecord = 0; firstRecord < 300; firstRecord += 30) {
    const response = await fetch(`${apiOrigin()}/rest/lsc/listing?firstRecord=${firstRecord}&numRecords=30`);
    const { listings } = (await response.json()) as { listings: { id: string; fyuseId?: string }[] };
    const spinListing = listings.find(({ fyuseId }) => fyuseId);
    if (spinListing)
      return { id: spinListing.id, path: `/cars-for-sale/all-cars?firstRecord=${firstRecord}` };
  }
  throw new Error('no vehicle of the first pages can be turned');
}

describe('content dialogs', () => {
  const PROGRAM = '#listings button[aria-label^="Certified program of"]';
  const DIFFERENCE = '#listings button[aria-label*=": more about "]';
  /** It is in the menu of a card whose dealer has one. */
  const openDifference = () =>
    browser.execute(async (selector: string) => {
      for (const menu of document.querySelectorAll<HTMLDetailsElement>('#listings article details')) {
        menu.open = true;
        while (!menu.querySelector('button[aria-label^="Share"]')) await new Promise(requestAnimationFrame);
        const entry = menu.querySelector<HTMLElement>(selector);
        if (entry) return entry.click();
      }
      throw new Error('no dealer has a difference');
    }, DIFFERENCE);
  before(() => openResults('/cars-for-sale/certified?searchRadius=50&zip=60601', { slots: WITH_DIALOGS }));

  // rows: B8-ERR-10
  it('opens a certified program when its content loads; otherwise explains, logs and allows a retry', async () => {
    const logged = problemsLogged('CERTIFIED_PROGRAM');
    const clearFault = await failing('certifiedSponsor', { status: 503 });
    await press(PROGRAM);
    await browser.$('p=We can’t show this program right now.').waitForDisplayed();
    assert.equal(await openTitle(), '');
    await clearFault();
    const hurry = await failing('certifiedSponsor', { delayMs: 500, times: 1 });
    await browser.$('button=Try again').click();
    assert.equal(await openTitle(), '');
    await waitForTitle((title) => title !== '');
    await hurry();
    assert.ok((await browser.$('dialog[open]').getText()).length > 200);
    await close();
    // Browser reports are sent on page hide.
    await browser.refresh();
    await browser.waitUntil(() => problemsLogged('CERTIFIED_PROGRAM') === logged + 1);
    await waitForSlots(...WITH_DIALOGS);
  });

  // rows: B7-DIFF-02, A2-UI-09
  it('shows the dealer’s own content only when it can be loaded', async () => {
    const clearFault = await failing('dealerDiffHtml', { status: 503 });
    await openDifference();
    await browser.pause(500);
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
    await clearFault();
    await openDifference();
    await waitForTitle((title) => title.startsWith('Why '));
    const name = (await openTitle()).slice('Why '.length);
    const label = await browser.execute(
      (selector) => document.querySelector(selector)?.getAttribute('aria-label') ?? '',
      DIFFERENCE,
    );
    assert.ok(label.endsWith(`: more about ${name}`), `${label} opened ${name}`);
    await close();
  });

  // rows: A3-LISTING-08
  it('turns a vehicle with keys and by dragging, and reports missing pictures', async () => {
    await openResults((await turnableVehicle()).path);
    const marker = browser.$('#listings').$('button*=360° view');
    const clearFault = await failing('spin', { status: 503 });
    await marker.scrollIntoView({ block: 'center' });
    await marker.click();
    await browser.$('p=The 360° view could not be loaded.').waitForDisplayed();
    await clearFault();
    await browser.$('button=Try again').click();
    const slider = browser.$('dialog[open] input[type="range"]');
    await slider.waitForDisplayed();
    const view = () => slider.getAttribute('aria-valuetext');
    const first = await view();
    await browser.keys('ArrowRight');
    const next = await view();
    assert.notEqual(next, first);
    await browser.waitUntil(() =>
      browser.execute(
        () =>
          (document.querySelector<HTMLImageElement>('dialog[open] img[data-shown]')?.naturalWidth ?? 0) > 0,
      ),
    );
    const stage = browser.$('dialog[open] [role="img"]');
    await browser
      .action('pointer')
      .move({ origin: await stage.getElement() })
      .down()
      .move({ origin: await stage.getElement(), x: 120, y: 0, duration: 200 })
      .up()
      .perform();
    assert.notEqual(await view(), next);
    await close();
    assert.match(await browser.execute(() => document.activeElement?.textContent ?? ''), /^360° view of /);
  });

  // rows: B2-MODAL-10
  it('explains electric vehicle types next to the fuel filter', async () => {
    await browser.execute(() => {
      for (const section of document.querySelectorAll('details'))
        if (/^Fuel Type/.test(section.textContent ?? '')) section.open = true;
    });
    await browser.$('button=Electric vehicle types').waitForExist();
    await pressWords('Electric vehicle types');
    await waitForTitle((title) => title === 'Electric vehicle types');
    for (const kind of ['BEV', 'PHEV', 'HEV', 'FCEV']) await browser.$(`abbr=${kind}`).waitForDisplayed();
    await close();
  });

  // rows: B7-CERT-04
  it('opens the program of a certified vehicle from its page', async () => {
    const response = await fetch(`${apiOrigin()}/rest/lsc/listing?makeCode=FORD&listingType=CERTIFIED`);
    const [listing] = ((await response.json()) as { listings: { id: string }[] }).listings;
    await browser.url(`${shellOrigin()}/cars-for-sale/vehicle/${listing?.id}`);
    const link = browser.$('button*=About Ford');
    const tile = link.$('img');
    await browser.waitUntil(async () => (await tile.getProperty('naturalWidth')) !== 0);
    await link.click();
    await waitForTitle((title) => title.startsWith('Ford'));
    assert.equal(await link.getText(), `About ${await openTitle()}`);
    await close();
  });

  it('turns a vehicle on the vehicle page', async () => {
    const { id } = await turnableVehicle();
    await browser.url(`${shellOrigin()}/cars-for-sale/vehicle/${id}`);
    await browser.$('button=360° view').click();
    await browser.$('dialog[open] input[type="range"]').waitForDisplayed();
    // Once styled, the stage is as high as a picture.
    const { width, height } = await browser.$('dialog[open] [role="img"]').getSize();
    assert.ok(height > width / 2, `the stage is ${width} px wide and ${height} px high`);
    await close();
  });
});

describe('the shopping assistant', () => {
  const OPENER = '[aria-label="Open the shopping assistant"]';

  // rows: A2-UI-11, A1-SCOPE-11
  it('changes the search or opens a dealer from prompts of the shopping assistant', async () => {
    await startFreshVisit();
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await press(OPENER);
    await browser.$('h2=Need help? Try these.').waitForDisplayed();
    await browser.$('button=Contact a dealer nearby').click();
    await waitForTitle((title) => title === 'Email the seller');
    await close();
    await press(OPENER);
    await browser.$('button=Cars under $20,000').click();
    await browser.waitUntil(async () => (await browser.getUrl()).includes('maxPrice=20000'));
    assert.equal(await browser.$('dialog[open]').isExisting(), false);
    await press(OPENER);
    await browser.$('button=Show me the best deals').click();
    await browser.waitUntil(async () => /best-deals|dealType/.test(await browser.getUrl()));
    await press(OPENER);
    await browser.$('button=Only electric cars').click();
    await browser.waitUntil(async () => /electric|fuelTypeGroup=ELE/.test(await browser.getUrl()));
  });
});

describe('the wallet', () => {
  before(startFreshVisit);

  const PAYMENT = '#listings button[aria-label$="change the terms"]';
  const payment = () => browser.execute((first) => document.querySelector(first)?.textContent ?? '', PAYMENT);
  const dealsOf = async (listingId: string) =>
    (await storedRows('deals')).filter(({ body }) => String(body).includes(`"carId":"${listingId}"`));

  // rows: A2-UI-10
  it('shows payments on cards and stores the terms for the next page', async () => {
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await pressWords('Set my budget');
    await browser.$('dialog[open] [name="monthlyBudget"]').waitForDisplayed();
    await browser.$('dialog[open] [name="monthlyBudget"]').setValue('450');
    await browser.$('dialog[open] [name="downPayment"]').setValue('none');
    await browser.$('button=Show payments').click();
    await browser.$('dialog[open] [name="downPayment"][aria-invalid="true"]').waitForExist();
    await browser.$('dialog[open] [name="downPayment"]').setValue('1,000');
    await browser.$('button=Show payments').click();
    await browser.$('dialog[open]').waitForExist({ reverse: true });
    await browser.refresh();
    await waitForSlots(...WITH_DIALOGS);
    assert.match(await payment(), /\$[\d,]+\/mo/);
    await pressWords('Change my budget');
    await browser.$('dialog[open] [name="monthlyBudget"]').waitForDisplayed();
    assert.equal(await browser.$('dialog[open] [name="monthlyBudget"]').getValue(), '450');
    assert.equal(await browser.$('dialog[open] [name="downPayment"]').getValue(), '1000');
    await close();
  });

  // rows: B7-DEAL-01, B8-ERR-14
  it('saves a deal once and explains when deals are unavailable', async () => {
    const listingId = await browser.execute(
      (first) =>
        document
          .querySelector(first)
          ?.closest('article')
          ?.querySelector<HTMLAnchorElement>('h3 a')
          ?.pathname.split('/')
          .at(-1) ?? '',
      PAYMENT,
    );
    const before = await payment();
    const dealCount = (await dealsOf(listingId)).length;
    await press(PAYMENT);
    await browser.$('button=Save this deal').waitForDisplayed();
    const clearFault = await failing('saveDeal', { status: 503 });
    await pressWords('Save this deal');
    await browser.$('p=This deal was not saved: Request failed.').waitForDisplayed();
    await clearFault();
    await pressWords('Save this deal', 2);
    await browser.$('p=This deal is saved.').waitForDisplayed();
    await browser.$('dialog[open] [name="tradeInValue"]').setValue('4000');
    await pressWords('Save this deal');
    await browser.waitUntil(
      async () => (await dealsOf(listingId)).some(({ body }) => String(body).includes('5000')),
      {
        timeoutMsg: 'the deal was not brought up to date',
      },
    );
    const spoil = await failing('updateDeal', { status: 503 });
    await browser.waitUntil(
      async () => {
        await pressWords('Save this deal');
        const message = await browser.$('dialog[open] [role="status"]').getText();
        return message === 'This deal was not saved: Circuit Breaker for /deals is open.';
      },
      { interval: 100, timeoutMsg: 'the breaker of deals was never said to be open' },
    );
    await spoil();
    assert.equal((await dealsOf(listingId)).length, dealCount + 1);
    await browser.$('button=Show payments').click();
    await browser.waitUntil(async () => (await payment()) !== before);
  });

  // rows: A7-PAY-02, A7-PAY-03
  it('lists the incentives on a new vehicle', async () => {
    await openResults('/cars-for-sale/new/ford?searchRadius=0&zip=60601', { slots: WITH_DIALOGS });
    const incentivesOf = async (path: string) => {
      const listingId = String(path.split('/').at(-1));
      const query = new URLSearchParams({ listingId, disableIncentives: 'false' });
      const response = await fetch(`${apiOrigin()}/payments/incentives?${query}`);
      return ((await response.json()) as { incentives: { name: string }[] }).incentives;
    };
    const offers = await Promise.all(
      (await shownListings()).map(async (path) => ({ path, incentives: await incentivesOf(path) })),
    );
    const offer = offers.find(({ incentives }) => incentives.length > 0);
    assert.ok(offer, 'none of the vehicles has an incentive');
    await press(`article:has(h3 a[href^="${offer.path}?"]) button[aria-label$="change the terms"]`);
    const list = browser.$('dialog[open] section:has(h3) ul');
    await list.waitForDisplayed();
    const text = await list.getText();
    for (const { name } of offer.incentives) assert.ok(text.includes(name), text);
    assert.match(text, /Ends [A-Z][a-z]+ \d+, 20\d\d\./);
  });
});

describe('the notification prompt', () => {
  const IPHONE =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
  const PROMPT = 'h2=Be the first to see price drops';
  const setPermission = (setting: 'granted' | 'denied' | 'prompt') =>
    browser.sendCommand('Browser.setPermission', {
      permission: { name: 'notifications' },
      setting,
      origin: shellOrigin(),
    });
  const storedValue = (key: string) => browser.execute((name) => localStorage.getItem(name), key);
  const browser256 = createECDH('prime256v1');
  browser256.generateKeys();
  /** A subscription as a push service returns it. */
  const subscription = {
    endpoint: `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`,
    keys: {
      p256dh: browser256.getPublicKey('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  };
  const token = JSON.stringify(subscription);
  const devices = async () => (await storedRows('devices')).filter((device) => device['token'] === token);

  beforeEach(async () => {
    await startFreshVisit();
    await browser.execute(() =>
      localStorage.setItem('recentInventory', JSON.stringify([{ listingId: '1', viewedAt: Date.now() }])),
    );
  });
  after(() => setPermission('prompt'));

  // rows: A1-NOTIF-01, A4-NOTIF-01, A4-NOTIF-04
  it('prompts for notifications once when a visitor viewed a vehicle and searches for a model', async () => {
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await browser.$(PROMPT).waitForDisplayed();
    await browser.$('button=Not now').click();
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await browser.pause(1_500);
    assert.equal(await browser.$(PROMPT).isExisting(), false);
  });

  // rows: A4-NOTIF-05, A4-NOTIF-06, A4-NOTIF-08
  it('subscribes a browser once, also after a slow first attempt, and unsubscribes it when it blocks', async () => {
    await setPermission('granted');
    // Replaces only the vendor's push service, which tests cannot reach.
    const pushStub = await addInitScript((response: string) => {
      PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = async () =>
        ({ toJSON: () => JSON.parse(response) as object }) as unknown as PushSubscription;
    }, token);
    // The device call times out after one second.
    const clearFault = await failing('registerDevice', { delayMs: 2_500 });
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await browser.$(PROMPT).waitForDisplayed();
    await pressWords('Notify me');
    await browser.$('p*=we couldn’t turn them on').waitForDisplayed();
    assert.equal(await storedValue('notificationToken'), null);
    await clearFault();
    await browser.refresh();
    await browser.waitUntil(async () => (await storedValue('notificationToken')) !== null);
    assert.equal((await devices()).length, 1);
    await setPermission('denied');
    await browser.refresh();
    await browser.waitUntil(async () => (await storedValue('notificationToken')) === null);
    await browser.waitUntil(async () => (await devices()).length === 0);
    await pushStub.remove();
  });

  // rows: A4-NOTIF-07, A4-NOTIF-09, A2-UI-12
  it('changes nothing when the permission prompt is dismissed, and asks iOS visitors to add the page to the home screen', async () => {
    await setPermission('prompt');
    await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS });
    await browser.$(PROMPT).waitForDisplayed();
    // A headless browser never responds to the permission prompt.
    await pressWords('Notify me');
    await browser.$('p*=Nothing was changed.').waitForDisplayed();
    await browser.sendCommand('Emulation.setUserAgentOverride', { userAgent: IPHONE });
    try {
      await browser.execute(() => localStorage.removeItem('notificationPrompted'));
      await openResults(F150_NEAR_CHICAGO, { slots: WITH_DIALOGS, width: 390, height: 844 });
      await browser.$(PROMPT).waitForDisplayed();
      await pressWords('Notify me');
      await browser.$('h2=Add this page to your home screen').waitForDisplayed();
    } finally {
      await browser.sendCommand('Emulation.setUserAgentOverride', { userAgent: '' });
    }
  });
});
