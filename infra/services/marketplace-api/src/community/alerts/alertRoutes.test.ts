import { createHash } from 'node:crypto';
import { openPeopleDatabase } from '../people/people.ts';
import { CALLS } from '@forecourt/upstream/calls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Mail } from '../people/mailStore.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';

const PATH = '/account-api/email-alerts';
const CAPTURE = '/cars-for-sale/svc/email-capture';
const ADA = { Authorization: 'Bearer token-of-ada' };

/** Path of the link in an email that asks for confirmation. */
const confirmPathOf = (mail: Mail | undefined): string =>
  /\/cars-for-sale\/svc\/confirm\/[\w-]+/.exec(mail?.text ?? '')![0];

describe('email alerts', () => {
  let app: TestApp;
  let time: number;
  beforeEach(async () => {
    time = Date.UTC(2026, 10, 1);
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] }, { now: () => time });
  });
  afterEach(() => app.stop());

  const confirm = (path: string) => fetch(app.origin + path, { method: 'POST' });
  const subscribe = (
    search: string,
    { email = 'shopper@example.com', ...headers }: Record<string, string> = {},
  ) => app.send('POST', PATH, { emailAddress: email, brand: 'atc', search }, headers);

  // rows: A7-OTHER-06
  it('asks for confirmation of an address that was typed in, and greets it once confirmed', async () => {
    const response = await subscribe('makeCode=FORD&zip=60601');
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ subscribed: true });
    const [mail] = await app.people.mails.list('pending');
    expect(mail).toMatchObject({ kind: 'alert-confirm', to: 'shopper@example.com' });
    expect(mail?.text).toContain('Ford in Chicago, IL');
    expect(mail?.headers?.['List-Unsubscribe']).toMatch(
      /^<https:\/\/site\.test\/cars-for-sale\/svc\/unsubscribe\/[\w-]{32}>$/,
    );
    const path = confirmPathOf(mail);
    expect(await (await app.get(path)).json()).toMatchObject({ page: 'confirm' });
    expect(await app.people.alerts.due(Infinity, 10)).toHaveLength(0);
    expect((await confirm(path)).status).toBe(200);
    await confirm(path);
    expect(await app.people.alerts.due(Infinity, 10)).toHaveLength(1);
    const [welcome, ...others] = await app.people.mails.list('pending');
    expect(others).toHaveLength(1);
    expect(welcome).toMatchObject({ kind: 'alert-welcome', to: 'shopper@example.com' });
    expect(welcome?.subject).toContain('Ford in Chicago, IL');
    expect(welcome?.text).toContain('https://site.test/cars-for-sale/');
  });

  it('greets the verified address of an account at once', async () => {
    await subscribe('makeCode=FORD', { ...ADA, email: 'Ada@Example.com' });
    expect(await app.people.mails.list()).toMatchObject([{ kind: 'alert-welcome', to: 'Ada@Example.com' }]);
    await subscribe('makeCode=FORD', { ...ADA, email: 'bob@example.com' });
    expect((await app.people.mails.list())[0]).toMatchObject({
      kind: 'alert-confirm',
      to: 'bob@example.com',
    });
  });

  it('lets only the owner of an address change how often it is emailed', async () => {
    const frequencies = async () =>
      CALLS.emailAlerts.response
        .parse(await (await app.get(PATH, ADA)).json())
        .alerts.map(({ frequency }) => frequency);
    const asOften = (frequency: string, headers: Record<string, string> = {}) =>
      app.send(
        'POST',
        PATH,
        { emailAddress: 'ada@example.com', brand: 'atc', search: 'makeCode=FORD', frequency },
        headers,
      );
    await subscribe('makeCode=FORD', { email: 'ada@example.com' });
    expect(await frequencies()).toEqual([]);
    await asOften('atOnce', ADA);
    expect(await frequencies()).toEqual(['atOnce']);
    await asOften('daily');
    await subscribe('makeCode=FORD', { ...ADA, email: 'ada@example.com' });
    expect(await frequencies()).toEqual(['atOnce']);
    await asOften('daily', ADA);
    expect(await frequencies()).toEqual(['daily']);
    expect((await asOften('hourly', ADA)).status).toBe(400);
  });

  it('emails a mailbox at most three requests a day, whatever the variant of its address', async () => {
    const variants = ['ada', 'a.da', 'ADA', 'ada+1', 'a.d.a+2', 'ada+x+y', 'adA+z'].map(
      (name, n) => `${name}@${n % 2 ? 'googlemail.com' : 'gmail.com'}`,
    );
    for (const [n, email] of variants.entries()) {
      const { status } = await subscribe(`makeCode=FORD&maxPrice=${n + 1}000`, {
        email,
        'X-Consumer-Id': `b${n}`,
      });
      expect(status).toBe(201);
      await app.send('POST', CAPTURE, { emailAddress: email, brand: 'kbb' });
    }
    expect(await app.people.mails.list()).toHaveLength(3);
    const others = ['someone.else@gmail.com', 'ada@mail.example', 'a.da@mail.example'];
    for (const [n, email] of others.entries())
      await subscribe('makeCode=FORD', { email, 'X-Consumer-Id': `other${n}` });
    expect(await app.people.mails.list()).toHaveLength(3 + others.length);
  });

  it('sends nothing more to a mailbox that refused a request it had not made', async () => {
    await subscribe('makeCode=FORD', { email: 'ada@mail.example' });
    const link = (await app.people.mails.list())[0]!.headers!['List-Unsubscribe']!.slice(1, -1);
    // As a mail program does it for its user (RFC 8058).
    await fetch(app.origin + new URL(link).pathname, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    await subscribe('makeCode=HONDA', { email: 'ADA+new@mail.example', 'X-Consumer-Id': 'other' });
    await app.send('POST', CAPTURE, { emailAddress: 'ada@mail.example', brand: 'atc' });
    expect(await app.people.mails.list()).toHaveLength(1);
    // Another person at that domain is still written to.
    await subscribe('makeCode=HONDA', { email: 'a.da@mail.example', 'X-Consumer-Id': 'another' });
    expect(await app.people.mails.list()).toHaveLength(2);
  });

  it('keeps refusals that were recorded while dots were ignored at every domain', async () => {
    const db = openPeopleDatabase(app.peoplePath, app.path);
    const key = createHash('sha256').update('ada@mail.example').digest('base64url');
    db.prepare(
      "INSERT INTO mailboxes (mailbox, token, refusal, refused_at) VALUES (?, 'link-of-an-earlier-email', 'declined', 1)",
    ).run(key);
    db.close();
    const ask = (email: string) => subscribe('makeCode=FORD', { email, 'X-Consumer-Id': email });
    await ask('a.da+x@mail.example');
    expect(await app.people.mails.list()).toHaveLength(0);
    await app.people.mails.unsuppress('a.da@mail.example');
    await ask('a.da+y@mail.example');
    expect(await app.people.mails.list()).toHaveLength(1);
  });

  it('forgets subscriptions that were not confirmed within two days', async () => {
    await subscribe('makeCode=FORD');
    const path = confirmPathOf((await app.people.mails.list())[0]);
    time += 2 * 86_400_000;
    expect(await app.people.alerts.sweep()).toBe(1);
    expect((await confirm(path)).status).toBe(404);
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
    expect(await app.people.mails.list()).toHaveLength(1);
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

  it('ends an alert when its link is submitted, not when it is opened, and knows it afterwards', async () => {
    await subscribe('makeCode=FORD');
    const link = (await app.people.mails.list())[0]!.headers!['List-Unsubscribe']!.slice(1, -1);
    const path = new URL(link).pathname;
    const pageOf = async (link: string) =>
      ((await (await app.get(link)).json()) as { page: string; search: string }).page;
    expect(await pageOf(path)).toBe('unsubscribe');
    await confirm(confirmPathOf((await app.people.mails.list())[0]));
    expect(await app.people.alerts.due(Infinity, 10)).toHaveLength(1);
    const confirmPath = confirmPathOf(
      (await app.people.mails.list()).find(({ kind }) => kind === 'alert-confirm'),
    );
    expect(await pageOf(confirmPath)).toBe('confirmed');
    await fetch(app.origin + path, { method: 'POST' });
    expect(await app.people.alerts.due(Infinity, 10)).toHaveLength(0);
    expect([await pageOf(path), await pageOf(confirmPath)]).toEqual(['ended', 'ended']);
    // A search below the limit again.
    expect((await subscribe('makeCode=HONDA')).status).toBe(201);
    expect((await subscribe('makeCode=KIA')).status).toBe(201);
  });

  it("ends an alert by the page's JSON call and by the one-click unsubscribe of RFC 8058", async () => {
    await subscribe('makeCode=FORD');
    const link = (await app.people.mails.list())[0]!.headers!['List-Unsubscribe']!.slice(1, -1);
    const path = new URL(link).pathname;
    const response = await app.send('POST', path, {}, { Accept: 'application/json' });
    expect(await response.json()).toMatchObject({ unsubscribed: true });
    const unknown = await app.send('POST', `${path}x`, {}, { Accept: 'application/json' });
    expect(await unknown.json()).toEqual({ unsubscribed: false, page: 'unknown' });
  });
});
