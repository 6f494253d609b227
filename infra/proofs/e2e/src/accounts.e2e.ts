import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { identityAccounts, storedRows } from './marketplaceStore.ts';
import { expectNoAxeViolations, expectNoOverflow, expectValidHtml } from './pageChecks.ts';
import {
  confirmAddress,
  followEmail,
  openResults,
  waitForPath,
  waitForSlots,
  setViewport,
} from './resultsPage.ts';
import { F150_NEAR_CHICAGO } from '@forecourt/harness/serverHtml';
import { apiOrigin, shellOrigin, shellReplicas } from './sharedStack.ts';
import { startOwnStack } from '@forecourt/harness/ownStack';

const PASSWORD = 'four words about cars';
let people = 0;
const newAddress = () => `person.${Date.now()}.${(people += 1)}@example.com`;

const open = (path: string, origin = shellOrigin()) => browser.url(origin + path);
/** Waits, because the previous page's heading stays visible during navigation. */
const expectHeading = (text: string) => browser.$(`h1=${text}`).waitForDisplayed();
const button = (text: string) => browser.$(`button=${text}`);
const setScripting = (isOff: boolean) =>
  browser.sendCommand('Emulation.setScriptExecutionDisabled', { value: isOff });

async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await browser.$(`input[name="${name}"]`).setValue(value);
}

/** Signs up from the current page and returns to it. */
async function signUp(email: string, name = 'Ada Byron'): Promise<void> {
  await browser.$('a=Create a free account').click();
  await fill({ name, email, password: PASSWORD });
  await button('Create account').click();
  await confirmAddress(email);
}

async function signIn(email: string, password = PASSWORD): Promise<void> {
  await fill({ email, password });
  await button('Sign in').click();
}

/** Signs out with the button on the account page. */
async function leave(): Promise<void> {
  await browser.$('main form button').click();
  await waitForPath('/account/signed-out');
}

