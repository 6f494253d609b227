import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aListing, anOwner } from '../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../testing/testApp.ts';

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

  it('emails a shared vehicle from the site on behalf of the sender', async () => {
    expect((await app.send('POST', SHARE, share)).status).toBe(204);
    const [mail] = app.people.mails.list();
    expect(mail).toMatchObject({ kind: 'share', to: 'bob@example.com', replyTo: 'ada@example.com' });
    expect(mail?.text).toContain('Look!');
    expect(mail?.text).toContain('2021 Ford F150 XLT, $38,000, 31,000 miles');
  });

  it('shares a vehicle once when an idempotency key repeats in body or header', async () => {
    const keyed = { ...share, idempotencyKey: 'sharing-1' };
    await app.send('POST', SHARE, keyed);
    await app.send('POST', SHARE, keyed);
    await app.send('POST', SHARE, share, { 'Idempotency-Key': 'sharing-1' });
    expect(app.people.mails.list()).toHaveLength(1);
  });

  it('limits shared vehicles per mailbox and day across all senders', async () => {
    const statuses = [];
    for (let n = 0; n < 11; n++)
      statuses.push(
        (await app.send('POST', SHARE, { ...share, toEmail: n % 2 ? 'bob@example.com' : 'BOB@example.com' }))
          .status,
      );
    expect(statuses).toEqual([...Array<number>(10).fill(204), 429]);
    expect((await app.send('POST', SHARE, { ...share, toEmail: 'carol@example.com' })).status).toBe(204);
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
    expect(app.people.reports.all()).toMatchObject([{ reason: 'SCAM', comments: 'Wants money first' }]);
    expect(app.people.mails.list()).toMatchObject([{ kind: 'report', to: 'reports@site.test' }]);
  });

  it.each([
    ['a report with an unknown reason', REPORT, { listingId: '1000001', reason: 'BORING' }, 400],
    ['a report about a missing vehicle', REPORT, { listingId: 'gone', reason: 'SOLD' }, 404],
    ['a shared vehicle to an invalid address', SHARE, { ...share, toEmail: 'bob' }, 400],
    ['a shared vehicle with an overlong message', SHARE, { ...share, message: 'x'.repeat(1001) }, 400],
  ])('rejects %s and sends no email', async (_, path, body, status) => {
    expect((await app.send('POST', path, body)).status).toBe(status);
    expect(app.people.mails.list()).toEqual([]);
  });

  // rows: B7-CAPTURE-01
  it('subscribes an address once per brand and reports a repeat', async () => {
    const capture = (emailAddress: string) => app.send('POST', CAPTURE, { emailAddress, brand: 'atc' });
    expect(await (await capture('ada@example.com')).json()).toEqual({ status: 'success' });
    expect(await (await capture('Ada@Example.com')).json()).toEqual({ status: 'warning' });
    expect((await capture('ada')).status).toBe(400);
    expect(app.people.mails.list()).toMatchObject([{ kind: 'capture-welcome', to: 'ada@example.com' }]);
    const link = app.people.mails.list()[0]!.headers!['List-Unsubscribe']!.slice(1, -1);
    await app.send('POST', new URL(link).pathname, {}, { Accept: 'application/json' });
    expect(await (await capture('ada@example.com')).json()).toEqual({ status: 'success' });
  });
});
