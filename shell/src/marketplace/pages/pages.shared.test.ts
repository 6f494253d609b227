import { afterEach, describe, expect, it } from '@jest/globals';
import { EMPTY_SLUG_REFERENCE } from '@forecourt/search/criteria';
import type { SessionState } from '@forecourt/search/state';
import { buildListing } from '@forecourt/search/testing';
import { searchResponseSchema } from '@forecourt/upstream/entities';
import fc from 'fast-check';
import { LAYOUT } from '../layouts.ts';
import type { VisitorSessions } from '../visitor/visitor.ts';
import { liveReleases } from '../../engine/rendering/testing/tinyRelease.ts';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import type { BootJson } from '../../engine/universal/bootData.ts';
import { releasesOf } from '../../engine/universal/slotsResponse.ts';
import { asFallback, asStale, type TestResponse } from '../../engine/testing/appRig.ts';

const rigs: ShellRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

const PAGE = '/cars-for-sale/all-cars';
/** Releases that fill every slot, so that no page lacks one. */
const live = liveReleases(LAYOUT);
const results = () =>
  searchResponseSchema.parse({ listings: [buildListing()], owners: [], totalResultCount: 1 });

/** Sessions of a cookie `session={first name}`, whose token is the name too. */
const sessions: VisitorSessions = {
  isPresent: ({ headers }) => /session=/.test(headers.cookie ?? ''),
  idToken: ({ headers }) => Promise.resolve(/session=(\w+)/.exec(headers.cookie ?? '')?.[1]),
  account: ({ headers }) => {
    const firstName = /session=(\w+)/.exec(headers.cookie ?? '')?.[1];
    return Promise.resolve(
      firstName === undefined
        ? undefined
        : ({ firstName, email: `${firstName}@example.com` } satisfies NonNullable<SessionState['account']>),
    );
  },
};

/** Headers that differ between visitors. */
const PERSONAL_HEADERS = [
  'User-Agent',
  'Accept-Language',
  'Referer',
  'X-Request-Id',
  'X-Forwarded-For',
  'Forwarded',
  'Authorization',
  'Sec-GPC',
  'DNT',
  'Via',
  'From',
  'If-None-Match',
  'Range',
  'X-Anything',
] as const;

async function start(options: Parameters<typeof startShell>[0] = {}): Promise<ShellRig> {
  const rig = await startShell({
    live,
    ...options,
    answers: { search: results, ...options.answers },
    deps: { sessions, ...options.deps },
  });
  rigs.push(rig);
  return rig;
}
const searches = ({ calls }: ShellRig) => calls.filter(({ name }) => name === 'search').length;
const outcome = ({ headers }: TestResponse) =>
  /page;desc="(\w+)"/.exec(String(headers['server-timing']))?.[1];

