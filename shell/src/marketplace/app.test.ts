import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import fc from 'fast-check';
import { requiredSlots } from '../engine/layout/permissions.ts';
import { PAGE_LAYOUTS } from './layouts.ts';
import { CallFailure } from '../engine/gateway/callFailure.ts';
import { textSlot, tinyRelease } from '../engine/rendering/testing/tinyRelease.ts';
import { startShell, type ShellRig } from '../testing/shellRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
async function start(options?: Parameters<typeof startShell>[0]): Promise<ShellRig> {
  const rig = await startShell(options);
  rigs.push(rig);
  return rig;
}
const bodyOf = (text: string) =>
  JSON.parse(text) as { error: { code: string; message: string; requestId: string } };

describe('any request', () => {
  it.each([
    ['a broken escape', '/cars-for-sale/%E0%A4%A'],
    ['a broken escape in the query', '/cars-for-sale/all-cars?zip=%E0%A4%A'],
    ['a broken escape in an id', '/cars-for-sale/vehicle/%E0%A4%A'],
    ['a NUL', '/cars-for-sale/all/%00'],
    ['a NUL in the query', '/cars-for-sale/all-cars?zip=%00'],
    ['the names of an object’s own parts', '/cars-for-sale/all-cars?__proto__=1&constructor=2&toString=3'],
    ['the same as a make', '/cars-for-sale/all/__proto__/constructor'],
    ['a very long value', `/cars-for-sale/all-cars?makeCode=${'A'.repeat(10_000)}`],
    ['very many values', `/cars-for-sale/all-cars?${'makeCode=A&'.repeat(1_000)}`],
    ['a path upwards', '/cars-for-sale/../../etc/passwd'],
    ['two slashes', '//cars-for-sale//all-cars'],
    ['a whole URL', 'http://elsewhere.example/cars-for-sale/all-cars'],
    ['no path', '*'],
    ['a broken escape among files', '/remotes/%E0%A4%A/1.0.0/web/x.js'],
    ['a broken escape among pictures', '/pictures/%E0%A4%A'],
  ])('is never a server error: %s', async (_, path) => {
    const { send, log } = await start();
    const { status, text } = await send(path);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/\bat .*\.ts:/);
    expect(log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('returns a status below 500 for any path and query, with at most one redirect', async () => {
    const { send } = await start();
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('ford', 'f150', 'used', 'truck', '2021', 'chicago-il', '%', '..', '%2e%2e', '%2F'),
    );
    const printable = (text: string) =>
      text.replace(/[^\x21-\x7e]/g, encodeURIComponent).replace(/[#\s]/g, '');
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 5 }),
        fc.string({ maxLength: 60 }),
        async (parts, query) => {
          let path: string;
          try {
            path = printable(`/cars-for-sale/${parts.join('/')}?${query}`);
          } catch {
            return; // A lone surrogate cannot be sent.
          }
          const answer = await send(path);
          expect(answer.status).toBeLessThan(500);
          if (answer.status === 301) {
            expect(answer.headers.location).toMatch(/^\/cars-for-sale/);
            expect((await send(answer.headers.location ?? '')).status).not.toBe(301);
          }
        },
      ),
      { numRuns: 300 },
    );
    // Many of the paths are pages.
  }, 120_000);

  it('returns a page for any cookie and header', async () => {
    const { send } = await start({ environment: { LOCAL_MODE: 'true' } });
    const header = fc.string({ maxLength: 80 }).map((text) => text.replace(/[^\x20-\x7e]/g, '').trim());
    const names = [
      'Cookie',
      'Host',
      'User-Agent',
      'X-Brand',
      'X-Flags',
      'X-Forwarded-For',
      'X-Forwarded-Proto',
      'Accept-Encoding',
      'X-Request-Id',
    ];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), header), async (headers) => {
        expect((await send('/cars-for-sale/all-cars', { headers })).status).toBe(200);
      }),
      { numRuns: 150 },
    );
    for (const cookie of [
      'sid=%E0%A4%A',
      'zip="; alphaHidden=%',
      '=;=;;;',
      '__proto__=1',
      `sid=${'x'.repeat(4_000)}`,
    ])
      expect((await send('/cars-for-sale/all-cars', { headers: { Cookie: cookie } })).status).toBe(200);
  });

  it('answers what the footer of every page leads to', async () => {
    const { send } = await start();
    const { status, text } = await send('/help');
    expect(status).toBe(200);
    for (const part of ['contact', 'privacy', 'terms']) expect(text).toContain(`<h2 id="${part}">`);
    expect(text).toContain('<footer class="fc-footer">');
  });

  // rows: A8-ERR-11
  it('hides internal errors and logs them with the request id', async () => {
    const { send, log } = await start({
      answers: {
        search: () => {
          throw new Error('secret detail');
        },
      },
    });
    const answer = await send('/cars-for-sale/all-cars', { headers: { 'X-Request-Id': 'abcd-1234' } });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret');
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(bodyOf(answer.text)).toEqual({
      error: { code: 'INTERNAL', message: expect.any(String), requestId: 'abcd-1234' },
    });
    expect(log).toContainEqual(expect.objectContaining({ level: 50, requestId: 'abcd-1234' }));
  });
});

