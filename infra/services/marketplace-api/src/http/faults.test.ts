import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aListing, anOwner } from '../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../testing/testApp.ts';

const LISTING = '/rest/lsc/listing';

describe('fault injection', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
  });
  afterEach(() => app.stop());

  const inject = (fault: object) => app.send('POST', '/__faults', { path: LISTING, ...fault });

  it('returns the injected status for the configured number of calls', async () => {
    await inject({ status: 503, times: 2 });
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await app.get(LISTING)).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it("affects only calls below the fault's path until the fault is cleared", async () => {
    await inject({ path: `${LISTING}/count`, status: 500 });
    expect((await app.get(LISTING)).status).toBe(200);
    expect((await app.get(`${LISTING}/count`)).status).toBe(500);
    await app.send('DELETE', '/__faults');
    expect((await app.get(`${LISTING}/count`)).status).toBe(200);
  });

  it('delays the response when delayMs is set', async () => {
    await inject({ delayMs: 120 });
    const before = performance.now();
    expect((await app.get(LISTING)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(110);
  });

  it('closes the connection in drop mode', async () => {
    await inject({ mode: 'drop' });
    await expect(app.get(LISTING)).rejects.toThrow();
  });

  it('sends truncated JSON in invalidBody mode', async () => {
    await inject({ mode: 'invalidBody' });
    const response = await app.get(LISTING);
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow();
  });

  it('sends an endless body in drip mode', async () => {
    await inject({ mode: 'drip' });
    const response = await fetch(app.origin + LISTING, { signal: AbortSignal.timeout(350) });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('affects one call by name, including calls with path parameters', async () => {
    await app.send('POST', '/__faults', { call: 'specs', status: 502 });
    await app.send('POST', '/__faults', { call: 'makeOffer', status: 500 });
    const vehicle = '2021.FORD.F150.xlt.0';
    expect((await app.get(`/cars-for-sale/kbbresearch/specs/${vehicle}`)).status).toBe(502);
    expect((await app.get(`/cars-for-sale/kbbresearch/safety/${vehicle}`)).status).toBe(200);
    expect((await app.send('POST', '/cars-for-sale/svc/make-offer', {})).status).toBe(500);
    expect((await app.send('POST', '/cars-for-sale/svc/email-owner', {})).status).toBe(400);
  });

  it('clears one fault by its id', async () => {
    const added = (await (await inject({ status: 503 })).json()) as { id: number };
    await inject({ path: `${LISTING}/count`, status: 500 });
    expect((await app.send('DELETE', `/__faults/${added.id}`)).status).toBe(204);
    expect((await app.get(LISTING)).status).toBe(200);
    expect((await app.get(`${LISTING}/count`)).status).toBe(500);
    expect((await app.send('DELETE', `/__faults/${added.id}`)).status).toBe(404);
  });

  it('affects only the configured method of a path', async () => {
    await inject({ path: '/cars-for-sale/svc/browsing-history', method: 'DELETE', status: 503 });
    expect((await app.get('/cars-for-sale/svc/browsing-history')).status).toBe(200);
    expect((await app.send('DELETE', '/cars-for-sale/svc/browsing-history')).status).toBe(503);
  });

  it('rejects a fault with both a call and a path, or neither', async () => {
    expect((await inject({ call: 'search' })).status).toBe(400);
    expect((await app.send('POST', '/__faults', { status: 500 })).status).toBe(400);
  });

  it('rejects an unknown fault mode', async () => {
    expect((await inject({ mode: 'explode' })).status).toBe(400);
  });
});
