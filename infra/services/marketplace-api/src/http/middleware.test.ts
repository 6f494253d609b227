import { afterEach, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { type IncomingHttpHeaders, type IncomingMessage, get, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type CallDefinition, CALLS } from '@forecourt/upstream/calls';
import { createLog } from '@forecourt/service-kit/log';
import { readConfig } from '../config.ts';
import { aListing, anOwner } from '../testing/arbitraries.ts';
import { type TestApp, type TestAppOptions, startTestApp } from '../testing/testApp.ts';

const CAPTURE = '/cars-for-sale/svc/email-capture';

it('is in local mode only when its environment says so', () => {
  expect(readConfig({})).toMatchObject({ LOCAL_MODE: false, WRITE_LIMIT: 60 });
  expect(readConfig({ LOCAL_MODE: 'true' }).LOCAL_MODE).toBe(true);
});

describe('limits and caching', () => {
  let app: TestApp;
  const start = async (options?: TestAppOptions) => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] }, options);
  };
  afterEach(() => app.stop());

  /** Raw HTTP: fetch adds no-cache to conditional requests and decompresses responses. */
  const raw = (target: string, headers: Record<string, string>) =>
    new Promise<{ status?: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      get(app.origin + target, { headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) });
        });
      }).on('error', reject);
    });

  it.each(['/rest/lsc/listing', CAPTURE, '/health/live', '/nothing'])(
    'does not echo headers to TRACE %s',
    async (path) => {
      await start();
      const options = { method: 'TRACE', headers: { Cookie: 'secret=1' } };
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(app.origin + path, options, resolve)
          .on('error', reject)
          .end();
      });
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(await text(response)).not.toContain('secret=1');
    },
  );

  it('limits writes per caller without affecting other callers', async () => {
    await start({ writeLimit: 3 });
    const write = (consumer: string, n: number) =>
      app.send(
        'POST',
        CAPTURE,
        { emailAddress: `a${n}@b.example`, brand: 'atc' },
        { 'X-Consumer-Id': consumer },
      );
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await write('one', n)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await write('one', 5);
    expect(await refused.json()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await write('two', 6)).status).toBe(200);
    expect((await app.get('/rest/lsc/listing', { 'X-Consumer-Id': 'one' })).status).toBe(200);
  });

  it('limits writes of an account over all its sessions, whatever browser they name', async () => {
    const verifyIdToken = (token: string) => Promise.resolve({ account: token.replace(/^\d+-/, '') });
    await start({ writeLimit: 3, verifyIdToken });
    const statuses = [];
    for (let n = 0; n < 5; n++) {
      const headers = { Authorization: `Bearer ${n}-ada`, 'X-Consumer-Id': `browser-${n}` };
      const body = { emailAddress: `a${n}@b.example`, brand: 'atc' };
      statuses.push((await app.send('POST', CAPTURE, body, headers)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('limits writes with invalid tokens by their browser', async () => {
    await start({ writeLimit: 3 });
    const statuses = [];
    for (let n = 0; n < 4; n++) {
      const headers = { Authorization: `Bearer invalid-${n}`, 'X-Consumer-Id': 'one' };
      const body = { emailAddress: `a${n}@b.example`, brand: 'atc' };
      statuses.push((await app.send('POST', CAPTURE, body, headers)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('rejects bodies and URLs that are too long', async () => {
    await start();
    const large = await app.send('POST', CAPTURE, { emailAddress: 'x'.repeat(20_000), brand: 'atc' });
    expect(large.status).toBe(413);
    expect((await app.get(`/rest/lsc/listing?makeCode=${'x'.repeat(9000)}`)).status).toBe(414);
  });

  it('returns 304 for unchanged content and no-store for personal data', async () => {
    await start();
    for (const target of [
      '/content/static/json/atc/cpo/certifiedcontent.json',
      '/rest/lsc/listing',
      '/openapi.json',
    ]) {
      const first = await app.get(target);
      const etag = first.headers.get('etag');
      expect(etag).toBeTruthy();
      expect((await raw(target, { 'If-None-Match': etag! })).status).toBe(304);
    }
    const own = await app.get('/account-api/saved-listings', { Authorization: 'Bearer token-of-ada' });
    expect(own.headers.get('cache-control')).toBe('no-store');
  });

  it('compresses long responses when the client accepts it', async () => {
    await start();
    const packed = await raw('/openapi.json', { 'Accept-Encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.body).toString()).toBe(await (await app.get('/openapi.json')).text());
  });

  it('logs and counts nothing of what visitors send, by whichever form, path, query or header', async () => {
    const lines: string[] = [];
    const logger = createLog('test', {
      level: 'trace',
      destination: { write: (line) => void lines.push(line) },
    });
    await start({ logger });
    const MARK = 'Xenophon7';
    const email = `${MARK}@mail.example`;
    const fields = {
      emailAddress: email,
      fromEmailAddress: email,
      toEmail: email,
      fromEmail: email,
      email,
      firstName: MARK,
      lastName: MARK,
      phoneNumber: '312-555-0100',
      comments: MARK,
      message: MARK,
      search: `makeCode=FORD&keyword=${MARK}`,
      listingId: '1000001',
      ownerId: 'o1',
      brand: 'atc',
      reason: 'SOLD',
      isOneClickOptedIn: true,
      offerAmount: 1000,
      bookmarkTitle: MARK,
      searchName: MARK,
      browser_token: MARK,
      pixall_id: MARK,
      pixallId: MARK,
      page: `/${MARK}`,
      events: [{ type: 'view', name: MARK, listingId: '1000001' }],
      vins: [MARK],
      consumer_id: MARK,
    };
    const headers = {
      'X-Consumer-Id': MARK,
      Authorization: `Bearer ${MARK}`,
      'User-Agent': MARK,
      Referer: `https://site.test/${MARK}`,
      Cookie: `a=${MARK}`,
    };
    const statuses = new Set<number>();
    const asAda = { ...headers, Authorization: 'Bearer token-of-ada' };
    for (const { method, path } of Object.values(CALLS) as readonly CallDefinition[]) {
      const target = path.replaceAll(/\{\w+\}/g, MARK);
      for (const own of [headers, asAda]) {
        const response =
          method === 'GET'
            ? await app.get(`${target}?keyword=${MARK}&consumerId=${MARK}`, own)
            : await app.send(
                method,
                target,
                { ...fields, idempotencyKey: `${MARK}-${target.length}-key` },
                own,
              );
        statuses.add(response.status);
      }
    }
    for (const link of ['confirm', 'unsubscribe'])
      statuses.add((await app.send('POST', `/cars-for-sale/svc/${link}/${MARK}`, {}, headers)).status);
    const raw = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: `{"${MARK}` };
    statuses.add((await fetch(`${app.origin}${CAPTURE}?${MARK}`, raw)).status);
    statuses.add((await app.send('POST', '/batch', { calls: [{ url: `/${MARK}?${MARK}` }] })).status);
    const unlisted: object = { recipient: email };
    logger.error({ err: new Error(`550 <${email}> unknown`), ...unlisted }, 'mail not delivered yet');
    expect(statuses).toEqual(new Set([200, 201, 204, 400, 401, 404]));
    expect(lines.length).toBeGreaterThan(60);
    expect(lines.filter((line) => line.toLowerCase().includes(MARK.toLowerCase()))).toEqual([]);
    expect(await (await app.get('/metrics')).text()).not.toContain(MARK);
  });

  it('serves the outbox, leads, reports and faults in local mode only', async () => {
    await start({ isLocal: false });
    for (const target of [
      ...['/outbox', '/cars-for-sale/svc/leads', '/cars-for-sale/svc/reports', '/__faults'],
      ...['/emails', '/openapi'],
    ])
      expect((await app.get(target)).status).toBe(404);
  });
});