describe('requests in unusual forms', () => {
  it.each([
    ['minPrice=50000&maxPrice=1000', 'maxPrice=50000&minPrice=1000'],
    ['startYear=2024&endYear=2010', 'endYear=2024&startYear=2010'],
  ])('with reversed bounds %s redirect to %s', async (reversed, ordered) => {
    const { send, calls } = await start();
    const { status, headers } = await send(`/cars-for-sale/all-cars?${reversed}`);
    expect([status, headers.location]).toEqual([301, `/cars-for-sale/all-cars?${ordered}`]);
    expect(calls).toEqual([]);
    expect((await send(`/cars-for-sale/all-cars?${ordered}`)).status).toBe(200);
  });

  it('are served at a target in absolute form, under its host', async () => {
    const { send } = await start({ environment: { SITE_HOSTS: 'shop.example' } });
    const at = (path: string, Host: string) => send(path, { headers: { Host } });
    const page = await at('http://shop.example/cars-for-sale/all-cars', 'other.example');
    expect(page.status).toBe(200);
    expect(page.text).toContain('<link rel="canonical" href="http://shop.example/cars-for-sale/all-cars">');
    expect((await at('http://other.example/cars-for-sale/all-cars', 'shop.example')).status).toBe(421);
  });

  it('get no length for HEAD that GET would not have', async () => {
    const { send } = await start();
    const of = async (method: string) =>
      (await send('/help', { method, headers: { 'Accept-Encoding': 'br' } })).headers;
    expect((await of('GET'))['content-encoding']).toBe('br');
    const head = await of('HEAD');
    expect(head['content-length']).toBeUndefined();
    expect(head['content-type']).toMatch(/^text\/html/);
  });
});

describe('unmatched requests', () => {
  const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each([
    ['/nope', 404, 'We couldn’t find that page.'],
    ['/cars-for-sale/%E0%A4%A', 400, 'We couldn’t understand that request.'],
  ])('returns a page for %s to browsers and a code to scripts', async (path, status, text) => {
    const { send } = await start();
    const page = await send(path, { headers: HTML });
    expect(page.status).toBe(status);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).toContain(text);
    for (const Accept of ['*/*', 'application/json']) {
      const answer = await send(path, { headers: { Accept } });
      expect(answer.status).toBe(status);
      expect(bodyOf(answer.text).error.requestId).toBeDefined();
    }
  });

  it('returns a code below the API paths to every client', async () => {
    const { send } = await start();
    const answer = await send('/cars-for-sale/api/nope', { method: 'POST', headers: HTML });
    expect(answer.status).toBe(404);
    expect(bodyOf(answer.text).error.code).toBe('NOT_FOUND');
  });

  it('hides internal errors on pages too', async () => {
    const { send } = await start({
      answers: {
        search: () => {
          throw new Error('secret detail');
        },
      },
    });
    const answer = await send('/cars-for-sale/all-cars', { headers: HTML });
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('Something went wrong');
    expect(answer.text).not.toContain('secret');
  });

  it('returns 405 for a write to a page', async () => {
    const { send, calls } = await start();
    for (const path of ['/cars-for-sale/all-cars', '/cars-for-sale/vehicle/1', '/cars-for-sale']) {
      const answer = await send(path, { method: 'POST', headers: HTML });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
    expect(calls).toEqual([]);
  });
});

