import { afterEach, describe, expect, it } from '@jest/globals';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import type { TestResponse } from '../../engine/testing/appRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
async function start(): Promise<ShellRig> {
  const rig = await startShell();
  rigs.push(rig);
  return rig;
}

const SID = 'sid=01234567-89ab-cdef-0123-456789abcdef';
const sessionsOf = ({ headers }: TestResponse) =>
  (headers['set-cookie'] ?? []).filter((cookie) => cookie.startsWith('sid='));

describe('session cookie', () => {
  // rows: A9-LIMIT-12
  it.each([
    '/cars-for-sale/all-cars',
    '/cars-for-sale/all-cars?zip=60601&makeCode=FORD',
    '/cars-for-sale/all/fjord',
    '/cars-for-sale/vehicle/1',
    '/cars-for-sale/compare',
    '/cars-for-sale/api/search?url=/cars-for-sale/all-cars',
    '/cars-for-sale/api/search/more?url=/cars-for-sale/all-cars',
    '/cars-for-sale/api/call/zipLookup?zip=60601',
    '/account/saved-searches',
  ])('is renewed once in the response to %s', async (path) => {
    const { send } = await start();
    const [cookie = '', ...others] = sessionsOf(await send(path, { headers: { Cookie: SID } }));
    expect(cookie.split('; ')).toEqual(expect.arrayContaining([SID, 'Max-Age=1800', 'HttpOnly']));
    expect(others).toEqual([]);
  });

  it('is renewed by a page’s beacons', async () => {
    const { send } = await start();
    const answer = await send('/cars-for-sale/svc/page-event', {
      method: 'POST',
      headers: { Cookie: SID, 'Content-Type': 'application/json' },
      body: JSON.stringify({ brand: 'atc', page: '/', events: [] }),
    });
    expect(answer.status).toBe(204);
    expect(sessionsOf(answer)).toEqual([expect.stringContaining(SID)]);
  });

  it.each([
    '/assets/abc123/shell.js',
    '/remotes/mfe-tiny/1.0.0/web/x.js',
    '/robots.txt',
    '/sitemap.xml',
    '/build-your-price?listingId=1',
    '/cars-for-sale/api/firebase-messaging-sw.js',
    '/health/live',
    '/metrics',
  ])('is absent from shared responses: %s', async (path) => {
    const { send } = await start();
    expect((await send(path, { headers: { Cookie: SID } })).headers['set-cookie']).toBeUndefined();
  });
});

describe('cookies over TLS', () => {
  it('can be set by this host only, and those of other names are ignored', async () => {
    const rig = await startShell({ environment: { TRUST_PROXY: '1' } });
    const visit = async (cookie: string) => {
      const headers = { 'X-Forwarded-Proto': 'https', Cookie: cookie };
      const { headers: answer } = await rig.send('/cars-for-sale/all-cars', { headers });
      return (answer['set-cookie'] ?? []).find((line) => line.includes('sid=')) ?? '';
    };
    const renewed = await visit(`__Host-${SID}`);
    expect(renewed).toMatch(
      new RegExp(`^__Host-${SID}; Max-Age=1800; Path=/; HttpOnly; Secure; SameSite=Lax$`),
    );
    // A cookie that another host of the domain, or plain HTTP, could have planted.
    expect(await visit(SID)).not.toContain(SID.slice(4));
    await rig.stop();
  });
});