describe('page shared by anonymous visitors', () => {
  it('is loaded once and is the same for all', async () => {
    const rig = await start();
    const first = await rig.send(PAGE);
    const second = await rig.send(PAGE);
    expect([outcome(first), outcome(second)]).toEqual(['miss', 'hit']);
    expect(searches(rig)).toBe(1);
    expect(second.text).toBe(first.text);
    expect(second.text.endsWith('</html>')).toBe(true);
  });

  it('sends the slots of a page without head and frame, with the normalized URL instead of a redirect', async () => {
    const search = '/cars-for-sale/all-cars?listingType=USED&zip=60601';
    const path = `/cars-for-sale/api/slots?url=${encodeURIComponent(search)}`;
    const { send, content } = await start();
    const slots = await send(path);
    expect(slots.status).toBe(200);
    expect(slots.headers['content-location']).toBe('/cars-for-sale/used?zip=60601');
    expect(slots.text).toMatch(
      /^<!doctype html><title>[^<]+<\/title><meta name="releases" content="[^"]*"><div id="slot-hero" .*<div id="slot-results" .*<\/div><meta name="main-end">.*<div id="slot-filters".*<script type="application\/json" id="fc-boot">[^<]+<\/script>$/s,
    );
    expect(slots.text).not.toMatch(/<(?:style|main|header|script>|script type="application\/ld)/);
    const [, boot = ''] = /id="fc-boot">([^<]+)/.exec(slots.text) ?? [];
    const { remotes } = JSON.parse(boot) as BootJson;
    expect(remotes.length).toBeGreaterThan(1);
    expect(slots.text).toContain(`<meta name="releases" content="${releasesOf(remotes)}">`);

    // The document of the same URL is another page of the cache, with the same slots and content.
    const document = await send('/cars-for-sale/used?zip=60601');
    expect(document.headers['content-location']).toBeUndefined();
    expect(document.text).toMatch(/<main.*<\/html>$/s);
    const slotsOf = (html: string) =>
      html.match(/ data-slot="[\w-]+"/g)?.filter((one) => !one.includes('leads'));
    expect(slotsOf(document.text)).toEqual(expect.arrayContaining(slotsOf(slots.text)!));
    expect(await content(slots.text)).toEqual(await content(document.text));
    expect([slots, document, await send(path)].map(outcome)).toEqual(['miss', 'miss', 'hit']);
    expect((await send('/cars-for-sale/api/slots?url=/help')).status).toBe(400);
  });

  it('is not limited, while renderings are, per network', async () => {
    const rig = await start({ environment: { RENDER_LIMITS: 'pagesPerMinute=3' } });
    const statusOf = async (path: string) => (await rig.send(path)).status;
    expect(await statusOf(PAGE)).toBe(200);
    for (let n = 0; n < 10; n += 1) expect(await statusOf(PAGE)).toBe(200);
    // Odd parameters and deep pages are pages of their own.
    expect(await statusOf(`${PAGE}?x=1`)).toBe(200);
    expect(await statusOf(`${PAGE}?firstRecord=999000`)).toBe(200);
    const agent = { 'User-Agent': 'Googlebot/2.1' };
    const refused = await rig.send(`${PAGE}?x=2`, { headers: agent });
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('Please wait a minute, then try again.');
    expect(refused.text).not.toContain('very busy');
    expect(refused.headers).toMatchObject({ 'retry-after': expect.any(String), 'cache-control': 'no-store' });
    expect(refused.headers['ratelimit']).toContain('r=0');
    expect(await statusOf('/cars-for-sale/api/search?x=3')).toBe(429);
    // All visitors get the page that is being rendered.
    expect(await statusOf(PAGE)).toBe(200);
  });

  it('has the policy of its styles in every response', async () => {
    const { send } = await start();
    const [first, second] = [await send(PAGE), await send(PAGE)];
    expect(second.headers['content-security-policy']).toBe(first.headers['content-security-policy']);
  });

  it('sets only the cookies of its own response', async () => {
    const { send } = await start();
    const cookiesOf = ({ headers }: TestResponse) => headers['set-cookie'] ?? [];
    const [first, second] = [await send(PAGE), await send(PAGE)];
    const sid = (answer: TestResponse) => cookiesOf(answer).find((cookie) => cookie.startsWith('sid='));
    expect(sid(first)).toBeDefined();
    expect(sid(second)).toBeDefined();
    expect(sid(second)).not.toBe(sid(first));
    for (const answer of [first, second])
      for (const cookie of cookiesOf(answer)) expect(answer.text).not.toContain(/=([^;]+)/.exec(cookie)?.[1]);
  });

  it('learns the id of its own request from a header', async () => {
    const { send } = await start();
    for (const id of ['first-one-1', 'second-one-2']) {
      const { text, headers } = await send(PAGE, { headers: { 'X-Request-Id': id } });
      expect(headers['server-timing']).toContain(`request;desc="${id}"`);
      expect(text).not.toContain(id);
    }
  });

  it('is requested without user credentials', async () => {
    const rig = await start();
    await rig.send(PAGE, { headers: { Cookie: 'pixallId=01234567-89ab-cdef-0123-456789abcdef' } });
    expect(searches(rig)).toBe(1);
    for (const { params, context } of rig.calls) {
      expect(params).not.toContain('pixallId');
      expect(context.idToken).toBeUndefined();
      expect(context.consumerId).toBeUndefined();
    }
  });

  it('is rendered once for concurrent requests and complete for each', async () => {
    const rig = await start({
      answers: {
        search: async () => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          return results();
        },
      },
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.send(PAGE)));
    expect(searches(rig)).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers['server-timing'])).size).toBe(20);
  });

  it('is not cached when an optional call failed', async () => {
    const rig = await start({
      answers: {
        vehicleHighlight: () => asFallback({ listings: [], owners: [] }),
      },
    });
    await rig.send(PAGE);
    await rig.send(PAGE);
    expect(searches(rig)).toBe(2);
  });

  it('is not cached when a slot shows its fallback', async () => {
    const rig = await start({
      render: ({ slot }) =>
        slot === 'toolbar' ? Promise.reject(new Error('broken')) : Promise.resolve({ html: '', data: null }),
    });
    await rig.send(PAGE);
    await rig.send(PAGE);
    expect(searches(rig)).toBe(2);
  });

  it('is not cached when a slot lacks late data', async () => {
    const rig = await start({
      render: ({ slot }) => Promise.resolve({ html: '', data: null, isPartial: slot === 'model-reference' }),
    });
    await rig.send(PAGE);
    await rig.send(PAGE);
    expect(searches(rig)).toBe(2);
  });

  it('is not cached while makes and models are not loaded', async () => {
    const reference = {
      current: () => EMPTY_SLUG_REFERENCE,
      data: () => ({ makes: [] }),
      renew: () => Promise.resolve(false),
      start: () => Promise.resolve(),
      stop: () => {},
    };
    const rig = await start({ deps: { reference } });
    await rig.send(PAGE);
    await rig.send(PAGE);
    expect(searches(rig)).toBe(2);
  });

  it('is not cached when its results are older ones', async () => {
    const rig = await start({
      answers: {
        search: () => asStale(results()),
      },
    });
    const { status, text } = await rig.send(PAGE);
    await rig.send(PAGE);
    expect(status).toBe(200);
    expect((await rig.content(text)).search.notice).toContain('can’t refresh these results right now');
    expect(searches(rig)).toBe(2);
  });

  it('is counted by cache outcome', async () => {
    const { send, metrics } = await start();
    await send(PAGE);
    await send(PAGE);
    await send(PAGE, { headers: { Cookie: 'signedIn=true' } });
    const text = await metrics.metrics();
    for (const line of ['{outcome="miss"} 1', '{outcome="hit"} 1', '{outcome="own"} 1'])
      expect(text).toContain(`forecourt_pages_total${line}`);
    expect(text).toContain('forecourt_page_cache_pages 1');
  });

  it('is rendered again on a forced reload in local mode only', async () => {
    const forced = { headers: { 'Cache-Control': 'no-cache' } };
    for (const [LOCAL_MODE, expected] of [
      ['true', 'miss'],
      ['false', 'hit'],
    ] as const) {
      const { send } = await start({ environment: { LOCAL_MODE } });
      await send(PAGE);
      expect(outcome(await send(PAGE, forced))).toBe(expected);
    }
  });

  it('is rendered per visitor when the cache is disabled', async () => {
    const rig = await start({ environment: { CACHE_SECONDS: 'pages=0' } });
    expect(outcome(await rig.send(PAGE))).toBe('own');
    expect(outcome(await rig.send(PAGE))).toBe('own');
    expect(searches(rig)).toBe(2);
  });
});

