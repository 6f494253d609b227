// not in the cluster: starts its own services, with an issuer of another vendor
import assert from 'node:assert/strict';
import { browser } from '@wdio/globals';
import { after, before, describe, it } from 'mocha';
import { startOwnStack } from '@forecourt/harness/ownStack';
import { type StandInIssuer, startStandInIssuer } from '@forecourt/harness/standInIssuer';
import { waitForPath } from './resultsPage.ts';

describe('an issuer whose pages are on other origins than its identifier', () => {
  let issuer: StandInIssuer;
  let stack: Awaited<ReturnType<typeof startOwnStack>>;
  before(async () => {
    issuer = await startStandInIssuer();
    stack = await startOwnStack({ issuer: issuer.issuer });
  });
  after(async () => {
    await stack.remove();
    await issuer.stop();
  });

  const open = (path: string) => browser.url(stack.urls.shell + path);
  const expectHeading = (text: string) => browser.$(`h1=${text}`).waitForDisplayed();
  async function signIn(): Promise<void> {
    await browser.deleteCookies();
    await open('/account/sign-in?refUrl=%2Faccount');
    await expectHeading('Hello, Ada');
  }

  it('signs in, and out through all of its pages', async () => {
    await signIn();
    await browser.$('main form[action="/account/sign-out"] button').click();
    await waitForPath('/account/signed-out');
    await expectHeading('You are signed out');
    assert.deepEqual(issuer.visited.slice(-2), ['end', 'upstream']);
    await open('/account');
    await expectHeading('Hello, Ada');
  });

  it('opens the page that deletes the account, after the data', async () => {
    await signIn();
    const before = issuer.visited.length;
    await browser.$('summary=Delete your account').click();
    await browser.$('button=Delete everything').click();
    await browser.waitUntil(() => issuer.visited.length > before, { timeoutMsg: 'the issuer was not asked' });
    assert.deepEqual(issuer.visited.slice(before), ['authorize']);
    await expectHeading('Hello, Ada');
  });

  it('signs in again after a form that was sent without a session', async () => {
    await signIn();
    await open('/account/saved-vehicles');
    await browser.deleteCookies();
    const before = issuer.visited.length;
    await browser.execute(() => {
      const form = document.createElement('form');
      form.method = 'post';
      form.action = '/account/saved-vehicles';
      document.body.append(form);
      form.submit();
    });
    await browser.waitUntil(() => issuer.visited.length > before, { timeoutMsg: 'the issuer was not asked' });
    await waitForPath('/account/saved-vehicles');
  });
});