describe('security headers', () => {
  const policyOf = (value: string | undefined) =>
    Object.fromEntries(
      (value ?? '').split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1)]),
    );

  it('allow inline scripts and styles only by their hashes', async () => {
    const release = tinyRelease({ x: textSlot('x') });
    const { send } = await start({ live: new Map([['mfe-tiny', { live: release }]]) });
    for (const path of ['/cars-for-sale/all-cars', '/nowhere', '/cars-for-sale/all/fjord']) {
      const { headers, text } = await send(path, { headers: { Accept: 'text/html' } });
      const policy = policyOf(headers['content-security-policy'] as string);
      const hashesOf = (element: RegExp) =>
        [...text.matchAll(element)].map(
          ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
        );
      expect(policy['style-src']).toEqual([`'self'`, ...hashesOf(/<style>(.*?)<\/style>/gs)]);
      expect(policy['script-src']).toEqual([
        ...Array<unknown>(2).fill(expect.stringMatching(/^'sha256-[A-Za-z0-9+/=]{44}'$/)),
        `'strict-dynamic'`,
      ]);
      // Data blocks are not executed.
      expect(policy['script-src']).toEqual(
        expect.arrayContaining(hashesOf(/<script(?: type="speculationrules")?>(.*?)<\/script>/gs)),
      );
      for (const tag of text.match(/<script\b[^>]*>/g) ?? [])
        expect(tag).toMatch(
          /^<script(?: type="(?:speculationrules|application\/(?:ld\+)?json)"(?: id="[\w-]+")?)?>$/,
        );
    }
  });

  it('let scripts load scripts of this origin only', async () => {
    const release = tinyRelease({ x: textSlot('x') });
    const { send } = await start({ live: new Map([['mfe-tiny', { live: release }]]) });
    const { headers } = await send('/cars-for-sale/all-cars');
    const [first = '', second = '', ...others] = (headers['content-security-policy'] as string).split(', ');
    expect(others).toEqual([]);
    const hashes = (policyOf(first)['script-src'] as string[]).slice(0, -1);
    expect(policyOf(second)).toEqual({
      'script-src': [`'self'`, ...hashes],
      'report-to': ['policy'],
      'report-uri': ['/cars-for-sale/svc/policy-report'],
    });
  });

  it('allow no other origin, no eval and only known policies', async () => {
    const release = tinyRelease({ x: textSlot('x') });
    const { send } = await start({ live: new Map([['mfe-tiny', { live: release }]]) });
    const { headers } = await send('/cars-for-sale/all-cars');
    const policy = policyOf(headers['content-security-policy'] as string);
    expect(policy).toMatchObject({
      'default-src': [`'none'`],
      'base-uri': [`'none'`],
      'frame-ancestors': [`'none'`],
      // Signing out ends at the issuer.
      'form-action': [`'self'`, 'http://localhost:4200'],
      'connect-src': [`'self'`],
      'require-trusted-types-for': [`'script'`],
      'trusted-types': [
        'forecourt',
        'forecourt#early',
        'forecourt#entry',
        'shell#webpack',
        'mfe-tiny#webpack',
        'mfe-tiny#scripts',
      ],
    });
    expect(JSON.stringify({ ...policy, 'form-action': [] })).not.toMatch(/unsafe-eval|\*|https?:/);
  });

  it("allow Firebase's two services only when it is configured, and expose its app", async () => {
    const FIREBASE_WEB_APP = { apiKey: 'k', appId: 'a', projectId: 'p', vapidKey: 'B'.repeat(87) };
    const { send } = await start({ environment: { FIREBASE_WEB_APP: JSON.stringify(FIREBASE_WEB_APP) } });
    const answer = await send('/cars-for-sale/all-cars');
    expect(policyOf(answer.headers['content-security-policy'] as string)['connect-src']).toEqual([
      `'self'`,
      'https://firebaseinstallations.googleapis.com',
      'https://fcmregistrations.googleapis.com',
    ]);
    expect(answer.text).toContain('"projectId":"p"');
  });

  it.each([
    '/cars-for-sale/all-cars',
    '/nowhere',
    '/health/live',
    '/assets/abc123/shell.js',
    '/cars-for-sale/api/search',
  ])('are set on %s', async (path) => {
    const { headers } = await (await start()).send(path);
    expect(headers['content-security-policy']).toBeDefined();
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    expect(headers['permissions-policy']).toContain(
      'camera=(), display-capture=(), geolocation=(), microphone=()',
    );
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-resource-policy']).toBe(
      path.startsWith('/assets/') ? 'cross-origin' : 'same-origin',
    );
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it.each(['/cars-for-sale/all-cars', '/nowhere', '/health/live', '/cars-for-sale/api/search'])(
    'are not echoed by TRACE %s',
    async (path) => {
      const { send } = await start();
      const { status, text } = await send(path, { method: 'TRACE', headers: { Cookie: 'secret=1' } });
      expect([404, 405]).toContain(status);
      expect(text).not.toContain('secret=1');
    },
  );
});