describe('page of a signed-in visitor', () => {
  it('is rendered for this visitor and never cached', async () => {
    const rig = await start();
    const ada = { headers: { Cookie: 'session=Ada; signedIn=true' } };
    for (const times of [1, 2]) {
      const answer = await rig.send(PAGE, ada);
      expect(outcome(answer)).toBe('own');
      expect(answer.text).toContain('Ada@example.com');
      expect(searches(rig)).toBe(times);
    }
    const anonymous = await rig.send(PAGE);
    expect(outcome(anonymous)).toBe('miss');
    expect(anonymous.text).not.toContain('Ada');
  });

  it('is never mixed up with interleaved requests', async () => {
    const { send } = await start();
    const people = ['Ada', 'Bob', 'Cyd', undefined, undefined] as const;
    const visit = fc.record({
      who: fc.constantFrom(...people),
      path: fc.constantFrom(PAGE, '/cars-for-sale/all/ford', '/cars-for-sale'),
      // A cookie of the session alone, or the readable one alone, must do as well.
      marks: fc.constantFrom('both', 'session', 'readable'),
      // Not those that change the status.
      personal: fc.subarray(PERSONAL_HEADERS.filter((name) => name !== 'Range' && name !== 'If-None-Match')),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { minLength: 2, maxLength: 12 }), async (visits) => {
        const answers = await Promise.all(
          visits.map(async ({ who, path, marks, personal }) => {
            const cookies = [
              ...(who && marks !== 'readable' ? [`session=${who}`] : []),
              ...(who && marks !== 'session' ? ['signedIn=true'] : []),
            ];
            const headers = {
              ...Object.fromEntries(personal.map((name) => [name, `of-${who ?? 'nobody'}-himself`])),
              ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
            };
            return { who, marks, answer: await send(path, { headers }) };
          }),
        );
        for (const { who, marks, answer } of answers) {
          const named = ['Ada', 'Bob', 'Cyd'].filter((name) => answer.text.includes(`${name}@example.com`));
          expect(named).toEqual(who && marks !== 'readable' ? [who] : []);
          expect(answer.text).not.toContain('-himself');
          expect(outcome(answer) === 'own').toBe(who !== undefined);
          expect(answer.text.includes('"signedIn":true')).toBe(who !== undefined);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('bytes of a cached page', () => {
  const inCoding = (coding: string) => ({ headers: { 'Accept-Encoding': coding } });

  it.each(['br', 'zstd', 'gzip', 'identity'])('are sent at once with length and tag: %s', async (coding) => {
    const { send } = await start();
    const streamed = await send(PAGE, inCoding(coding));
    expect(streamed.headers['transfer-encoding']).toBe('chunked');
    const { headers, body } = await send(PAGE, inCoding(coding));
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'content-length': String(body.length),
      etag: expect.stringMatching(/^"[\w-]+"$/) as unknown,
      vary: 'Available-Dictionary, Accept-Encoding',
    });
    expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
  });

  it('are not sent again to a client that has them, in any coding', async () => {
    const { send } = await start();
    await send(PAGE);
    for (const coding of ['gzip', 'identity']) {
      const { headers } = await send(PAGE, inCoding(coding));
      const etag = String(headers.etag);
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await send(PAGE, { headers: { 'If-None-Match': tags, 'Accept-Encoding': coding } });
        expect(answer).toMatchObject({ status: 304, text: '' });
        expect(answer.headers).toMatchObject({ etag, 'cache-control': 'private, no-cache' });
        // The visitor's session is renewed, and failures of the page can be reported.
        expect(answer.headers['set-cookie']).toHaveLength(2);
        expect(answer.headers['server-timing']).toContain('request;desc=');
      }
    }
    expect((await send(PAGE, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  it('answer HEAD without a search', async () => {
    const rig = await start();
    await rig.send(PAGE);
    const { headers, text } = await rig.send(PAGE);
    const head = await rig.send(PAGE, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers).toMatchObject({ etag: headers.etag, 'content-length': String(text.length) });
    expect(searches(rig)).toBe(1);
  });

  it('are never sent to a signed-in visitor, whatever tag they send', async () => {
    const { send } = await start();
    await send(PAGE);
    const { headers } = await send(PAGE);
    const own = await send(PAGE, {
      headers: { 'If-None-Match': String(headers.etag), Cookie: 'session=Ada; signedIn=true' },
    });
    expect(own.status).toBe(200);
    expect(own.text).toContain('Ada@example.com');
    expect(own.headers.etag).toBeUndefined();
  });
});

/** A marker that is valid wherever the shell accepts any value of its kind. */
const uuidOf = (digit: string) =>
  `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
const COOKIES = [
  'sid',
  'pixallId',
  'campaign',
  'alphaHidden',
  'zip',
  'overrides',
  'flags',
  'brand',
  'anything',
] as const;

describe('a page shared by two visitors', () => {
  it('has no byte of the request that rendered it, whatever its headers are', async () => {
    const { send } = await start({ environment: { LOCAL_MODE: 'false' } });
    const visitor = fc.record({
      headers: fc.subarray([...PERSONAL_HEADERS]),
      cookies: fc.subarray([...COOKIES]),
    });
    let page = 0;
    await fc.assert(
      fc.asyncProperty(visitor, async ({ headers, cookies }) => {
        const path = `${PAGE}?maxPrice=${10_000 + (page += 1)}`;
        const marker = uuidOf('a');
        const first = await send(path, {
          headers: {
            ...Object.fromEntries(headers.map((name) => [name, `"${marker}"`])),
            ...(headers.includes('X-Request-Id') && { 'X-Request-Id': marker }),
            ...(headers.includes('Referer') && { Referer: `http://127.0.0.1/${marker}` }),
            ...(cookies.length > 0 && { Cookie: cookies.map((name) => `${name}=${marker}`).join('; ') }),
          },
        });
        const second = await send(path);
        expect([first.status, second.status]).toEqual([200, 200]);
        for (const { text } of [first, second]) expect(text).not.toContain(marker);
        expect(JSON.stringify(second.headers)).not.toContain(marker);
        expect(outcome(second)).toBe('hit');
        expect(second.text).toBe(first.text);
      }),
      { numRuns: 60 },
    );
  });
});
