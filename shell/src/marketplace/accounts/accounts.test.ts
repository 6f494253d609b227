import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createRateLimits } from '@forecourt/service-kit/rateLimits';
import { startShell, type ShellRig } from '../../testing/shellRig.ts';
import type { TestResponse } from '../../engine/testing/appRig.ts';
import { createEndedSessions, type EndedSessions } from './backChannelLogout.ts';
import { createAccounts } from './createAccounts.ts';
import { createFakeIssuer, HOUR, type FakeIssuer } from './testing/fakeIssuer.ts';

const SECRET = 'a secret of at least thirty-two characters';
const HOST = 'shop.example';

let issuer: FakeIssuer;
/** Shared by the shells of a test, as PostgreSQL is. */
let ended: EndedSessions;
let rig: ShellRig;
let now: number;
let log: string[];

async function start(
  options: { environment?: Record<string, string>; perMinute?: number; secret?: string } = {},
): Promise<ShellRig> {
  const { environment = {}, secret = SECRET } = options;
  const accounts = createAccounts(
    {
      issuer,
      ended,
      secret,
      css: '',
      metrics: new Registry(),
      limits: createRateLimits(),
      logger: pino({ level: 'info' }, { write: (line) => log.push(line) }),
      now: () => now,
    },
    { SIGN_IN_PATH: environment['SIGN_IN_PATH'] ?? '/account/sign-in', ...options },
  );
  const { sessions, accountRoutes, logoutRoute } = accounts;
  return startShell({ environment, deps: { sessions, accountRoutes, logoutRoute } });
}

beforeEach(async () => {
  now = Date.now();
  log = [];
  issuer = createFakeIssuer(now + HOUR);
  ended = createEndedSessions(() => now);
  rig = await start();
});
afterEach(() => rig.stop());

/** A browser: it keeps cookies, each for its path, and follows nothing. */
class Browser {
  readonly cookies = new Map<string, string>();
  private readonly paths = new Map<string, string>();