/** A release of every remote with required slots. */
const complete = () =>
  new Map(
    [...requiredSlots(PAGE_LAYOUTS)].map(([name, slots]) => {
      const sources = Object.fromEntries([...slots].map((slot) => [slot, textSlot(slot)]));
      return [name, { live: tinyRelease(sources, { name }) }] as const;
    }),
  );

describe('readiness', () => {
  it('fails as soon as the shell is stopping, while liveness succeeds', async () => {
    let isStopping = false;
    const { send } = await start({ live: complete(), deps: { isStopping: () => isStopping } });
    expect(await send('/health/ready')).toMatchObject({ status: 200 });
    isStopping = true;
    const answer = await send('/health/ready');
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 'stopping' });
    expect(await send('/health/live')).toMatchObject({ status: 200 });
  });

  it.each([
    ['no release', undefined],
    ['a release that lacks the slot', tinyRelease({ other: textSlot('x') }, { name: 'mfe-results' })],
  ])('fails with the missing slots while a remote of required slots has %s', async (_, release) => {
    const live = complete();
    if (release) live.set('mfe-results', { live: release });
    else live.delete('mfe-results');
    const { send } = await start({ live });
    const { status, text } = await send('/health/ready');
    expect(status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      status: 'starting',
      missing: { 'mfe-results': ['results', 'vehicle', 'compare'] },
    });
  });

  it('shows suspicious pointers and counts them, while the last good releases serve', async () => {
    const pointers = { revision: 0, reason: 'the registry has no remotes' };
    const live = complete();
    const releases = { live: () => live, find: () => undefined, suspicious: () => pointers };
    const { send } = await start({ deps: { releases } });
    const { status, text } = await send('/health/ready');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ status: 'ready', pointers });
    expect((await send('/metrics')).text).toContain('forecourt_pointers_suspicious 1');
  });
});

