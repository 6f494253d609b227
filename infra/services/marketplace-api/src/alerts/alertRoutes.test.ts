import { CALLS } from '@forecourt/shared-contracts/calls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aListing, anOwner } from '../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../testing/testApp.ts';

const PATH = '/account-api/email-alerts';
const ADA = { Authorization: 'Bearer token-of-ada' };

describe('email alerts', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
  });
  afterEach(() => app.stop());

  const subscribe = (
    search: string,
    { email = 'shopper@example.com', ...headers }: Record<string, string> = {},
  ) => app.send('POST', PATH, { emailAddress: email, brand: 'atc', search }, headers);

  // rows: A7-OTHER-06
  it('subscribes an address to a search and sends a confirmation with an unsubscribe link', async () => {
    const response = await subscribe('makeCode=FORD&zip=60601');
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ subscribed: true });
    const [mail] = app.people.mails.list('pending');
    expect(mail).toMatchObject({ kind: 'alert-welcome', to: 'shopper@example.com' });
    expect(mail?.subject).toContain('Ford near Chicago, IL');
    expect(mail?.headers?.['List-Unsubscribe']).toMatch(
      /^<https:\/\/api\.test\/cars-for-sale\/svc\/unsubscribe\/[\w-]{32}>$/,
    );
    expect(mail?.text).toContain('https://site.test/cars-for-sale/');
  });

  // rows: A9-LIMIT-01
  it('returns 409 LIMIT when a signed-out visitor subscribes to a third search', async () => {
    const browser = { 'X-Consumer-Id': 'browser-1' };
    const statuses = [];
    for (const make of ['FORD', 'HONDA', 'KIA'])
      statuses.push((await subscribe(`makeCode=${make}`, browser)).status);
    expect(statuses).toEqual([201, 201, 409]);
    const third = await subscribe('makeCode=KIA', browser);
    expect(await third.json()).toMatchObject({
      error: { code: 'LIMIT', message: 'You have a maximum of 2 searches saved.' },
    });
    // The limit applies per browser and per mailbox.
    expect((await subscribe('makeCode=KIA', { ...browser, email: 'other@example.com' })).status).toBe(409);
    expect(
      (await subscribe('makeCode=KIA', { 'X-Consumer-Id': 'browser-2', email: 'Shopper@Example.com' }))
        .status,
    ).toBe(409);
    expect(
      (await subscribe('makeCode=KIA', { 'X-Consumer-Id': 'browser-2', email: 'new@example.com' })).status,
    ).toBe(201);
  });

  it('counts equivalent searches once towards the alert limit', async () => {
    const one = CALLS.subscribeAlert.response.parse(
      await (await subscribe('makeCode=FORD&modelCode=F150')).json(),
    );
    expect(one.isNew).toBe(true);
    for (const same of [
      '?modelCodeList=F150&makeCodeList=FORD&firstRecord=30',
      '/cars-for-sale/all/ford/f150?sortBy=yearASC',
    ])
      expect(await (await subscribe(same)).json()).toMatchObject({ alertId: one.alertId, isNew: false });
    expect(app.people.mails.list()).toHaveLength(1);
    expect((await subscribe('makeCode=HONDA')).status).toBe(201);
  });

  it('rejects an alert with an invalid or overlong address or a path that is not a search', async () => {
    expect((await subscribe('', { email: 'nobody' })).status).toBe(400);
    expect((await subscribe('', { email: `${'x'.repeat(40)}@a.example` })).status).toBe(400);
    expect((await subscribe('/cars-for-sale/all/no-such-make')).status).toBe(400);
  });

  it('lets an account have more than two alerts, list them and end them', async () => {
    for (const make of ['FORD', 'HONDA', 'KIA'])
      expect((await subscribe(`makeCode=${make}`, ADA)).status).toBe(201);
    const list = async () => CALLS.emailAlerts.response.parse(await (await app.get(PATH, ADA)).json()).alerts;
    const [alert] = await list();
    expect(await list()).toHaveLength(3);
    expect(alert).not.toHaveProperty('unsubscribeToken');
    await app.send('DELETE', `${PATH}/${alert!.alertId}`, undefined, {
      Authorization: 'Bearer token-of-bob',
    });
    expect(await list()).toHaveLength(3);
    await app.send('DELETE', `${PATH}/${alert!.alertId}`, undefined, ADA);
    expect(await list()).toHaveLength(2);
  });

  it('ends an alert when the linked page is submitted, not when it is opened', async () => {
    await subscribe('makeCode=FORD');
    const link = app.people.mails.list()[0]!.headers!['List-Unsubscribe']!.slice(1, -1);
    const path = new URL(link).pathname;
    const page = await app.get(path, { Accept: 'text/html' });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('<form method="post">');
    expect(app.people.alerts.due(Infinity, 10)).toHaveLength(1);
    const ended = await fetch(app.origin + path, { method: 'POST', headers: { Accept: 'text/html' } });
    expect(await ended.text()).toContain('You’re unsubscribed');
    expect(app.people.alerts.due(Infinity, 10)).toHaveLength(0);
    // A search below the limit again.
    expect((await subscribe('makeCode=HONDA')).status).toBe(201);
    expect((await subscribe('makeCode=KIA')).status).toBe(201);
  });

  it("ends an alert by the page's JSON call and by the one-click unsubscribe of RFC 8058", async () => {
    await subscribe('makeCode=FORD');
    const link = app.people.mails.list()[0]!.headers!['List-Unsubscribe']!.slice(1, -1);
    const path = new URL(link).pathname;
    const response = await app.send('POST', path, {}, { Accept: 'application/json' });
    expect(await response.json()).toMatchObject({ unsubscribed: true });
    const unknown = await app.send('POST', `${path}x`, {}, { Accept: 'application/json' });
    expect(await unknown.json()).toEqual({ unsubscribed: false });
  });
});
