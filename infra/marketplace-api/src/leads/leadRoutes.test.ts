import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { aListing, anOwner } from '../testing/stock.ts';
import type { TestApp } from '../testing/testApp.ts';
import { startTestApp } from '../testing/testApp.ts';

const MESSAGE = {
  listingId: '1000001',
  ownerId: 'o1',
  comments: 'Please confirm vehicle availability.',
  firstName: 'Ada',
  lastName: 'Byron',
  fromEmailAddress: 'ada@example.com',
  phoneNumber: '',
  idempotencyKey: 'sending-1',
};
const PATH = '/cars-for-sale/svc/email-owner';

describe('the email-owner call', () => {
  let app: TestApp;
  const stock = { owners: [anOwner()], listings: [aListing()] };
  beforeEach(async () => {
    app = await startTestApp(stock);
  });
  afterEach(() => app.stop());

  const leads = async () =>
    (
      await app.json<{ leads: { body: Record<string, string>; listingId: string }[] }>(
        '/cars-for-sale/svc/leads',
      )
    ).leads;

  it('has stored the message when it answers [A7-OTHER-03]', async () => {
    const response = await app.send('POST', PATH, MESSAGE);
    expect(await response.json()).toEqual({ status: 'SUCCESS' });
    const file = new Database(app.peoplePath, { readonly: true });
    expect(file.prepare('SELECT count(*) FROM leads').pluck().get()).toBe(1);
    file.close();
    expect((await leads())[0]).toMatchObject({ listingId: '1000001', body: { comments: MESSAGE.comments } });
  });

  it('stores a repeated sending once and answers it alike', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.send('POST', PATH, MESSAGE)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await app.send('POST', PATH, { ...MESSAGE, idempotencyKey: 'sending-2' });
    expect(await leads()).toHaveLength(2);
  });

  it.each([
    ['an email address that is none', { ...MESSAGE, fromEmailAddress: 'ada' }, 400, 'INVALID_BODY'],
    ['no name', { ...MESSAGE, firstName: ' ' }, 400, 'INVALID_BODY'],
    ['a seller that does not exist', { ...MESSAGE, ownerId: 'nobody' }, 404, 'OWNER_NOT_FOUND'],
    ['a body of megabytes', { ...MESSAGE, comments: 'x'.repeat(2e6) }, 413, 'BODY_TOO_LARGE'],
  ])('refuses %s and stores nothing', async (_, body, status, code) => {
    const response = await app.send('POST', PATH, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(await leads()).toEqual([]);
  });

  it('refuses a body that is no JSON', async () => {
    const response = await fetch(app.origin + PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"listingId":',
    });
    expect(response.status).toBe(400);
  });

  it('shows what was sent in local mode only', async () => {
    const hosted = await startTestApp(stock, { isLocal: false });
    try {
      expect((await hosted.get('/cars-for-sale/svc/leads')).status).toBe(404);
      expect((await hosted.send('POST', '/__faults', { path: '/' })).status).toBe(404);
    } finally {
      await hosted.stop();
    }
  });
});
