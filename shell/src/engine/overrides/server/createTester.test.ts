import { afterEach, describe, expect, it } from '@jest/globals';
import { OVERRIDE_TOKEN, type overrideClaimsSchema } from '@forecourt/releases/override';
import { LOCAL_BUILD, OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import { SignJWT } from 'jose';
import type { Logger } from '@forecourt/service-kit/log';
import { ReleaseError } from '../../releases/registryClient.ts';
import type { LoadedRelease } from '../../rendering/release.ts';
import { textSlot, tinyRelease } from '../../rendering/testing/tinyRelease.ts';
import type { TestResponse } from '../../testing/appRig.ts';
import { LIBRARY_PLAN } from '../../testing/libraryPlan.ts';
import { startLibrary, type LibraryRig } from '../../testing/startLibrary.ts';
import { createRateLimits } from '@forecourt/service-kit/rateLimits';
import { createTester, disabledTester } from './createTester.ts';
import { createOverrideTokens } from './overrideTokens.ts';

const KEY = 'a key of thirty-two characters!!';
const PAGE = '/library/shelf';
const BUILD = 'http://localhost:5001';
const release = (version: string) =>
  tinyRelease({ reviews: textSlot('x') }, { name: 'mfe-reviews', version });

const rigs: { readonly stop: () => void | Promise<void> }[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.stop();
});

/** A shell with 1.0.0 live and 2.0.0 published; its clock is the test's to set. */
async function start({
  isLocal = false,
  rendersOrigins = false,
  followsBuilds = false,
  admit = (manifest: LoadedRelease['manifest'], id: string) =>
    Promise.resolve({ ...release(manifest.version), id }),
} = {}) {
  const clock = { now: 1_800_000_000_000 };
  const recorded: string[] = [];
  const logger = { info() {}, warn() {} } as unknown as Pick<Logger, 'info' | 'warn'>;
  const live = new Map([['mfe-reviews', { live: release('1.0.0') }]]);
  const extension = createTester({
    site: LIBRARY_PLAN,
    key: KEY,
    origins: [BUILD],
    isLocal,
    followsBuilds,
    rendersOrigins,
    upstreamUrl: 'http://127.0.0.1:1',
    registry: {
      manifest: (_, version) =>
        version === '2.0.0'
          ? Promise.resolve(release(version).manifest)
          : Promise.reject(new ReleaseError('INVALID_RESPONSE', 'status 404')),
      file: () => Promise.reject(new Error('no files here')),
    },
    live: () => live,
    refused: () => new Map(),
    room: () => 'https://registry.example/room',
    check: () => {},
    admit: (_, manifest, id) => admit(manifest, id),
    retire: () => {},
    css: '',
    limits: createRateLimits(),
    logger,
    now: () => clock.now,
  });
  const rig = await startLibrary({
    live,
    adapters: {
      extension,
      canaries: {
        record: ({ remote, version }) => void recorded.push(`${remote}@${version}`),
        recordFailedView: () => {},
        evidence: () => [],
      },
    },
    environment: { LOCAL_MODE: String(isLocal) },
    render: (job) => Promise.resolve({ html: `<p>${job.release.id}</p>`, data: null }),
  });
  rigs.push(rig, { stop: extension.stop });
  return { ...rig, clock, recorded, live, extension };
}

