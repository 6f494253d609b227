import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';

const DAY = 86_400_000;
const HISTORY = '/cars-for-sale/svc/browsing-history';
const BROWSER = { 'X-Consumer-Id': 'browser-1' };

describe('visitor activity', () => {
  let app: TestApp;
  let time: number;
  beforeEach(async () => {
    time = Date.UTC(2026, 10, 1, 12);
    const honda = {
      make: { code: 'HONDA', name: 'Honda' },
      model: { code: 'CIVIC', name: 'Civic' },
      bodyStyle: 'SEDAN',
    } as const;
    app = await startTestApp(
      {
        owners: [anOwner()],
        listings: [
          aListing({ id: '1', vin: 'VIN00000000000001', viewCount: 0 }),
          aListing({ id: '2', vin: 'VIN00000000000002', viewCount: 10 }),
          aListing({ id: '3', vin: 'VIN00000000000003', viewCount: 0, ...honda }),
        ],
      },
      { now: () => time },
    );
  });
  afterEach(() => app.stop());

  const view = (listingId: string, headers: Record<string, string> = BROWSER, brand = 'atc') =>
    app.send('POST', HISTORY, { listingId, brand }, headers);
  const history = async (headers: Record<string, string> = BROWSER) =>
    (
      (await (await app.get(HISTORY, headers)).json()) as {
        vehicles: { listingId: string; emailSent: boolean }[];
      }
    ).vehicles;

  // rows: A7-OTHER-01, B7-OTHER-04
  it('lists each vehicle that a consumer viewed once, newest first', async () => {
    for (const id of ['1', '2', '1']) {
      time += 1000;
      expect((await view(id)).status).toBe(204);
    }
    expect(await history()).toEqual([
      { listingId: '1', vin: 'VIN00000000000001', viewedAt: time, emailSent: false },
      { listingId: '2', vin: 'VIN00000000000002', viewedAt: time - 1000, emailSent: false },
    ]);
    expect(await history({ 'X-Consumer-Id': 'browser-2' })).toEqual([]);
    const byQuery = await app.json<Record<string, never>>(`${HISTORY}?consumerId=browser-1&brand=atc`);
    expect(byQuery).toMatchObject({ vehicles: [{ listingId: '1' }, { listingId: '2' }] });
    expect((await view('gone')).status).toBe(404);
  });

  it('deletes the view history on request and drops views older than 90 days', async () => {
    await view('1');
    await app.send('DELETE', HISTORY, undefined, BROWSER);
    expect(await history()).toEqual([]);
    await view('2');
    time += 91 * DAY;
    expect(await history()).toEqual([]);
  });

  const lead = (listingId: string) =>
    app.send(
      'POST',
      '/cars-for-sale/svc/email-owner',
      {
        listingId,
        ownerId: 'o1',
        firstName: 'Ada',
        lastName: 'Byron',
        fromEmailAddress: 'ada@example.com',
        idempotencyKey: `lead-about-${listingId}`,
      },
      BROWSER,
    );

  // rows: A7-OTHER-02
  it('marks vehicles whose seller was contacted and returns the others as lead candidates', async () => {
    await view('1');
    await view('2');
    await lead('1');
    expect((await history()).map(({ listingId, emailSent }) => [listingId, emailSent]).sort()).toEqual([
      ['1', true],
      ['2', false],
    ]);
    const response = await app.get('/cars-for-sale/svc/lead-candidates', BROWSER);
    expect(await response.json()).toEqual({
      candidates: [{ listingId: '2', vin: 'VIN00000000000002' }],
      profile: { firstName: '', lastName: '', email: '', phone: '', isOneClickOptedIn: false },
    });
  });

  it('stores the one-click profile per browser or account and prefills it from the id token', async () => {
    const profile = {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      phone: '',
      isOneClickOptedIn: true,
    };
    expect((await app.send('PUT', '/cars-for-sale/svc/lead-profile', profile, BROWSER)).status).toBe(204);
    const read = async (headers: Record<string, string>) =>
      ((await (await app.get('/cars-for-sale/svc/lead-candidates', headers)).json()) as { profile: object })
        .profile;
    expect(await read(BROWSER)).toEqual(profile);
    expect(await read({ 'X-Consumer-Id': 'browser-2' })).toMatchObject({ isOneClickOptedIn: false });
    expect(await read({ ...BROWSER, Authorization: 'Bearer token-of-bob' })).toEqual({
      firstName: 'bob',
      lastName: 'Test',
      email: 'bob@example.com',
      phone: '',
      isOneClickOptedIn: false,
    });
    expect((await app.send('PUT', '/cars-for-sale/svc/lead-profile', profile)).status).toBe(400);
  });

  it('returns an incomplete one-click profile unchanged', async () => {
    const profile = {
      firstName: 'Ada',
      lastName: '',
      email: 'ada@example.com',
      phone: '',
      isOneClickOptedIn: true,
    };
    const { 'X-Consumer-Id': consumer } = BROWSER;
    app.peopleDb
      .prepare('INSERT INTO profiles (owner, body, updated_at) VALUES (?, ?, 0)')
      .run(`consumer:${consumer}`, JSON.stringify(profile));
    const response = await app.get('/cars-for-sale/svc/lead-candidates', BROWSER);
    expect(await response.json()).toMatchObject({ profile });
  });

  // rows: A7-VIEW-01, A7-VIEW-02
  it('counts recent vehicle views per brand', async () => {
    const count = (vin: string, days = 7) =>
      app.json<Record<string, never>>(`/cars-for-sale/svc/listing-view-count?vin=${vin}&dateRange=${days}`);
    expect(await count('VIN00000000000001')).toEqual({ atcViewCount: 0, kbbViewCount: 0 });
    await view('1');
    await view('1', { 'X-Consumer-Id': 'browser-2' });
    await view('1', { 'X-Consumer-Id': 'browser-3' }, 'kbb');
    expect(await count('VIN00000000000001')).toEqual({ atcViewCount: 2, kbbViewCount: 1 });
    time += 6 * DAY;
    expect(await count('VIN00000000000001')).toEqual({ atcViewCount: 2, kbbViewCount: 1 });
    time += DAY;
    expect(await count('VIN00000000000001')).toEqual({ atcViewCount: 0, kbbViewCount: 0 });
    expect(await count('VIN00000000000001', 30)).toEqual({ atcViewCount: 2, kbbViewCount: 1 });
    // Views in the generated inventory.
    expect(await count('VIN00000000000002')).toEqual({ atcViewCount: 7, kbbViewCount: 3 });
    expect((await app.get('/cars-for-sale/svc/listing-view-count')).status).toBe(400);
  });

  it('counts a view once per visitor and day, however often and by whichever call it is sent', async () => {
    const seen = async () =>
      (
        await app.json<{ atcViewCount: number }>(
          '/cars-for-sale/svc/listing-view-count?vin=VIN00000000000001',
        )
      ).atcViewCount;
    for (let n = 0; n < 5; n++) await view('1');
    await app.send('POST', '/cars-for-sale/svc/page-event', {
      brand: 'atc',
      pixallId: 'browser-1',
      page: '/',
      events: Array.from({ length: 20 }, () => ({ type: 'view', name: 'vehicle', listingId: '1' })),
    });
    // A view without a visitor.
    await view('1', {});
    expect(await seen()).toBe(1);
    time += DAY;
    await view('1');
    expect(await seen()).toBe(2);
  });

  // rows: A7-OTHER-04
  it('derives segments and suggested filters from viewed vehicles', async () => {
    const fetchPersonalization = async () =>
      (await (
        await app.get('/rest/lsc/personalization?pc.origin=srp&pc.fueltype=GSL&zip=60601', BROWSER)
      ).json()) as { segments: string[]; suggestedFilters: { name: string; count: number }[] };
    expect(await fetchPersonalization()).toEqual({ segments: [], suggestedFilters: [] });
    for (const id of ['1', '2', '3']) await view(id);
    const { segments, suggestedFilters } = await fetchPersonalization();
    expect(segments).toEqual(
      expect.arrayContaining(['make:FORD', 'model:FORD.F150', 'style:TRUCKS', 'fuel:GSL']),
    );
    expect(segments).not.toContain('make:HONDA');
    expect(suggestedFilters).toContainEqual({
      name: 'Gasoline',
      count: 3,
      codes: { fuelTypeGroup: ['GSL'] },
    });
    expect(suggestedFilters).toContainEqual({ name: 'Ford', count: 2, codes: { makeCode: ['FORD'] } });
  });

  // rows: B7-OTHER-03, B7-STILL-02
  it('accepts telemetry beacons of any content type and counts view events', async () => {
    const beacon = (path: string, body: object) =>
      fetch(app.origin + path, {
        method: 'POST',
        headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
        body: JSON.stringify(body),
      });
    const events = [
      { type: 'view', name: 'vehicle', listingId: '1' },
      { type: 'click', name: 'tile', listingId: '2' },
    ];
    const page = { brand: 'atc', pixallId: 'pix-1', page: '/cars-for-sale/vehicle/1', events };
    expect((await beacon('/cars-for-sale/svc/page-event', page)).status).toBe(204);
    expect((await history({ 'X-Consumer-Id': 'pix-1' })).map(({ listingId }) => listingId)).toEqual(['1']);
    const interest = {
      brand: 'atc',
      vins: ['VIN00000000000001'],
      consumer_id: 'browser-1',
      email: 'a@b.example',
    };
    expect((await beacon('/cars-for-sale/still-interested/alert', interest)).status).toBe(204);
    expect((await beacon('/cars-for-sale/still-interested/alert', { brand: 'atc' })).status).toBe(400);
    expect((await beacon('/cars-for-sale/svc/page-event', { events: 'x' })).status).toBe(400);
  });
});