  async open(
    path: string,
    options: { method?: string; headers?: Record<string, string>; at?: ShellRig } = {},
  ): Promise<TestResponse> {
    const sent = [...this.cookies].filter(([name]) => path.startsWith(this.paths.get(name) ?? '/'));
    const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await (options.at ?? rig).send(path, {
      method: options.method ?? 'GET',
      headers: { Host: HOST, ...(cookie ? { Cookie: cookie } : {}), ...options.headers },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
      this.paths.set(name, /Path=([^;]*)/.exec(line)?.[1] ?? '/');
    }
    return answer;
  }
  /** Starts a sign-in and returns the state for the issuer's callback. */
  async begin(refUrl = '/cars-for-sale/used'): Promise<string> {
    const { headers } = await this.open(`/account/sign-in?refUrl=${encodeURIComponent(refUrl)}`);
    return new URL(headers.location ?? '').searchParams.get('state') ?? '';
  }
  async signIn(name = 'Ada', refUrl?: string): Promise<TestResponse> {
    return this.open(`/account/callback?code=code-${name}&state=${await this.begin(refUrl)}`);
  }
  signOut(headers: Record<string, string> = { Origin: `http://${HOST}` }): Promise<TestResponse> {
    return this.open('/account/sign-out', { method: 'POST', headers });
  }
}

describe('sign-in', () => {
  // rows: A6-ROLE-01
  it('redirects to the issuer and returns to the original page signed in', async () => {
    const browser = new Browser();
    const back = await browser.signIn('Ada', '/cars-for-sale/all/ford?zip=60601');
    expect(back.status).toBe(303);
    expect(back.headers.location).toBe('/cars-for-sale/all/ford?zip=60601');
    expect(issuer.requests).toEqual([`begin http://${HOST}/account/callback`, 'finish verifier1']);
    const page = await browser.open('/cars-for-sale/all-cars');
    expect(page.text).toContain('"signedIn":true');
    expect(page.text).toContain('data-account="in"');
    expect(page.text).toContain('>Ada</span>');
    expect((await new Browser().open('/cars-for-sale/all-cars')).text).toContain('"signedIn":false');
  });

  // rows: A6-ROLE-01
  it('sets a readable mark and keeps tokens in an encrypted HttpOnly cookie', async () => {
    const { headers } = await new Browser().signIn();
    const cookies = headers['set-cookie'] ?? [];
    const marked = cookies.find((cookie) => cookie.startsWith('signedIn=true')) ?? '';
    const sealed = cookies.find((cookie) => cookie.startsWith('account=')) ?? '';
    expect(marked).not.toMatch(/HttpOnly/i);
    expect(sealed).toMatch(/HttpOnly/i);
    expect(sealed).toMatch(/SameSite=Lax/i);
    expect(cookies.join()).not.toMatch(/token-Ada|refresh-Ada|ada@example/);
  });

  // rows: A2-QP-35
  it('opens the sign-up form on request', async () => {
    await new Browser().open('/account/sign-in?defaultScreen=signup');
    expect(issuer.requests[0]).toMatch(/ sign-up$/);
  });

  // rows: A2-ROUTE-07
  it('uses the configured path', async () => {
    const other = await start({ environment: { SIGN_IN_PATH: '/login' } });
    const browser = new Browser();
    expect((await browser.open('/login', { at: other })).status).toBe(303);
    expect((await browser.open('/cars-for-sale/all-cars', { at: other })).text).toContain(
      'href="/login?refUrl=',
    );
    expect((await browser.open('/account/sign-in', { at: other })).status).toBe(404);
    await other.stop();
  });

  // rows: A2-ROUTE-07
  it.each(['/account/saved-searches', '/cars-for-sale/all-cars?searchBookmarkId=own'])(
    'redirects a signed-out visitor of %s to the configured path',
    async (path) => {
      const other = await start({ environment: { SIGN_IN_PATH: '/login' } });
      const { headers } = await new Browser().open(path, { at: other });
      expect(headers.location).toBe(`/login?refUrl=${encodeURIComponent(path)}`);
      await other.stop();
    },
  );

  // rows: A2-ROUTE-07
  it('names the configured path in the response to a call that requires sign-in', async () => {
    const other = await start({ environment: { SIGN_IN_PATH: '/login' } });
    const { status, text } = await new Browser().open('/cars-for-sale/api/call/bookmarks', { at: other });
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'SIGN_IN_REQUIRED', signInPath: '/login' } });
    await other.stop();
  });

  it.each(['/sign-in', '/account/sign-in'])(
    'leaves at most a few cookies when it is started repeatedly at %s',
    async (path) => {
      const other = await start({ environment: { SIGN_IN_PATH: path } });
      const browser = new Browser();
      for (let times = 0; times < 40; times += 1) await browser.open(path, { at: other });
      const pending = () => [...browser.cookies.keys()].filter((name) => name.startsWith('signingIn.'));
      expect(pending()).toHaveLength(4);
      const { headers } = await browser.open(path, { at: other });
      const state = new URL(headers.location ?? '').searchParams.get('state') ?? '';
      const back = await browser.open(`/account/callback?code=code-Ada&state=${state}`, { at: other });
      expect(back.status).toBe(303);
      expect(pending()).toHaveLength(3);
      await other.stop();
    },
  );

  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '%2F%2Fevil.example'])(
    'never redirects to %s',
    async (refUrl) => {
      const { headers } = await new Browser().signIn('Ada', refUrl);
      expect(headers.location).toBe('/cars-for-sale/all-cars');
    },
  );

  it('skips the issuer for visitors who are already signed in', async () => {
    const browser = new Browser();
    await browser.signIn();
    const again = await browser.open('/account/sign-in?refUrl=%2Fcars-for-sale%2Fused');
    expect(again.headers.location).toBe('/cars-for-sale/used');
    expect(issuer.requests).toHaveLength(2);
  });

  it('keeps two tabs separate: each returns to its own page', async () => {
    const browser = new Browser();
    const first = await browser.begin('/cars-for-sale/new');
    const second = await browser.begin('/cars-for-sale/used');
    const [two, one] = [
      await browser.open(`/account/callback?code=code-Ada&state=${second}`),
      await browser.open(`/account/callback?code=code-Ada&state=${first}`),
    ];
    expect([one.headers.location, two.headers.location]).toEqual([
      '/cars-for-sale/new',
      '/cars-for-sale/used',
    ]);
    expect(issuer.requests.slice(2)).toEqual(['finish verifier2', 'finish verifier1']);
  });

  it('refuses a callback that this browser did not start', async () => {
    const state = await new Browser().begin();
    const stranger = new Browser();
    stranger.cookies.set('zip', '60601');
    const answer = await stranger.open(`/account/callback?code=code-Eve&state=${state}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('This sign-in is no longer valid');
    expect(stranger.cookies.has('account')).toBe(false);
    expect(issuer.requests.some((what) => what.startsWith('finish'))).toBe(false);
  });

  it('names cookies as the reason when a browser that blocks them comes back', async () => {
    const state = await new Browser().begin();
    const { status, text } = await new Browser().open(`/account/callback?code=code-Ada&state=${state}`);
    expect(status).toBe(400);
    expect(text).toContain('<h1>Signing in needs cookies</h1>');
    expect(text).not.toContain('no longer valid');
    expect(/<a class="fc-action-quiet" href="([^"]*)">Continue without/.exec(text)?.[1]).toBe(
      '/cars-for-sale/all-cars',
    );
  });

  it('accepts a callback once and redirects signed-in visitors', async () => {
    const browser = new Browser();
    const state = await browser.begin();
    await browser.open(`/account/callback?code=code-Ada&state=${state}`);
    const again = await browser.open(`/account/callback?code=code-Ada&state=${state}`);
    expect(again.headers.location).toBe('/cars-for-sale/all-cars');
    expect(issuer.requests.filter((what) => what.startsWith('finish'))).toHaveLength(1);
  });

  it('returns to the page when the visitor cancels', async () => {
    const browser = new Browser();
    const state = await browser.begin();
    issuer.fails = 'CANCELLED';
    const answer = await browser.open(`/account/callback?error=access_denied&state=${state}`);
    expect(answer.headers.location).toBe('/cars-for-sale/used');
    expect(browser.cookies.has('signedIn')).toBe(false);
  });

  it.each(['/account/saved-searches', '/account', '/account?x=1'])(
    'leads to the search when the visitor cancels on the way to %s, which would ask to sign in again',
    async (page) => {
      const browser = new Browser();
      const state = await browser.begin(page);
      issuer.fails = 'CANCELLED';
      const { headers } = await browser.open(`/account/callback?error=access_denied&state=${state}`);
      expect(headers.location).toBe('/cars-for-sale/all-cars');
      issuer.fails = 'UNAVAILABLE';
      const failed = await browser.open(`/account/sign-in?refUrl=${encodeURIComponent(page)}`);
      expect(failed.text).toContain('href="/cars-for-sale/all-cars">Continue without signing in');
    },
  );

  it('returns to the saved vehicles when the visitor cancels, which need no account', async () => {
    const browser = new Browser();
    const state = await browser.begin('/account/saved-vehicles');
    issuer.fails = 'CANCELLED';
    const { headers } = await browser.open(`/account/callback?error=access_denied&state=${state}`);
    expect(headers.location).toBe('/account/saved-vehicles');
  });

  it('shows a message and a way to continue when the issuer is unavailable', async () => {
    issuer.fails = 'UNAVAILABLE';
    const answer = await new Browser().open('/account/sign-in?refUrl=%2Fcars-for-sale%2Fused');
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('60');
    expect(answer.text).toContain('You cannot sign in right now');
    expect(answer.text).toContain('href="/account/sign-in?refUrl=%2Fcars-for-sale%2Fused">Try again');
    expect(answer.text).toContain('href="/cars-for-sale/used">Continue without signing in');
  });

  it('is rate limited', async () => {
    const limited = await start({ perMinute: 2 });
    const answers = [];
    for (let at = 0; at < 3; at += 1)
      answers.push(await new Browser().open('/account/sign-in', { at: limited }));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 429]);
    expect(answers[2]!.text).toContain('Please wait a minute, then try again.');
    expect(answers[2]!.headers).toMatchObject({
      'retry-after': expect.any(String),
      ratelimit: expect.stringContaining('r=0'),
    });
    await limited.stop();
  });
});

describe('signedIn cookie without a session', () => {
  // rows: B6-ROLE-03
  it.each(['/account/saved-searches', '/account/saved-vehicles'])(
    'redirects from %s to sign-in and clears the cookie',
    async (path) => {
      const browser = new Browser();
      browser.cookies.set('signedIn', 'true');
      const answer = await browser.open(path);
      expect(answer.status).toBe(302);
      expect(answer.headers.location).toBe(`/account/sign-in?refUrl=${encodeURIComponent(path)}`);
      expect(browser.cookies.has('signedIn')).toBe(false);
    },
  );
});

describe('sign-out', () => {
  it('ends the session here and at the issuer', async () => {
    const browser = new Browser();
    await browser.signIn();
    const answer = await browser.signOut();
    // Not by a redirect, which a form's page would have to allow, with all that follow at the issuer.
    expect(answer.status).toBe(200);
    expect(answer.headers['refresh']).toMatch(/^0; url=https:\/\/issuer\.example\/end\?to=/);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.text).toMatch(/<a class="fc-action" href="https:\/\/issuer\.example\/end\?to=/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(issuer.requests.slice(-2)).toEqual(['revoke refresh-Ada-1', 'signOut token-Ada-1']);
    expect([...browser.cookies.keys()]).not.toContain('account');
    expect(answer.headers['clear-site-data']).toBe('"cache", "storage"');
    expect((await browser.open('/cars-for-sale/all-cars')).text).toContain('"signedIn":false');
  });

  it('refuses a copy of the cookie at once, but not a new session', async () => {
    const browser = new Browser();
    await browser.signIn();
    const copy = new Browser();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect((await copy.open('/account')).status).toBe(200);
    await browser.signOut();
    expect((await copy.open('/account')).status).toBe(303);
    await browser.signIn('Bob');
    expect((await browser.open('/account')).text).toContain('Hello, Bob');
  });

  it('ends the session here when the issuer is unavailable', async () => {
    const browser = new Browser();
    await browser.signIn();
    issuer.fails = 'UNAVAILABLE';
    const answer = await browser.signOut();
    expect(answer.headers.location).toBe('/account/signed-out');
    expect(browser.cookies.has('account')).toBe(false);
    expect((await browser.open('/account/signed-out')).text).toContain('You are signed out');
  });

  it('is refused from another site and by a link', async () => {
    const browser = new Browser();
    await browser.signIn();
    const refused = await browser.signOut({ Origin: 'https://evil.example' });
    expect(refused.status).toBe(403);
    expect(refused.headers).not.toHaveProperty('clear-site-data');
    expect((await browser.open('/account/sign-out')).status).toBe(404);
    expect((await browser.open('/account')).text).toContain('Hello, Ada');
  });
});

describe('account page', () => {
  it('redirects signed-out visitors to sign in and back', async () => {
    const browser = new Browser();
    const asked = await browser.open('/account');
    expect(asked.headers.location).toBe('/account/sign-in?refUrl=%2Faccount');
    await browser.signIn('Ada', '/account');
    const { text, headers } = await browser.open('/account');
    expect(text).toContain('Signed in as ada@example.com');
    expect(text).toContain('href="/account/saved-vehicles"');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('links to the issuer’s password page, and omits it while the issuer is unavailable', async () => {
    const browser = new Browser();
    expect((await browser.open('/account/password')).headers.location).toBe(
      '/account/sign-in?refUrl=%2Faccount%2Fpassword',
    );
    await browser.signIn();
    expect((await browser.open('/account')).text).toContain('href="/account/password"');
    expect((await browser.open('/account/password')).headers.location).toMatch(/^https:\/\/issuer\.example/);
    expect(issuer.requests.at(-1)).toMatch(/ change-password$/);
    // Deleting the account asks for its password there, too.
    expect((await browser.open('/account/delete')).headers.location).toMatch(/^https:\/\/issuer\.example/);
    expect(issuer.requests.at(-1)).toMatch(/ delete-account$/);
    issuer.fails = 'UNAVAILABLE';
    const { status, text } = await browser.open('/account');
    expect(status).toBe(200);
    expect(text).not.toContain('/account/password');
  });
});

describe('id token of a visitor', () => {
  const savedSearches = (browser: Browser) =>
    browser.open('/cars-for-sale/api/call/bookmarks', { headers: { 'X-Requested-With': 'forecourt' } });
  const tokensOf = async () => {
    const tokens: (string | undefined)[] = [];
    for (const { name, context } of rig.calls)
      if (name === 'bookmarks') tokens.push(await context.idToken?.());
    return tokens;
  };

  it('is sent with calls on the visitor’s behalf until it expires', async () => {
    const browser = new Browser();
    await browser.signIn();
    await savedSearches(browser);
    expect(await tokensOf()).toEqual(['token-Ada-1']);
  });

  it('is renewed once for concurrent requests and stored', async () => {
    const browser = new Browser();
    await browser.signIn();
    now += 2 * HOUR;
    issuer.expiresAt = now + HOUR;
    const before = new Map(browser.cookies);
    await Promise.all([savedSearches(browser), savedSearches(browser)]);
    // A request that had left before the new cookie came.
    browser.cookies.clear();
    for (const [name, value] of before) browser.cookies.set(name, value);
    await savedSearches(browser);
    expect(await tokensOf()).toEqual(['token-Ada-2', 'token-Ada-2', 'token-Ada-2']);
    expect(issuer.requests.filter((what) => what.startsWith('renew'))).toEqual(['renew refresh-Ada-1']);
    now += 2 * HOUR;
    await savedSearches(browser);
    expect(issuer.requests.at(-1)).toBe('renew refresh-Ada-2');
  });

  // rows: A8-ERR-07
  it('is omitted without an error when it cannot be renewed', async () => {
    const browser = new Browser();
    await browser.signIn();
    now += 2 * HOUR;
    issuer.fails = 'UNAVAILABLE';
    expect((await browser.open('/cars-for-sale/all-cars')).status).toBe(200);
    const call = await savedSearches(browser);
    expect(call.status).toBe(401);
    expect(log.join()).toContain('"code":"UNAVAILABLE"');
    // The session itself is kept: the issuer comes back.
    issuer.fails = undefined;
    issuer.expiresAt = now + HOUR;
    expect((await savedSearches(browser)).status).toBe(200);
  });

  it('ends the session when the issuer has ended it', async () => {
    const browser = new Browser();
    await browser.signIn();
    now += 2 * HOUR;
    issuer.fails = 'SESSION_OVER';
    expect((await savedSearches(browser)).status).toBe(401);
    expect([...browser.cookies.keys()]).not.toContain('account');
    expect((await browser.open('/cars-for-sale/all-cars')).text).toContain('"signedIn":false');
  });
});

describe('session cookie', () => {
  it('has a name over TLS that no other host of the domain can set', async () => {
    const secure = await start({ environment: { TRUST_PROXY: '1' } });
    const https = { 'X-Forwarded-Proto': 'https' };
    const browser = new Browser();
    const begun = await browser.open('/account/sign-in', { at: secure, headers: https });
    const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? '';
    await browser.open(`/account/callback?code=code-Ada&state=${state}`, { at: secure, headers: https });
    expect([...browser.cookies.keys()]).toEqual(expect.arrayContaining(['__Host-account', '__Host-sid']));
    const account = await browser.open('/account', { at: secure, headers: https });
    expect(account.text).toContain('Hello, Ada');
    // The same session below the plain name, as a subdomain or plain HTTP could plant it.
    browser.cookies.set('account', browser.cookies.get('__Host-account') ?? '');
    browser.cookies.delete('__Host-account');
    expect((await browser.open('/account', { at: secure, headers: https })).status).toBe(303);
    await secure.stop();
  });

  it('is ignored and cleared when it was not sealed by this shell', async () => {
    const browser = new Browser();
    await browser.signIn();
    const sealed = browser.cookies.get('account') ?? '';
    for (const forged of [
      'x',
      'Fe26.2**',
      `${sealed.slice(0, -3)}abc`,
      encodeURIComponent('{"name":"Eve"}'),
    ]) {
      browser.cookies.set('account', forged).set('signedIn', 'true');
      const { text, status } = await browser.open('/cars-for-sale/all-cars');
      expect(status).toBe(200);
      expect(text).toContain('"signedIn":false');
      expect(browser.cookies.has('account')).toBe(false);
    }
  });

  it('is readable by replicas with the same secret only', async () => {
    const browser = new Browser();
    await browser.signIn();
    const same = await start();
    const other = await start({ secret: 'another secret of thirty-two characters' });
    expect((await browser.open('/account', { at: same })).text).toContain('Hello, Ada');
    expect((await browser.open('/account', { at: other })).status).toBe(303);
    await Promise.all([same.stop(), other.stop()]);
  });

  it('ends on every replica within two seconds after the issuer has revoked it', async () => {
    const browser = new Browser();
    await browser.signIn();
    const other = await start();
    const copy = new Browser();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect((await browser.open('/account')).text).toContain('Hello, Ada');
    expect((await copy.open('/account', { at: other })).text).toContain('Hello, Ada');
    issuer.revoked.add('refresh-Ada-1');
    now += 2000;
    expect((await browser.open('/account')).status).toBe(303);
    expect((await copy.open('/account', { at: other })).status).toBe(303);
    expect(copy.cookies.has('account')).toBe(false);
    const call = { headers: { 'X-Requested-With': 'forecourt' } };
    expect((await copy.open('/cars-for-sale/api/call/bookmarks', call)).status).toBe(401);
    await other.stop();
  });

  describe('and a logout token of the issuer', () => {
    const sendToken = (token: string, at = rig, headers: Record<string, string> = {}) =>
      at.send('/account/back-channel-logout', {
        method: 'POST',
        headers: { Host: HOST, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ logout_token: token }).toString(),
      });
    const isSignedIn = async (browser: Browser, at?: ShellRig) =>
      (await browser.open('/account', at && { at })).status === 200;
    const copyOf = (browser: Browser) => {
      const copy = new Browser();
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
      return copy;
    };

    it('ends the session that it names on every replica within two seconds, and no other', async () => {
      const [ada, bob, other] = [new Browser(), new Browser(), await start()];
      await ada.signIn('Ada');
      await bob.signIn('Bob');
      expect(await isSignedIn(copyOf(ada), other)).toBe(true);
      const { status, headers } = await sendToken('t1 session-Ada');
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      now += 2000;
      expect(await isSignedIn(copyOf(ada), other)).toBe(false);
      expect(await isSignedIn(ada)).toBe(false);
      expect(ada.cookies.has('account')).toBe(false);
      expect(await isSignedIn(bob)).toBe(true);
      await other.stop();
    });

    it('ends the session also after its tokens were renewed', async () => {
      const browser = new Browser();
      await browser.signIn();
      now += 2 * HOUR;
      issuer.expiresAt = now + HOUR;
      const call = { headers: { 'X-Requested-With': 'forecourt' } };
      expect((await browser.open('/cars-for-sale/api/call/bookmarks', call)).status).toBe(200);
      expect(issuer.requests.at(-1)).toMatch(/^renew/);
      await sendToken('t1 session-Ada');
      now += 2000;
      expect(await isSignedIn(browser)).toBe(false);
    });

    it('ends all sessions of the account that it names, and lets the account sign in again', async () => {
      const [laptop, phone, bob] = [new Browser(), new Browser(), new Browser()];
      await laptop.signIn('Ada');
      await phone.signIn('Ada');
      await bob.signIn('Bob');
      expect((await sendToken('t1 * Ada')).status).toBe(200);
      now += 2000;
      expect(await isSignedIn(laptop)).toBe(false);
      expect(await isSignedIn(phone)).toBe(false);
      expect(await isSignedIn(bob)).toBe(true);
      await laptop.signIn('Ada');
      now += 2000;
      expect(await isSignedIn(laptop)).toBe(true);
    });

    it('ends a session of an issuer that knows no introspection and gives no refresh tokens', async () => {
      const { finish } = issuer;
      issuer.finish = async (...of) => ({ ...(await finish(...of)), refreshToken: undefined });
      const browser = new Browser();
      await browser.signIn();
      expect(await isSignedIn(browser)).toBe(true);
      await sendToken('t1 session-Ada');
      now += 2000;
      expect(await isSignedIn(browser)).toBe(false);
    });

    it('has an effect once, for as long as the token could be sent again', async () => {
      expect((await sendToken('t1 * Ada')).status).toBe(200);
      now += 1000;
      const browser = new Browser();
      await browser.signIn();
      const again = await sendToken('t1 * Ada');
      expect([again.status, again.text]).toEqual([400, '{"error":"invalid_request"}']);
      now += 2000;
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('changes nothing if it is missing, refused, or cannot be checked or stored', async () => {
      const browser = new Browser();
      await browser.signIn();
      expect((await sendToken('')).status).toBe(400);
      expect((await rig.send('/account/back-channel-logout', { method: 'POST' })).status).toBe(400);
      expect((await browser.open('/account/back-channel-logout')).status).toBe(404);
      issuer.fails = 'REFUSED';
      expect((await sendToken('t1 session-Ada')).status).toBe(400);
      issuer.fails = 'UNAVAILABLE';
      expect((await sendToken('t1 session-Ada')).status).toBe(503);
      issuer.fails = undefined;
      ended.end = () => Promise.reject(new Error('no database'));
      expect((await sendToken('t1 session-Ada')).status).toBe(503);
      now += 2000;
      expect(await isSignedIn(browser)).toBe(true);
      expect(log.join()).toContain('"event":"logout-token-refused","code":"REFUSED"');
      expect(log.join()).not.toContain('session-Ada');
    });

    it('is accepted at the replica’s own address, which other pages are not served at', async () => {
      const named = await start({ environment: { SITE_HOSTS: 'shop.example' } });
      const internal = { Host: 'shell.internal:3000' };
      expect((await sendToken('t1 session-Ada', named, internal)).status).toBe(200);
      expect((await named.send('/account', { headers: internal })).status).toBe(421);
      await named.stop();
    });
  });

  it.each([
    ['an hour', HOUR],
    ['a month', 30 * 24 * HOUR],
  ])('ends after a week without use, and after two at the latest, if tokens last %s', async (_, lifetime) => {
    const DAY = 24 * HOUR;
    const begin = now;
    issuer.expiresAt = now + lifetime;
    const [idle, busy] = [new Browser(), new Browser()];
    await idle.signIn('Ada');
    await busy.signIn('Bob');
    const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;
    for (const day of [3, 6, 9, 12, 13.9]) {
      now = begin + day * DAY;
      issuer.expiresAt = now + lifetime;
      expect([day, await isSignedIn(busy)]).toEqual([day, true]);
    }
    now = begin + 14.1 * DAY;
    expect(await isSignedIn(busy)).toBe(false);
    now = begin + 7.1 * DAY;
    expect(await isSignedIn(idle)).toBe(false);
  });

  it('ends when the issuer says late that it was revoked', async () => {
    const browser = new Browser();
    await browser.signIn();
    const answer = Promise.withResolvers<boolean>();
    issuer.isActive = () => answer.promise;
    now += 2000;
    expect((await browser.open('/account')).text).toContain('Hello, Ada');
    answer.resolve(false);
    // The next question would be late, too.
    issuer.isActive = () => new Promise(() => {});
    now += 2000;
    expect((await browser.open('/account')).status).toBe(303);
  });

  it('survives while the issuer can’t say whether it was revoked', async () => {
    const browser = new Browser();
    await browser.signIn();
    issuer.fails = 'UNAVAILABLE';
    now += 2000;
    expect((await browser.open('/account')).text).toContain('Hello, Ada');
    issuer.fails = undefined;
    issuer.isActive = () => new Promise(() => {});
    now += 2000;
    expect((await browser.open('/account')).text).toContain('Hello, Ada');
  });

  it('never mixes visitors with interleaved requests', async () => {
    const names = ['Ada', 'Bob', 'Cyd'] as const;
    const browsers = new Map(names.map((name) => [name, new Browser()]));
    await Promise.all([...browsers].map(([name, browser]) => browser.signIn(name)));
    const path = fc.constantFrom(
      '/cars-for-sale/all-cars',
      '/account',
      '/cars-for-sale/used',
      '/cars-for-sale/compare',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...names, undefined), path), { minLength: 2, maxLength: 10 }),
        async (visits) => {
          const answers = await Promise.all(
            visits.map(async ([name, at]) => ({
              name,
              answer: await (name ? browsers.get(name) : new Browser())!.open(at),
            })),
          );
          for (const { name, answer } of answers)
            expect(names.filter((each) => answer.text.includes(`>${each}</span>`))).toEqual(
              name ? [name] : [],
            );
        },
      ),
      { numRuns: 30 },
    );
  });
});
