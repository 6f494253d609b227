import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';

const EMAIL_OWNER = '/cars-for-sale/svc/email-owner';
const REPORT = '/cars-for-sale/svc/report-listing';

describe('a disk that is full', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
  });
  afterEach(() => app.stop());

  const lead = (idempotencyKey: string, comments = 'x'.repeat(1900)) =>
    app.send('POST', EMAIL_OWNER, {
      listingId: '1000001',
      ownerId: 'o1',
      comments,
      firstName: 'Ada',
      lastName: 'Byron',
      fromEmailAddress: 'ada@example.com',
      idempotencyKey,
    });
  const count = (table: string) =>
    app.peopleDb.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();

  /** Makes SQLite fail as on a full file system. */
  const fillDisk = () =>
    app.peopleDb.pragma(`max_page_count = ${app.peopleDb.pragma('page_count', { simple: true }) as number}`);
  const freeDisk = () => app.peopleDb.pragma('max_page_count = 1000000');

  it('returns 503 without partial writes when the disk is full, and accepts the retry', async () => {
    fillDisk();
    let stored = 0;
    let refused: Response | undefined;
    for (let i = 0; i < 100 && !refused; i++) {
      const response = await lead(`sending-${i}`);
      if (response.ok) stored++;
      else refused = response;
    }
    expect(refused?.status).toBe(503);
    expect(refused?.headers.get('retry-after')).toBe('30');
    expect(await refused?.json()).toMatchObject({ error: { code: 'STORAGE_FULL' } });
    expect(count('leads')).toBe(stored);
    // A lead and its email are stored atomically.
    expect(count('mails')).toBe(stored);

    const report = { listingId: '1000001', reason: 'SCAM', comments: 'y'.repeat(900) };
    const statuses = [];
    while (statuses.at(-1) !== 503 && statuses.length < 20)
      statuses.push((await app.send('POST', REPORT, report)).status);
    expect(statuses.at(-1)).toBe(503);
    expect(count('reports')).toBe(statuses.length - 1);
    expect(count('mails')).toBe(stored + statuses.length - 1);
    // Reads still work.
    expect((await app.get('/rest/lsc/listing/count')).status).toBe(200);

    freeDisk();
    expect((await lead(`sending-${stored}`)).status).toBe(200);
    expect(count('leads')).toBe(stored + 1);
    expect(app.peopleDb.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});
