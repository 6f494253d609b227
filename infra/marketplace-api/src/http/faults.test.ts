import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aListing, anOwner } from '../testing/stock.ts';
import type { TestApp } from '../testing/testApp.ts';
import { startTestApp } from '../testing/testApp.ts';

const LISTING = '/rest/lsc/listing';

describe('fault injection', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
  });
  afterEach(() => app.stop());

  const inject = (fault: object) => app.send('POST', '/__faults', { path: LISTING, ...fault });

  it('answers the status for so many calls, then as ever', async () => {
    await inject({ status: 503, times: 2 });
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await app.get(LISTING)).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('touches only calls below its path, until it is cleared', async () => {
    await inject({ path: `${LISTING}/count`, status: 500 });
    expect((await app.get(LISTING)).status).toBe(200);
    expect((await app.get(`${LISTING}/count`)).status).toBe(500);
    await app.send('DELETE', '/__faults');
    expect((await app.get(`${LISTING}/count`)).status).toBe(200);
  });

  it('delays', async () => {
    await inject({ delayMs: 120 });
    const before = performance.now();
    expect((await app.get(LISTING)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(110);
  });

  it('drops the connection', async () => {
    await inject({ mode: 'drop' });
    await expect(app.get(LISTING)).rejects.toThrow();
  });

  it('sends JSON that breaks off', async () => {
    await inject({ mode: 'invalidBody' });
    const response = await app.get(LISTING);
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow();
  });

  it('drips a body that never ends', async () => {
    await inject({ mode: 'drip' });
    const response = await fetch(app.origin + LISTING, { signal: AbortSignal.timeout(350) });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it('refuses a fault that it does not know', async () => {
    expect((await inject({ mode: 'explode' })).status).toBe(400);
  });
});