const hostOf = ({ port }: LibraryRig) => `127.0.0.1:${port}`;
const tokenFor = (
  rig: LibraryRig & { clock: { now: number } },
  changes: Partial<ReturnType<typeof overrideClaimsSchema.parse>> = {},
) => {
  const iat = Math.floor(rig.clock.now / 1000);
  return createOverrideTokens(KEY, () => rig.clock.now).sign({
    aud: `http://${hostOf(rig)}`,
    sub: 'tester@desk',
    iat,
    exp: iat + 3600,
    remote: 'mfe-reviews',
    version: '2.0.0',
    ...changes,
  });
};
/** A token signed as it is, also with claims that no shell would sign. */
const signToken = (
  rig: LibraryRig & { clock: { now: number } },
  header: { alg: string; typ: string },
  changes: object = {},
) => {
  const iat = Math.floor(rig.clock.now / 1000);
  const claims = { aud: `http://${hostOf(rig)}`, sub: 'tester@desk', iat, exp: iat + 3600 };
  return new SignJWT({ ...claims, remote: 'mfe-reviews', version: '2.0.0', ...changes })
    .setProtectedHeader(header)
    .sign(new TextEncoder().encode(KEY));
};
async function unsignedToken(rig: LibraryRig & { clock: { now: number } }): Promise<string> {
  const [, payload] = (await tokenFor(rig)).split('.');
  const header = Buffer.from(JSON.stringify({ ...OVERRIDE_TOKEN, alg: 'none' })).toString('base64url');
  return `${header}.${payload}.`;
}
const post = (
  rig: LibraryRig,
  fields: Record<string, string>,
  { path = '', ...headers }: Record<string, string> = {},
): Promise<TestResponse> =>
  rig.send(`${OVERRIDES_PATH}${path}`, {
    method: 'POST',
    headers: {
      host: hostOf(rig),
      origin: `http://${hostOf(rig)}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams(fields).toString(),
  });
const cookieOf = ({ headers }: TestResponse) =>
  (headers['set-cookie'] ?? []).find((text) => text.startsWith('overrides='));
const get = (rig: LibraryRig, cookie = '', path = PAGE) =>
  rig.send(path, {
    headers: { host: hostOf(rig), ...(cookie && { cookie: cookie.split(';', 1)[0] as string }) },
  });

describe('page of a tester', () => {
  it('names the releases of the page in a header, and no header on the pages of others', async () => {
    const rig = await start();
    const tested = await get(rig, cookieOf(await post(rig, { token: await tokenFor(rig) })));
    expect(tested.headers['forecourt-releases']).toBe('mfe-reviews@2.0.0');
    expect((await get(rig)).headers['forecourt-releases']).toBeUndefined();
  });
});

describe('page of a named snapshot', () => {
  it('is named by its link, a header and the banner', async () => {
    const rig = await start();
    const token = await tokenFor(rig, { snapshot: 'spring' });
    expect((await get(rig, '', `${OVERRIDES_PATH}?token=${token}`)).text).toContain('<dd>spring</dd>');
    const tested = await get(rig, cookieOf(await post(rig, { token })));
    expect(tested.headers['forecourt-snapshot']).toBe('spring');
    expect(tested.text).toContain('of the snapshot <strong>spring</strong>');
    expect((await get(rig)).headers['forecourt-snapshot']).toBeUndefined();
  });

  it('uses the live release where the snapshot has the same, without loading it again', async () => {
    const rig = await start({ admit: () => Promise.reject(new Error('loaded')) });
    const token = await tokenFor(rig, { version: '1.0.0', snapshot: 'spring' });
    const tested = await get(rig, cookieOf(await post(rig, { token })));
    expect(tested.headers['forecourt-snapshot']).toBe('spring');
    expect(tested.text).toContain('mfe-reviews@1.0.0');
    expect(tested.text).not.toContain('cannot be used');
  });

  it.each([
    ['one of its releases cannot be used', 'spring'],
    ['another release is overridden beside it', undefined],
  ])('is not named when %s', async (_, snapshot) => {
    const rig = await start();
    const [used, other] = await Promise.all([
      tokenFor(rig, { snapshot: 'spring' }),
      tokenFor(rig, { remote: 'mfe-shelf', version: '3.1.0', snapshot }),
    ]);
    const tested = await get(rig, cookieOf(await post(rig, { token: `${used}~${other}` })));
    expect(tested.headers['forecourt-releases']).toContain('mfe-reviews@2.0.0');
    expect(tested.headers['forecourt-snapshot']).toBeUndefined();
  });
});

describe('page that follows the builds of `npm run dev`', () => {
  it('is told of the shell, the live release and each release that goes live, until the shell stops', async () => {
    const rig = await start({ isLocal: true, followsBuilds: true });
    const { port, live, extension } = rig;
    const response = await fetch(`http://127.0.0.1:${port}${OVERRIDES_PATH}/builds`);
    let text = '';
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const read = async (until: RegExp) => {
      while (!until.test(text)) text += (await reader.read()).value ?? '';
      return text;
    };
    expect(await read(/build\ndata: .+\n\n/)).toMatch(/^event: shell\ndata: [0-9a-f-]{36}\n\nevent: build\n/);
    // The page names the process that wrote it.
    expect((await get(rig)).text).toContain(`"shellProcess":"${/data: (\S+)/.exec(text)?.[1]}"`);
    live.set('mfe-reviews', { live: release('3.0.0') });
    await read(/"version":"3\.0\.0".*\n\n/);
    expect(JSON.parse(text.split('data: ').at(-1) ?? '')).toMatchObject({
      remote: { name: 'mfe-reviews', version: '3.0.0' },
      slots: [{ slot: 'reviews', remote: 'mfe-reviews', rendered: 'none' }],
    });
    const failure = 'Slot reviews failed in the browser (render): no book\n    at Card';
    const post = (origin: string) =>
      fetch(`http://127.0.0.1:${port}${OVERRIDES_PATH}/failures`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain', origin },
        body: failure,
      });
    expect((await post('https://evil.example')).status).toBe(403);
    expect((await post(`http://127.0.0.1:${port}`)).status).toBe(204);
    expect(await read(/failure\ndata: .*\n\n/)).toContain(`event: failure\ndata: ${JSON.stringify(failure)}`);
    extension.endStreams();
    expect((await reader.read()).done).toBe(true);
  });

  it('is extended for every visitor, and may create the policies of a release again', async () => {
    const followed = await get(await start({ isLocal: true, followsBuilds: true }));
    expect(followed.headers['content-security-policy']).toMatch(/trusted-types [^;]*'allow-duplicates'/);
    expect(followed.text).toContain('"followsBuilds":true');
    const other = await get(await start({ isLocal: true }));
    expect(other.headers['content-security-policy']).not.toContain('allow-duplicates');
    expect(other.text).not.toContain('followsBuilds');
  });

  it('is told of nothing by a shell that is not for development', async () => {
    const rig = await start({ isLocal: true });
    expect((await get(rig, '', `${OVERRIDES_PATH}/builds`)).status).toBe(404);
  });
});