/** Clicks a link that downloads a file; its content. */
async function download(link: string, name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-download-'));
  try {
    await browser.sendCommand('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    await browser.$(link).click();
    await browser.waitUntil(() => existsSync(join(folder, name)), { timeoutMsg: `never downloaded ${name}` });
    return readFileSync(join(folder, name), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How many logout tokens shells have accepted. */
async function acceptedLogouts(): Promise<number> {
  let accepted = 0;
  for (const shell of shellReplicas()) {
    const metrics = await (await fetch(`${shell}/metrics`)).text();
    accepted += Number(/^forecourt_logout_tokens_total\{outcome="OK"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
  }
  return accepted;
}

const cookieNames = async () => (await browser.getCookies()).map(({ name }) => name);
const isSignedIn = async () => (await cookieNames()).includes('signedIn');

describe('accounts', () => {
  before(() => setViewport({ width: 1440, height: 900 }));

  // rows: A6-ROLE-01
  it('returns to the page after sign-up', async () => {
    await browser.deleteCookies();
    await openResults(F150_NEAR_CHICAGO);
    await browser.$('#fc-account').click();
    await expectHeading('Sign in');
    await signUp(newAddress());
    await waitForPath(F150_NEAR_CHICAGO);
    assert.match(await browser.$('#fc-account').getText(), /^Ada/);
    assert.equal(await browser.execute(() => document.cookie.includes('signedIn=true')), true);
    assert.equal(await browser.execute(() => document.cookie.includes('account=')), false);
  });

  it('signs out from the account menu and in again with the password', async () => {
    const email = newAddress();
    await browser.deleteCookies();
    await open('/account/sign-in?refUrl=%2Faccount');
    await signUp(email);
    await waitForPath('/account');
    await browser.$('#fc-account').click();
    await browser.$('#fc-account-menu').waitForDisplayed();
    await expectNoAxeViolations();
    await browser.$('#fc-account-menu button').click();
    await waitForPath('/account/signed-out');
    await expectHeading('You are signed out');
    assert.equal(await isSignedIn(), false);

    await open('/account');
    // The issuer session ended, too: it asks for credentials.
    await expectHeading('Sign in');
    await signIn(email, 'not the password');
    assert.match(await browser.$('[role="alert"]').getText(), /email address or password is incorrect/);
    assert.equal(await browser.$('input[name="email"]').getValue(), email);
    await signIn(email);
    await waitForPath('/account');
    await expectHeading('Hello, Ada');
  });

  it('notifies only the owner of an address when someone signs up with it again', async () => {
    const email = newAddress();
    await browser.deleteCookies();
    await open('/account/sign-in?refUrl=%2Faccount');
    await signUp(email);
    await waitForPath('/account');
    await leave();
    await open('/account/sign-in?defaultScreen=signup');
    await fill({ name: 'Eve', email, password: 'another long secret' });
    await button('Create account').click();
    await expectHeading('Check your email');
    await browser.$('a=Open the mails of this machine').click();
    const newest = browser.$(`//ol/li[contains(., "${email}")][1]/h2`);
    assert.match(await newest.getText(), /^You already have an account/);
  });

  it('resets a forgotten password by email and changes a known one on the account page', async () => {
    const email = newAddress();
    await browser.deleteCookies();
    await open('/account/sign-in?refUrl=%2Faccount');
    await signUp(email);
    await waitForPath('/account');
    await leave();
    await open('/account');
    await browser.$('a=Forgot your password?').click();
    await fill({ email });
    await expectNoAxeViolations();
    await button('Send the link').click();
    await followEmail(email);
    await fill({ password: 'five other words about boats' });
    await button('Set password').click();
    await expectHeading('Your password was changed');
    await browser.$('a=Sign in').click();
    await signIn(email, 'five other words about boats');
    await waitForPath('/cars-for-sale/all-cars');
    await open('/account');
    await browser.$('a[href="/account/password"]').click();
    await fill({ current: 'five other words about boats', password: PASSWORD });
    await expectNoAxeViolations();
    await button('Change password').click();
    await waitForPath('/account');
    await expectHeading('Hello, Ada');
  });

  it('returns to the page when the visitor skips sign-in', async () => {
    await browser.deleteCookies();
    await open('/account/sign-in?refUrl=%2Fcars-for-sale%2Fused');
    await button('Continue without signing in').click();
    await waitForPath('/cars-for-sale/used');
    assert.equal(await isSignedIn(), false);
  });

  it('keeps an older tab’s sign-in form working after sign-in in another tab', async () => {
    const email = newAddress();
    await browser.deleteCookies();
    await open('/account/sign-in?refUrl=%2Faccount');
    const first = await browser.getWindowHandle();
    await browser.newWindow(`${shellOrigin()}/account/sign-in?refUrl=%2Fcars-for-sale%2Fused`);
    await signUp(email);
    await waitForPath('/cars-for-sale/used');
    await browser.closeWindow();
    await browser.switchToWindow(first);
    // The older tab's form still works.
    await signIn(email);
    await waitForPath('/account');
    await expectHeading('Hello, Ada');
  });

  it('keeps a saved vehicle across sign-out and sign-in', async () => {
    const email = newAddress();
    const response = await fetch(`${apiOrigin()}/rest/lsc/listing?makeCode=FORD&numRecords=25`);
    const { listings } = (await response.json()) as { listings: { id: string }[] };
    const vehicle = `/cars-for-sale/vehicle/${listings[0]?.id}`;
    const save = () => browser.$('[data-saves]');
    const waitForLabel = (text: string) =>
      browser.waitUntil(async () => (await save().getText()) === text, { timeoutMsg: `never ${text}` });
    await browser.deleteCookies();
    await open(`/account/sign-in?refUrl=${encodeURIComponent(vehicle)}`);
    await signUp(email);
    await waitForPath(vehicle);
    await waitForSlots('leads');
    await save().click();
    await waitForLabel('Saved');
    await browser.execute(() => localStorage.clear());
    await open('/account');
    await leave();
    await open(`/account/sign-in?refUrl=${encodeURIComponent(vehicle)}`);
    await signIn(email);
    await waitForPath(vehicle);
    await waitForLabel('Saved');
  });

  it('downloads the data of an account, then deletes data and account, and ends its sessions everywhere', async () => {
    const email = newAddress();
    const response = await fetch(`${apiOrigin()}/rest/lsc/listing?makeCode=FORD&numRecords=25`);
    const { listings } = (await response.json()) as { listings: { id: string }[] };
    const vehicle = listings[0]?.id ?? '';
    await browser.deleteCookies();
    await open(`/account/sign-in?refUrl=${encodeURIComponent(`/cars-for-sale/vehicle/${vehicle}`)}`);
    await signUp(email);
    await waitForPath(`/cars-for-sale/vehicle/${vehicle}`);
    await waitForSlots('leads');
    const before = new Set((await storedRows('saved_listings')).map(({ account }) => account));
    await browser.$('[data-saves]').click();
    const account = await browser.waitUntil(
      async () =>
        (await storedRows('saved_listings')).find((row) => !before.has(row['account']))?.['account'],
      { timeoutMsg: 'never saved' },
    );

    await open('/account');
    const data = await download('a[href="/account/data"]', 'my-data.json');
    assert.match(data, new RegExp(email));
    assert.match(data, new RegExp(`"${vehicle}"`));
    const copy = (await browser.getCookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const openCopy = () =>
      fetch(`${shellOrigin()}/account`, { headers: { cookie: copy }, redirect: 'manual' });
    assert.equal((await openCopy()).status, 200);
    const logouts = await acceptedLogouts();

    await browser.$('summary=Delete your account').click();
    await button('Delete everything').click();
    await expectHeading('Delete your account');
    assert.deepEqual(
      (await storedRows('saved_listings')).filter((row) => row['account'] === account),
      [],
    );
    await expectNoAxeViolations();
    await fill({ current: 'not the password' });
    await button('Delete my account').click();
    assert.match(await browser.$('main').getText(), /This password is incorrect/);
    assert.equal(await identityAccounts(email), 1);
    await fill({ current: PASSWORD });
    await button('Delete my account').click();
    await expectHeading('Your account is deleted');
    const deletedAt = Date.now();
    assert.equal(await identityAccounts(email), 0);

    await browser.waitUntil(async () => (await openCopy()).status === 303, { timeout: 5_000, interval: 100 });
    assert.ok(Date.now() - deletedAt < 3_000, `the copy of the session lived ${Date.now() - deletedAt} ms`);
    await browser.waitUntil(async () => (await acceptedLogouts()) > logouts, {
      timeoutMsg: 'identity sent the shell no logout token',
    });
    await open('/account');
    await expectHeading('Sign in');
    assert.equal(await isSignedIn(), false);
    await signIn(email);
    assert.match(await browser.$('[role="alert"]').getText(), /email address or password is incorrect/);
  });

  it('signs up, in and out without JavaScript', async () => {
    await browser.deleteCookies();
    await setScripting(true);
    try {
      await open('/account/sign-in?refUrl=%2Faccount&defaultScreen=signup');
      const email = newAddress();
      await fill({ name: 'Grace', email, password: PASSWORD });
      await button('Create account').click();
      await confirmAddress(email);
      await waitForPath('/account');
      await browser.$('#fc-account').click();
      await browser.$('#fc-account-menu').waitForDisplayed();
      await browser.$('#fc-account-menu button').click();
      // Without scripts, the issuer asks for confirmation.
      await button('Sign out').click();
      await waitForPath('/account/signed-out');
      assert.equal(await isSignedIn(), false);
    } finally {
      await setScripting(false);
    }
  });

  it('never redirects to another site after sign-up', async () => {
    await browser.deleteCookies();
    await open(`/account/sign-in?refUrl=${encodeURIComponent('//example.com/evil')}`);
    await signUp(newAddress());
    await waitForPath('/cars-for-sale/all-cars');
    assert.equal(new URL(await browser.getUrl()).origin, shellOrigin());
  });
});

describe('account pages', () => {
  for (const width of [320, 1440])
    it(`has no axe violations or horizontal scrolling on account pages at ${width} px`, async () => {
      await setViewport({ width, height: 844 });
      await browser.deleteCookies();
      await open('/account/signed-out');
      await expectNoAxeViolations();
      await expectNoOverflow();
      await open('/account/sign-in?refUrl=%2Faccount');
      await expectNoAxeViolations();
      await expectNoOverflow();
      await browser.$('a=Create a free account').click();
      await button('Create account').click();
      await browser.waitUntil(async () => (await browser.$$('[aria-invalid="true"]').length) === 3);
      await expectNoAxeViolations();
      await expectNoOverflow();
      const email = newAddress();
      await fill({ name: 'Ada', email, password: PASSWORD });
      await button('Create account').click();
      await expectHeading('Check your email');
      await expectNoAxeViolations();
      await expectNoOverflow();
      await confirmAddress(email);
      await waitForPath('/account');
      await browser.$('h1').waitForDisplayed();
      await expectNoAxeViolations();
      await expectNoOverflow();
    });

  it('serves account pages as valid HTML', async () => {
    for (const path of ['/account/signed-out', '/account/sign-in', '/account/sign-in?defaultScreen=signup']) {
      // The issuer tracks a visit with a cookie, which fetch in a browser cannot follow across origins.
      const html = await followed(shellOrigin() + path);
      await expectValidHtml(html);
    }
  });
});

/** Fetches a page, following redirects with cookies as a browser does. */
async function followed(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let hops = 0; hops < 6; hops += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        accept: 'text/html',
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (!next) return response.text();
    url = new URL(next, url).href;
  }
  throw new Error(`${start} redirects in a circle`);
}

describe('when the identity service is down', () => {
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  before(async () => {
    stack = await startOwnStack();
  });
  after(() => stack?.remove());

  // rows: A8-ERR-07
  it('serves pages and keeps visitors signed in when the identity service is down, and explains it at sign-in', async () => {
    const origin = stack.urls.shell;
    await browser.deleteCookies();
    await browser.url(`${origin}/account/sign-in?refUrl=%2Faccount`);
    await signUp(newAddress());
    await waitForPath('/account');
    process.kill(stack.pids.identity as number, 'SIGKILL');

    await openResults('/cars-for-sale/used', { origin });
    assert.match(await browser.$('#fc-account').getText(), /^Ada/);
    await browser.$('#fc-account').click();
    await browser.$('#fc-account-menu button').click();
    await waitForPath('/account/signed-out');
    await openResults('/cars-for-sale/used', { origin });
    assert.equal(await isSignedIn(), false);
    await browser.$('#fc-account').click();
    await expectHeading('You cannot sign in right now');
    await browser.$('a=Continue without signing in').click();
    await waitForPath('/cars-for-sale/used');
  });
});