describe('files', () => {
  const withRelease = () =>
    start({ live: new Map([['mfe-tiny', { live: tinyRelease({ x: textSlot('x') }) }]]) });

  it('are immutable, typed, and readable for Subresource Integrity', async () => {
    const { send } = await withRelease();
    for (const path of ['/assets/abc123/shell.js', '/remotes/mfe-tiny/1.0.0/web/remoteEntry.js']) {
      const { status, headers } = await send(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
      });
    }
  });

  it('are sent in brotli to clients that accept it', async () => {
    const { port } = await withRelease();
    const body = await new Promise<Buffer>((resolve) => {
      httpRequest(
        { port, path: '/assets/abc123/shell.js', headers: { 'Accept-Encoding': 'gzip, br' } },
        (response) => {
          expect(response.headers).toMatchObject({
            'content-encoding': 'br',
            // A cache in front of the shell does not keep the first, quick version.
            'cache-control': 'public, max-age=31536000, s-maxage=60, immutable',
          });
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => resolve(Buffer.concat(parts)));
        },
      ).end();
    });
    expect(brotliDecompressSync(body).toString()).toContain('// the shell');
  });

  it.each([
    '/assets/other/shell.js',
    '/assets/abc123/../package.json',
    '/assets/abc123/%2e%2e%2fpackage.json',
    '/remotes/mfe-tiny/1.0.0/node/remoteEntry.cjs',
    '/remotes/mfe-tiny/1.0.0/web/../node/remoteEntry.cjs',
    '/remotes/mfe-tiny/1.0.0/web/%2e%2e/node/remoteEntry.cjs',
    '/remotes/mfe-tiny/9.9.9/web/remoteEntry.js',
    '/remotes/__proto__/1.0.0/web/remoteEntry.js',
  ])('are limited to the build or the manifest: %s', async (path) => {
    const { status, headers } = await (await withRelease()).send(path);
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('are joined only as a chunk with the entry', async () => {
    const release = tinyRelease({ x: textSlot('x') });
    const webFiles = new Map([...release.webFiles, ['web/slots.js', Buffer.from('// the slots')]]);
    const { send } = await start({ live: new Map([['mfe-tiny', { live: { ...release, webFiles } }]]) });
    const path = '/remotes/mfe-tiny/1.0.0/web/';
    const joined = await send(`${path}slots.js+remoteEntry.js`);
    const entry = release.webFiles.get('web/remoteEntry.js')?.toString('utf8');
    expect(joined).toMatchObject({ status: 200, text: `// the slots\n${entry}` });
    expect(joined.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await send(`${path}slots.js+remoteEntry.js`)).text).toBe(joined.text);
    for (const other of [
      'slots.js+slots.js',
      'remoteEntry.js+slots.js',
      'slots.js+slots.js+remoteEntry.js',
      'none.js+remoteEntry.js',
      'slots.js+../remoteEntry.js',
    ])
      expect((await send(path + other)).status).toBe(404);
  });

  it('come from the archive for tabs with an older snapshot', async () => {
    const { send } = await start({
      deps: {
        archive: {
          file: (_, version) => Promise.resolve(version === '0.9.0' ? Buffer.from('old') : undefined),
        },
      },
    });
    expect(await send('/remotes/mfe-tiny/0.9.0/web/x.js')).toMatchObject({ status: 200, text: 'old' });
    expect((await send('/remotes/mfe-tiny/0.9.0/web/x.js+remoteEntry.js')).text).toBe('old\nold');
    expect((await send('/remotes/mfe-tiny/0.9.0/web/x.js+y.js')).status).toBe(404);
    expect(await send('/remotes/mfe-tiny/0.8.0/web/x.js')).toMatchObject({ status: 404 });
  });
});

describe('search API', () => {
  const of = (url: string) => `/cars-for-sale/api/search?url=${encodeURIComponent(url)}`;

  it('returns the content of the URL’s page in normalized form', async () => {
    const { send } = await start();
    const { status, text } = await send(of('/cars-for-sale/all-cars?makeCode=FORD'));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      kind: 'page',
      url: '/cars-for-sale/all/ford',
    });
  });

  it.each([
    ['/cars-for-sale/api/search', 400, 'INVALID_PARAMETERS'],
    ['/cars-for-sale/api/search?url=/elsewhere', 400, 'INVALID_PARAMETERS'],
    ['/cars-for-sale/api/search?url=/cars-for-sale&url=/cars-for-sale', 400, 'INVALID_PARAMETERS'],
    [of('/cars-for-sale/all/fjord'), 404, 'NOT_FOUND'],
  ])('returns for %s the status %i and code %s', async (path, status, code) => {
    const { send } = await start();
    const answer = await send(path);
    expect(answer.status).toBe(status);
    expect(bodyOf(answer.text).error).toMatchObject({ code });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it.each([
    [new CallFailure('TIMED_OUT', 'search', 'no'), 502, 'TIMED_OUT'],
    [new CallFailure('REFUSED', 'search', 'no', 400, 'INVALID_PARAMETERS'), 400, 'INVALID_PARAMETERS'],
  ])('returns the code of a failed call', async (failure, status, code) => {
    const { send } = await start({
      answers: {
        search: () => {
          throw failure;
        },
      },
    });
    const answer = await send(of('/cars-for-sale/all-cars'));
    expect(answer.status).toBe(status);
    expect(bodyOf(answer.text).error.code).toBe(code);
  });
});

