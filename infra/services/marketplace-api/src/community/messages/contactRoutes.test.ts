import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';

describe('sharing, reporting and email capture', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
  });
  afterEach(() => app.stop());
  const SHARE = '/cars-for-sale/svc/share-listing';
  const REPORT = '/cars-for-sale/svc/report-listing';
  const CAPTURE = '/cars-for-sale/svc/email-capture';
  const share = {
    listingId: '1000001',
    toEmail: 'bob@example.com',
    fromEmail: 'ada@example.com',
    message: 'Look!',
  };

  const asAda = { Authorization: 'Bearer token-of-ada' };
  const send = (body: object, headers: Record<string, string> = {}) =>
    app.send('POST', SHARE, body, { ...asAda, ...headers });

  it('emails a shared vehicle in the words of the site, from the verified address of the account', async () => {
    expect((await send({ ...share, fromEmail: 'boss@bank.example' })).status).toBe(204);
    const [mail] = await app.people.mails.list();
    expect(mail).toMatchObject({ kind: 'share', to: 'bob@example.com', replyTo: 'ada@example.com' });
    expect(mail?.text).toContain('2021 Ford F150 XLT, $38,000, 31,000 miles');
    expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/Look!|bank/);
    expect(mail?.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' });
  });

  it('shares nothing for visitors without an account', async () => {
    const response = await app.send('POST', SHARE, share);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'SIGN_IN_REQUIRED' } });
    expect(await app.people.mails.list()).toEqual([]);
  });

  it('shares a vehicle once when an idempotency key repeats in body or header', async () => {
    const keyed = { ...share, idempotencyKey: 'sharing-1' };
    await send(keyed);
    await send(keyed);
    await send(share, { 'Idempotency-Key': 'sharing-1' });
    expect(await app.people.mails.list()).toHaveLength(1);
  });

  it('limits shared vehicles per mailbox and day across all senders and variants of an address', async () => {
    const statuses = [];
    for (const [n, toEmail] of [
      'bob@gmail.com',
      'BOB@gmail.com',
      'b.ob+1@googlemail.com',
      'bob+2@gmail.com',
    ].entries())
      statuses.push(
        (await send({ ...share, toEmail }, { Authorization: `Bearer token-of-sender${n}` })).status,
      );
    expect(statuses).toEqual([204, 204, 204, 429]);
    expect((await send({ ...share, toEmail: 'carol@example.com' })).status).toBe(204);
  });

  it('limits shared vehicles per account and day across all mailboxes', async () => {
    const statuses = [];
    for (let n = 0; n < 21; n++)
      statuses.push((await send({ ...share, toEmail: `friend${n}@example.com` })).status);
    expect(statuses).toEqual([...Array<number>(20).fill(204), 429]);
    expect((await send(share, { Authorization: 'Bearer token-of-carol' })).status).toBe(204);
  });

  it('asks few addresses per account and day for a confirmation', async () => {
    for (let n = 0; n < 25; n++)
      await app.send('POST', CAPTURE, { emailAddress: `friend${n}@example.com`, brand: 'atc' }, asAda);
    expect(await app.people.mails.list()).toHaveLength(20);
    await app.send('POST', CAPTURE, { emailAddress: 'other@example.com', brand: 'atc' });
    expect(await app.people.mails.list()).toHaveLength(21);
  });

  it('shares nothing with a mailbox that opted out by the link of a shared vehicle', async () => {
    await send(share);
    const link = (await app.people.mails.list())[0]!.headers!['List-Unsubscribe']!.slice(1, -1);
    await fetch(app.origin + new URL(link).pathname, { method: 'POST' });
    expect((await send({ ...share, toEmail: 'BOB+cars@example.com' })).status).toBe(204);
    expect(await app.people.mails.list()).toHaveLength(1);
    // Another person at that domain.
    expect((await send({ ...share, toEmail: 'b.o.b@example.com' })).status).toBe(204);
    expect(await app.people.mails.list()).toHaveLength(2);
  });

  it('stores a report once and emails the moderators', async () => {
    const report = {
      listingId: '1000001',
      reason: 'SCAM',
      comments: 'Wants money first',
      email: '',
      idempotencyKey: 'report-1',
    };
    await app.send('POST', REPORT, report);
    await app.send('POST', REPORT, report);
    expect(await app.people.reports.all()).toMatchObject([{ reason: 'SCAM', comments: 'Wants money first' }]);
    expect(await app.people.mails.list()).toMatchObject([{ kind: 'report', to: 'reports@site.test' }]);
  });

  it.each([
    ['a report with an unknown reason', REPORT, { listingId: '1000001', reason: 'BORING' }, 400],
    ['a report about a missing vehicle', REPORT, { listingId: 'gone', reason: 'SOLD' }, 404],
    ['a shared vehicle to an invalid address', SHARE, { ...share, toEmail: 'bob' }, 400],
    ['a shared vehicle with an overlong message', SHARE, { ...share, message: 'x'.repeat(1001) }, 400],
  ])('rejects %s and sends no email', async (_, path, body, status) => {
    expect((await app.send('POST', path, body, asAda)).status).toBe(status);
    expect(await app.people.mails.list()).toEqual([]);
  });

  // rows: B7-CAPTURE-01
  it('subscribes an address once per brand and reports a repeat', async () => {
    const capture = (emailAddress: string, brand = 'atc') =>
      app.send('POST', CAPTURE, { emailAddress, brand });
    expect(await (await capture('ada@example.com')).json()).toEqual({ status: 'success' });
    expect(await (await capture('Ada@Example.com')).json()).toEqual({ status: 'warning' });
    expect((await capture('ada')).status).toBe(400);
    expect(await app.people.mails.list()).toMatchObject([{ kind: 'capture-confirm', to: 'ada@example.com' }]);
    const link = (await app.people.mails.list())[0]!.headers!['List-Unsubscribe']!.slice(1, -1);
    await app.send('POST', new URL(link).pathname, {}, { Accept: 'application/json' });
    expect(await (await capture('ada@example.com')).json()).toEqual({ status: 'success' });
    expect(await (await capture('ada@example.com', 'kbb')).json()).toEqual({ status: 'success' });
  });
});
