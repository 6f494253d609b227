import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { openPeopleDatabase } from '../people/people.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';

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

  // rows: A7-OTHER-03
  it('stores a lead before it responds', async () => {
    const response = await app.send('POST', PATH, MESSAGE);
    expect(await response.json()).toEqual({ status: 'SUCCESS' });
    const file = new Database(app.peoplePath, { readonly: true });
    expect(file.prepare('SELECT count(*) FROM leads').pluck().get()).toBe(1);
    file.close();
    expect((await leads())[0]).toMatchObject({ listingId: '1000001', body: { comments: MESSAGE.comments } });
  });

  it('stores a repeated lead once and returns the same response', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => app.send('POST', PATH, MESSAGE)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await app.send('POST', PATH, { ...MESSAGE, idempotencyKey: 'sending-2' });
    expect(await leads()).toHaveLength(2);
  });

  it.each([
    ['an invalid email address', { ...MESSAGE, fromEmailAddress: 'ada' }, 400, 'INVALID_BODY'],
    ['no name', { ...MESSAGE, firstName: ' ' }, 400, 'INVALID_BODY'],
    ['a seller that does not exist', { ...MESSAGE, ownerId: 'nobody' }, 404, 'OWNER_NOT_FOUND'],
    ['a body of 2 MB', { ...MESSAGE, comments: 'x'.repeat(2e6) }, 413, 'BODY_TOO_LARGE'],
  ])('rejects a lead with %s and stores nothing', async (_, body, status, code) => {
    const response = await app.send('POST', PATH, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(await leads()).toEqual([]);
  });

  it('returns 400 when the body of a lead is not JSON', async () => {
    const response = await fetch(app.origin + PATH, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"listingId":',
    });
    expect(response.status).toBe(400);
  });

  it('stores a lead while another writer locks the inventory', async () => {
    const importer = new Database(app.path);
    importer.exec('BEGIN IMMEDIATE');
    try {
      // A lead that needed the lock would fail once SQLite gives up waiting.
      expect((await app.send('POST', PATH, MESSAGE)).status).toBe(200);
      expect(await leads()).toHaveLength(1);
    } finally {
      importer.exec('ROLLBACK');
      importer.close();
    }
  });

  it('returns 409 when the vehicle belongs to another seller', async () => {
    const other = await startTestApp({ owners: [anOwner(), anOwner({ id: 'o2' })], listings: [aListing()] });
    try {
      expect((await other.send('POST', PATH, { ...MESSAGE, ownerId: 'o2' })).status).toBe(409);
    } finally {
      await other.stop();
    }
  });

  it('stores an offer with its amount and includes it in the email', async () => {
    const offer = { ...MESSAGE, offerAmount: 35_500, idempotencyKey: 'offer-one' };
    expect((await app.send('POST', '/cars-for-sale/svc/make-offer', offer)).status).toBe(200);
    expect((await leads())[0]).toMatchObject({ body: { offerAmount: 35_500 } });
    expect((await app.people.mails.list())[0]).toMatchObject({ kind: 'lead', to: 'leads@dealer.test' });
    expect((await app.people.mails.list())[0]?.text).toContain('Offer: $35,500');
    expect((await app.send('POST', '/cars-for-sale/svc/make-offer', MESSAGE)).status).toBe(400);
  });

  it('migrates leads of an earlier release once', async () => {
    const old = new Database(app.path);
    old
      .prepare(
        `INSERT INTO leads (idempotency_key, kind, listing_id, owner_id, received_at, body)
         VALUES ('old-lead', 'email-owner', '1000001', 'o1', 7, '{"comments":"old"}')`,
      )
      .run();
    old.close();
    for (let start = 0; start < 2; start++) openPeopleDatabase(app.peoplePath, app.path).close();
    expect(await app.people.leads.all()).toMatchObject([
      { idempotencyKey: 'old-lead', receivedAt: 7, body: { comments: 'old' } },
    ]);
  });

  it('lists sent messages in local mode only', async () => {
    const hosted = await startTestApp(stock, { isLocal: false });
    try {
      expect((await hosted.get('/cars-for-sale/svc/leads')).status).toBe(404);
      expect((await hosted.send('POST', '/__faults', { path: '/' })).status).toBe(404);
    } finally {
      await hosted.stop();
    }
  });
});