describe('page data with a status code', () => {
  // rows: B8-ERR-05
  it.each([
    ['search', 500],
    ['search', 404],
    ['search/more', 503],
  ])('is an error of the browser’s call %s too: %i', async (call, statusCode) => {
    const { send } = await start({
      answers: {
        search: () =>
          searchResponseSchema.parse({
            listings: [],
            owners: [],
            totalResultCount: 1,
            pageData: { statusCode },
          }),
      },
    });
    const { status, text } = await send(`/cars-for-sale/api/${call}?url=/cars-for-sale/all-cars`);
    expect(status).toBe(statusCode);
    expect(bodyOf(text).error).toMatchObject({ code: 'PAGE_STATUS' });
  });
});

describe('call API', () => {
  const post = (headers: Record<string, string>, body: unknown = {}) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const LEAD = {
    listingId: '1',
    ownerId: 'd1',
    firstName: 'Ann',
    lastName: 'Lee',
    fromEmailAddress: 'ann@example.com',
    idempotencyKey: '12345678',
    unknown: 'dropped',
  };
  const OURS = { 'X-Requested-With': 'forecourt' };

  it('runs a call that browsers may use', async () => {
    const { send, calls } = await start({
      answers: { zipLookup: () => ({ success: true, city: 'Chicago', state: 'IL' }) },
    });
    const answer = await send('/cars-for-sale/api/call/zipLookup?zip=60601');
    expect(JSON.parse(answer.text)).toMatchObject({ city: 'Chicago' });
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(calls).toMatchObject([{ name: 'zipLookup', params: 'zip=60601' }]);
  });

  it('forwards every value of a repeated parameter', async () => {
    const { send, calls } = await start();
    await send('/cars-for-sale/api/call/count?makeCode=FORD&makeCode=BMW&channel=EVIL&channel=EVIL');
    expect(calls).toMatchObject([{ name: 'count', params: 'makeCode=FORD&makeCode=BMW&channel=ATC' }]);
  });

  it.each(['search', 'slugReference', 'nothing', '__proto__', 'constructor'])(
    'hides the call %s from browsers',
    async (name) => {
      const { send, calls } = await start();
      const answer = await send(`/cars-for-sale/api/call/${name}`);
      expect(answer.status).toBe(404);
      expect(calls).toEqual([]);
    },
  );

  it('requires the call’s own method', async () => {
    const { send } = await start();
    const answer = await send('/cars-for-sale/api/call/emailOwner');
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST');
    expect((await send('/cars-for-sale/api/call/zipLookup?zip=60601', { method: 'DELETE' })).status).toBe(
      405,
    );
  });

  it.each([
    ['without the header of this site', {}],
    ['with another one', { 'X-Requested-With': 'XMLHttpRequest' }],
    ['from another origin', { ...OURS, Origin: 'https://evil.example' }],
    ['from an opaque origin', { ...OURS, Origin: 'null' }],
  ])('refuses a write %s', async (_, headers) => {
    const { send, calls } = await start();
    const answer = await send('/cars-for-sale/api/call/emailOwner', post(headers, LEAD));
    expect(answer.status).toBe(403);
    expect(calls).toEqual([]);
  });

  it('forwards the fields of the schema and refuses an invalid body', async () => {
    const { send, calls } = await start();
    expect((await send('/cars-for-sale/api/call/emailOwner', post(OURS, LEAD))).status).toBe(200);
    const { unknown, ...known } = LEAD;
    expect(unknown).toBe('dropped');
    expect(calls[0]?.context.body).toEqual({ ...known, comments: '', phoneNumber: '' });
    const bad = await send('/cars-for-sale/api/call/emailOwner', post(OURS, { ...LEAD, firstName: '' }));
    expect(bad.status).toBe(400);
    expect(bodyOf(bad.text).error.message).toBe('firstName: Enter your first name');
    expect((await send('/cars-for-sale/api/call/emailOwner', { ...post(OURS), body: '{' })).status).toBe(400);
    expect((await send('/cars-for-sale/api/call/emailOwner', post(OURS, 'x'.repeat(70_000)))).status).toBe(
      413,
    );
  });

  it('limits the writes of one visitor', async () => {
    const { send } = await start();
    const statuses = [];
    for (let at = 0; at < 125; at += 1)
      statuses.push((await send('/cars-for-sale/api/call/renameBookmark', post(OURS, {}))).status);
    expect(statuses.slice(0, 120)).not.toContain(429);
    expect(statuses.slice(120)).toEqual(Array(5).fill(429));
    expect((await send('/cars-for-sale/all-cars')).status).toBe(200);
  });
});