describe('page that `forecourt dev` requests', () => {
  const page = (rig: LibraryRig, cookie = '') =>
    rig.send(PAGE, { headers: { host: hostOf(rig), cookie, [LOCAL_BUILD.proxyHeader]: '1' } });

  it.each([false, true])(
    'has the live release, and follows builds, also if the shell could render the build (%s)',
    async (rendersOrigins) => {
      const rig = await start({ rendersOrigins });
      const token = await tokenFor(rig, { version: undefined, origin: BUILD });
      const { text, headers } = await page(rig, `overrides=${token}`);
      expect(text).toContain('<p>mfe-reviews@1.0.0</p>');
      expect(text).toContain('"followsBuilds":true');
      expect(text).toContain('"inBrowser":[]');
      expect(headers['content-security-policy']).toMatch(/trusted-types [^;]*'allow-duplicates'/);
    },
  );

  it('is that of any visitor or tester without an override of a local build', async () => {
    const rig = await start();
    expect((await page(rig)).text).not.toContain('followsBuilds');
    const { text } = await page(rig, `overrides=${await tokenFor(rig)}`);
    expect(text).toContain('"followsBuilds":false');
  });
});

describe('override', () => {
  it('is confirmed from a link, set by a form, visible to its tester only and ended by a button', async () => {
    const rig = await start();
    const token = await tokenFor(rig);
    const asked = await get(rig, '', `${OVERRIDES_PATH}?token=${token}`);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('tester@desk');
    expect(cookieOf(asked)).toBeUndefined();

    const set = await post(rig, { token, returnTo: '/library/shelf/poetry' });
    expect(set).toMatchObject({ status: 303, headers: { location: '/library/shelf/poetry' } });
    expect(cookieOf(set)).toMatch(/Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);

    const before = await get(rig);
    const tested = await get(rig, cookieOf(set));
    expect(tested.text).toMatch(/mfe-reviews@2\.0\.0\+override\.[0-9a-f]{12}/);
    expect(tested.text).toContain('aria-label="Release overrides"');
    expect(tested.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'server-timing': expect.stringMatching(/^page;desc="own", request;/) as unknown,
    });
    const after = await get(rig);
    for (const page of [before, after]) {
      expect(page.text).toContain('mfe-reviews@1.0.0');
      expect(page.text).not.toMatch(/2\.0\.0|Release overrides|tester/);
      expect(page.headers['cache-control']).toBe('private, no-cache');
    }
    // Ordinary pages go through the cache ('miss'), the tester's bypass it.
    for (const { headers } of [before, after])
      expect(headers['server-timing']).toMatch(/^page;desc="miss", request;/);
    // A canary is judged by what visitors got.
    expect(new Set(rig.recorded)).toEqual(new Set(['mfe-reviews@1.0.0']));

    const cookie = (cookieOf(set) as string).split(';', 1)[0] as string;
    const ended = await post(rig, { remote: 'mfe-reviews' }, { path: '/end', cookie });
    expect(cookieOf(ended)).toMatch(/^overrides=; Max-Age=0/);
  });

  it('sets several releases from one link, all or none', async () => {
    const rig = await start();
    const reviews = await tokenFor(rig);
    const shelf = await tokenFor(rig, { remote: 'mfe-shelf', version: '3.1.0' });
    const asked = await get(rig, '', `${OVERRIDES_PATH}?token=${reviews}~${shelf}`);
    expect(asked.text).toContain('Show 2 other releases?');
    for (const text of ['mfe-reviews', '2.0.0', 'mfe-shelf', '3.1.0']) expect(asked.text).toContain(text);
    const set = await post(rig, { token: `${reviews}~${shelf}` });
    expect(cookieOf(set)).toContain(`overrides=${reviews}~${shelf};`);
    const over = await tokenFor(rig, { remote: 'mfe-shelf', iat: 1_799_990_000, exp: 1_800_000_000 });
    for (const token of [
      `${reviews}~${over}`,
      `${reviews}~`,
      `${reviews}~${await tokenFor(rig, { version: '2.1.0' })}`,
      Array.from({ length: 6 }, () => reviews).join('~'),
    ]) {
      const refused = await post(rig, { token });
      expect(refused.status).toBe(400);
      expect(cookieOf(refused)).toBeUndefined();
    }
  });

  it('may be set for every remote of a snapshot, as many as a cookie holds', async () => {
    const rig = await start();
    const linkOf = async (count: number) =>
      (
        await Promise.all(
          Array.from({ length: count }, (_, at) =>
            tokenFor(rig, { remote: `mfe-${at}`, snapshot: 'spring' }),
          ),
        )
      ).join('~');
    for (const count of [6, 9]) {
      const set = await post(rig, { token: await linkOf(count) });
      expect(set.status).toBe(303);
      expect(cookieOf(set)?.split(';', 1)[0]?.split('~')).toHaveLength(count);
    }
    const refused = await post(rig, { token: await linkOf(14) });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('The link sets 14 releases, more than a cookie holds.');
  });

  it('keeps the live release and shows the reason when it cannot be used', async () => {
    const rig = await start({
      admit: () => Promise.reject(new ReleaseError('NOT_ACCEPTED', 'needs react ^18 <b>')),
    });
    const set = await post(rig, { token: await tokenFor(rig) });
    const { text } = await get(rig, cookieOf(set));
    expect(text).toContain('mfe-reviews@1.0.0');
    expect(text).toContain('cannot be used. needs react ^18 &lt;b&gt;');
  });

  it('expires and is invalid at another shell', async () => {
    const rig = await start();
    const set = await post(rig, { token: await tokenFor(rig) });
    rig.clock.now += 3600_000;
    expect((await get(rig, cookieOf(set))).text).not.toContain('Release overrides');
    const elsewhere = await post(rig, { token: await tokenFor(rig, { aud: 'http://staging.example' }) });
    expect(elsewhere.status).toBe(400);
    expect(elsewhere.text).toContain('another shell');
  });

  it.each([
    ['another site', { origin: 'http://evil.example' }],
    ['nowhere', { origin: 'null' }],
    ['a client that does not say', { origin: '' }],
  ])('is not set by a form from %s', async (_, headers) => {
    const rig = await start({ isLocal: true });
    const answer = await post(rig, { token: await tokenFor(rig) }, headers);
    expect(answer.status).toBe(403);
    expect(cookieOf(answer)).toBeUndefined();
  });

  it('requires a signature outside local mode and cannot extend its grant', async () => {
    const rig = await start();
    const fields = { remote: 'mfe-reviews', version: '2.0.0', minutes: '480' };
    expect((await post(rig, fields)).status).toBe(400);
    expect((await get(rig, '', OVERRIDES_PATH)).status).toBe(403);
    const granted = cookieOf(await post(rig, { token: await tokenFor(rig) })) as string;
    const cookie = granted.split(';', 1)[0] as string;
    expect(cookieOf(await post(rig, fields, { cookie }))).toMatch(/; Max-Age=3600;/);
    const local = await start({ isLocal: true });
    expect(cookieOf(await post(local, fields))).toMatch(/; Max-Age=28800;/);
  });

  it.each<[string, Record<string, string>]>([
    ['another remote', { remote: 'mfe-shelf', version: '2.0.0' }],
    ['another version', { remote: 'mfe-reviews', version: '1.0.0' }],
    ['a local build', { remote: 'mfe-reviews', origin: BUILD }],
    ['its version from a local build', { remote: 'mfe-reviews', version: '2.0.0', origin: BUILD }],
  ])('grants only its own release, not %s', async (_, fields) => {
    const rig = await start();
    const cookie = (cookieOf(await post(rig, { token: await tokenFor(rig) })) as string).split(';', 1)[0];
    const answer = await post(rig, fields, { cookie: cookie as string });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('A signed link is needed');
    expect(cookieOf(answer)).toBeUndefined();
    const shown = await get(rig, cookie, `${OVERRIDES_PATH}?${new URLSearchParams(fields)}`);
    expect(shown.status).toBe(400);
    // Neither page offers a form that would be refused.
    expect((await get(rig, cookie, OVERRIDES_PATH)).text).not.toContain('name="version"');
  });

  it('grants no local build at another address than its own', async () => {
    const rig = await start();
    const cookie = cookieOf(
      await post(rig, { token: await tokenFor(rig, { version: undefined, origin: BUILD }) }),
    );
    const fields = { remote: 'mfe-reviews', version: '2.0.0' };
    expect((await post(rig, fields, { cookie: (cookie as string).split(';', 1)[0] as string })).status).toBe(
      400,
    );
    for (const origin of [`${BUILD}/other`, `${BUILD}/`, 'http://localhost:5002', 'https://localhost:5001']) {
      const token = await tokenFor(rig, { version: undefined, origin });
      expect((await post(rig, { token })).status).toBe(400);
      const page = await get(rig, `overrides=${token}`);
      expect(page.text).not.toContain('Release overrides');
      expect(page.headers['content-security-policy']).not.toContain('localhost:500');
    }
  });

  it.each<[string, (rig: Awaited<ReturnType<typeof start>>) => Promise<string> | string]>([
    ['for another host', (rig) => tokenFor(rig, { aud: `http://localhost:${rig.port}` })],
    ['for another port', (rig) => tokenFor(rig, { aud: `http://127.0.0.1:${rig.port + 1}` })],
    ['for another scheme', (rig) => tokenFor(rig, { aud: `https://${hostOf(rig)}` })],
    ['that has expired', (rig) => tokenFor(rig, { iat: 1_799_990_000, exp: 1_800_000_000 })],
    ['without a signature', (rig) => unsignedToken(rig)],
    ['of another type', (rig) => signToken(rig, { alg: 'HS256', typ: 'JWT' })],
    [
      'with a path prefix as audience',
      (rig) => signToken(rig, OVERRIDE_TOKEN, { aud: `http://${hostOf(rig)}/x` }),
    ],
  ])('is not set, shown or applied by a token %s', async (_, make) => {
    const rig = await start();
    const token = await make(rig);
    expect((await post(rig, { token })).status).toBe(400);
    expect((await get(rig, '', `${OVERRIDES_PATH}?token=${token}`)).status).toBe(400);
    const page = await get(rig, `overrides=${token}`);
    expect(page.text).toContain('mfe-reviews@1.0.0');
    expect(page.text).not.toMatch(/2\.0\.0|Release overrides|tester/);
    // Nor does it open the devtools or the gate for local builds.
    expect((await get(rig, `overrides=${token}`, `${PAGE}?devtools`)).text).not.toContain('hasDevtools');
    const build = await post(
      rig,
      {},
      { path: '/local-build?remote=mfe-reviews', cookie: `overrides=${token}` },
    );
    expect(build.status).toBe(403);
  });

  it('is not applied to a request without a usable Host header', async () => {
    const rig = await start();
    const token = await tokenFor(rig);
    const own = hostOf(rig);
    for (const host of [':', 'x y', 'staging.example', `${own}.`, `user@${own}`, `${own}/x`, `${own}?`]) {
      const page = await rig.send(PAGE, { headers: { host, cookie: `overrides=${token}` } });
      expect(page.text.includes('Release overrides')).toBe(false);
    }
  });

  it('boots no other remote or version of a local build than the token names', async () => {
    const rig = await start();
    const token = await tokenFor(rig, { version: '3.0.0', origin: BUILD });
    const cookie = (cookieOf(await post(rig, { token })) as string).split(';', 1)[0] as string;
    const boot = (manifest: object) =>
      rig.send(`${OVERRIDES_PATH}/local-build?remote=mfe-reviews`, {
        method: 'POST',
        headers: {
          host: hostOf(rig),
          origin: `http://${hostOf(rig)}`,
          'content-type': 'text/plain',
          cookie,
        },
        body: JSON.stringify(manifest),
      });
    expect((await boot(release('3.0.0').manifest)).status).toBe(200);
    expect((await boot(release('3.0.1').manifest)).status).toBe(422);
    expect((await boot({ ...release('3.0.0').manifest, name: 'mfe-shelf' })).status).toBe(422);
  });

  it('leaves a local build to the browser and adds its origin to this page’s policy only', async () => {
    const rig = await start();
    const token = await tokenFor(rig, { version: undefined, origin: BUILD });
    const cookie = cookieOf(await post(rig, { token }));
    const { text, headers } = await get(rig, cookie);
    expect(text).toContain('mfe-reviews@1.0.0');
    expect(text).toContain(`"inBrowser":[{"remote":"mfe-reviews","origin":"${BUILD}"}]`);
    expect(headers['content-security-policy']).toContain(`connect-src 'self' ${BUILD}`);
    expect((await get(rig)).headers['content-security-policy']).not.toContain(BUILD);
    const refused = await tokenFor(rig, { version: undefined, origin: 'http://localhost.evil.example:5001' });
    expect((await post(rig, { token: refused })).status).toBe(400);
  });

  it('lets a browser boot a local build only with an override of its remote', async () => {
    const rig = await start();
    const cookie = cookieOf(
      await post(rig, { token: await tokenFor(rig, { version: undefined, origin: BUILD }) }),
    );
    const send = (remote: string, body: string, withCookie = true) =>
      rig.send(`${OVERRIDES_PATH}/local-build?remote=${remote}`, {
        method: 'POST',
        headers: {
          host: hostOf(rig),
          origin: `http://${hostOf(rig)}`,
          'content-type': 'text/plain',
          ...(withCookie && { cookie: (cookie as string).split(';', 1)[0] as string }),
        },
        body,
      });
    const manifest = JSON.stringify(release('3.0.0').manifest);
    const { status, text } = await send('mfe-reviews', manifest);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      remote: { entry: `${BUILD}/web/remoteEntry.js` },
      slots: [{ slot: 'reviews', remote: 'mfe-reviews' }],
    });
    expect((await send('mfe-shelf', manifest)).status).toBe(403);
    expect((await send('mfe-reviews', manifest, false)).status).toBe(403);
    expect((await send('mfe-reviews', '<html>')).status).toBe(422);
  });

  it('returns 404 without a configured key', async () => {
    const rig = await startLibrary({
      live: new Map([['mfe-reviews', { live: release('1.0.0') }]]),
      adapters: { extension: disabledTester },
    });
    rigs.push(rig);
    const token = await tokenFor({ ...rig, clock: { now: Date.now() } });
    for (const path of ['', `?token=${token}`, '/faults', '/local-build'])
      expect((await get(rig, '', OVERRIDES_PATH + path)).status).toBe(404);
    expect((await post(rig, { token })).status).toBe(404);
    expect((await get(rig, `overrides=${token}`)).headers['cache-control']).toBe('private, no-cache');
  });
});

describe('devtools', () => {
  it('load only on pages of testers who request them', async () => {
    const rig = await start();
    const plain = await get(rig);
    expect(plain.text).not.toMatch(/tester|devtools/);
    // Requested by a visitor without permission: the page is unchanged.
    const called = await get(rig, 'devtools=1');
    expect(called.headers['server-timing']).toMatch(/^page;desc="miss", request;/);
    expect(called.text).not.toMatch(/tester|devtools/);
    const cookie = cookieOf(await post(rig, { token: await tokenFor(rig) }));
    const { text } = await get(rig, cookie, `${PAGE}?devtools`);
    expect(text).toContain('"hasDevtools":true,"isLocal":false');
    expect(text).toMatch(
      /"slot":"reviews","remote":"mfe-reviews","version":"2\.0\.0","criticality":"optional","ms":[\d.]+,"bytes":\d+/,
    );
    const local = await start({ isLocal: true });
    expect((await get(local, '', `${PAGE}?devtools`)).text).toContain('"isLocal":true');
    expect(text).toContain('"room":"https://registry.example/room"');
    expect((await get(local)).text).not.toMatch(/tester|devtools/);
  });
});