describe('page events', () => {
  const event = (events: unknown[], headers = {}) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ brand: 'atc', page: '/cars-for-sale/all-cars', events }),
  });
  const PATH = '/cars-for-sale/svc/page-event';

  it('are counted by kind, unknown ones as others, and failures are logged truncated', async () => {
    const { send, metrics, log } = await start();
    const sent = [
      { type: 'click', name: 'card' },
      { type: 'made up', name: 'x' },
      { type: 'slot.failed', name: 'results', message: 'm'.repeat(5_000), extra: 'dropped' },
    ];
    expect((await send(PATH, event(sent))).status).toBe(204);
    const text = await metrics.metrics();
    expect(text).toContain('forecourt_page_events_total{kind="click"} 1');
    expect(text).toContain('forecourt_page_events_total{kind="other"} 1');
    const [line] = log.filter(({ msg }) => msg === 'reported by a browser');
    expect(line?.['event']).toEqual({ type: 'slot.failed', name: 'results', message: 'm'.repeat(500) });
  });

  it('have a rate limit separate from writes', async () => {
    const { send } = await start();
    const statuses = [];
    for (let at = 0; at < 130; at += 1) statuses.push((await send(PATH, event([]))).status);
    expect(new Set(statuses)).toEqual(new Set([204]));
    const write = await send('/cars-for-sale/api/call/emailOwner', { method: 'POST' });
    expect(write.status).toBe(403);
  });

  it('are refused when they are not a batch or come from another site', async () => {
    const { send } = await start();
    expect((await send(PATH, event([{ type: 1 }]))).status).toBe(400);
    expect((await send(PATH, event([], { Origin: 'https://evil.example' }))).status).toBe(403);
  });
});

describe('health and metrics', () => {
  it('is live at once, and ready when it can compose a page', async () => {
    const { send } = await start();
    expect((await send('/health/live')).status).toBe(200);
    expect((await send('/health/ready')).status).toBe(503);
    const ready = await start({ live: complete() });
    expect(JSON.parse((await ready.send('/health/ready')).text)).toEqual({
      status: 'ready',
      releases: { 'mfe-results': '1.0.0', 'mfe-leads': '1.0.0', 'mfe-model-reference': '1.0.0' },
      refused: {},
      load: 'normal',
    });
  });

  it.each(['/METRICS', '/Metrics/', '/HEALTH/live', '/Health/ready'])(
    'matches operator paths case-sensitively: not %s',
    async (path) => {
      const { send } = await start();
      expect((await send(path)).status).toBe(404);
    },
  );

  it('documents every metric and keeps label cardinality low', async () => {
    const { send, metrics } = await start();
    await send('/cars-for-sale/all-cars');
    await send('/cars-for-sale/all/fjord');
    for (const { name, help } of await metrics.getMetricsAsJSON()) {
      expect(name).toMatch(/^forecourt_/);
      expect(help.length).toBeGreaterThan(15);
    }
    expect((await send('/metrics')).text).not.toContain('fjord');
  });
});

describe('client disconnect', () => {
  it('aborts the calls made for the page', async () => {
    let aborted: () => void = () => {};
    const cut = new Promise<void>((resolve) => (aborted = resolve));
    const { port } = await start({
      answers: {
        search: (_, { signal }) =>
          new Promise((__, reject) =>
            signal?.addEventListener('abort', () => {
              aborted();
              reject(new CallFailure('CANCELLED', 'search', 'left'));
            }),
          ),
      },
    });
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /cars-for-sale/all-cars HTTP/1.1\r\nHost: localhost\r\n\r\n');
      setTimeout(() => socket.destroy(), 50);
    });
    await cut;
  });
});
