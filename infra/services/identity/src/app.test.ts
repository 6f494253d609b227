import { createHook } from 'node:async_hooks';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as openId from 'openid-client';
import { fillIn, form, PASSWORD, redeem as redeemAt, signUp as signUpAt } from './testing/flows.ts';
import { SHOP, startIdentity, type IdentityRig, type Visit, type Visitor } from './testing/identityRig.ts';

let people = 0;
const newAddress = () => `person${(people += 1)}@example.com`;

let rig: IdentityRig;
beforeAll(async () => {
  rig = await startIdentity();
});
afterAll(() => rig.stop());

const signUp = (visitor: Visitor, email: string, name?: string) => signUpAt(rig, visitor, email, name);
const redeem = (callback: URL, visit: Visit) => redeemAt(rig, callback, visit);

describe('a request for another host', () => {
  const askedFor = async (path: string, host: string, forwarded: Record<string, string> = {}) => {
    const { hostname, port } = new URL(rig.origin);
    const headers = { Host: host, Accept: 'text/html', ...forwarded };
    const sent = request({ hostname, port, path, headers }).end();
    const response = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    return text(response);
  };

  it('gets URLs of the issuer', async () => {
    const configuration = await askedFor('/.well-known/openid-configuration', 'evil.example');
    expect(JSON.parse(configuration)).toMatchObject({
      authorization_endpoint: `${rig.origin}/auth`,
      token_endpoint: `${rig.origin}/token`,
    });
    const forwarded = { 'X-Forwarded-Host': 'evil.example' };
    for (const page of [
      configuration,
      await askedFor('/session/end', 'evil.example'),
      await askedFor('/session/end', 'localhost', forwarded),
    ])
      expect(page).not.toContain('evil.example');
  });
});

describe('sign-up', () => {
  it('opens the sign-up form for prompt=create and the sign-in form otherwise', async () => {
    expect((await rig.visitor().begin({ prompt: 'create' })).page).toContain(
      '<h1>Create a free account</h1>',
    );
    expect((await rig.visitor().begin()).page).toContain('<h1>Sign in</h1>');
  });

  it('returns a signed id token that names the account, for the shop', async () => {
    const email = newAddress();
    const { visit, callback } = await signUp(rig.visitor(), email);
    const tokens = await redeem(callback, visit);
    expect(tokens.claims()).toMatchObject({ name: 'Ada Byron', email, aud: 'shop', iss: rig.origin });
    expect(tokens.refresh_token).toBeDefined();
  });

  it('shows each error at its field and preserves the values, except passwords', async () => {
    const visitor = rig.visitor();
    const visit = await visitor.begin({ prompt: 'create' });
    const { status, text } = await visitor.post(
      `${visit.base}/sign-up`,
      form(visit, { name: '"><b>', email: 'nobody', password: 'short' }),
    );
    expect(status).toBe(422);
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(text).toMatch(/aria-describedby="email-error" aria-invalid="true" autofocus/);
    expect(text).toContain('Enter a valid email address');
    expect(text).toContain('Use at least 10 characters');
    expect(text).not.toContain('value="short"');
  });

  it.each([
    ['too easy to guess', 'password1234'],
    ['a single repeated character', 'aaaaaaaaaaaa'],
    ['the address itself', 'xperson@example.comx'],
  ])('rejects a password that is %s', async (_, password) => {
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const { status, text } = await visitor.post(
      `${visit.base}/sign-up`,
      form(visit, { name: 'Ada', email: 'person@example.com', password }),
    );
    expect(status).toBe(422);
    expect(text).toContain('id="password-error"');
  });

  it('signs in a visitor who signs up again with the right password', async () => {
    const email = newAddress();
    const first = await signUp(rig.visitor(), email);
    const visitor = rig.visitor();
    const again = await visitor.begin();
    const fields = form(again, { name: 'Another Name', email, password: PASSWORD });
    const callback = await rig.toShop(visitor, await visitor.post(`${again.base}/sign-up`, fields));
    const subject = (await redeem(first.callback, first.visit)).claims()?.sub;
    expect((await redeem(callback, again)).claims()).toMatchObject({
      sub: subject,
      name: 'Ada Byron',
    });
  });

  it('creates one account when two sign-up forms are sent at once', async () => {
    const email = newAddress();
    const visits = await Promise.all(
      [rig.visitor(), rig.visitor()].map(async (visitor) => ({ visitor, visit: await visitor.begin() })),
    );
    const links = await Promise.all(
      visits.map(async ({ visitor, visit }) => {
        await visitor.post(`${visit.base}/sign-up`, form(visit, { name: 'Ada', email, password: PASSWORD }));
        return (await rig.mailTo(email)).link;
      }),
    );
    await Promise.all(links.map((link) => fillIn(rig.visitor(), link, { password: PASSWORD })));
    expect(await rig.sql.get('SELECT count(*) AS n FROM account WHERE email = ?', email)).toEqual({ n: 1 });
  });

  it('never stores the password in plain text', async () => {
    await signUp(rig.visitor(), newAddress());
    const rows = await rig.sql.all<{ password_hash: string }>('SELECT password_hash FROM account');
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/);
    expect(JSON.stringify(await rig.sql.all('SELECT * FROM account, artifact'))).not.toContain(PASSWORD);
  });
});

describe('sign-in', () => {
  it('returns the same page for an unknown address and a wrong password', async () => {
    const email = newAddress();
    await signUp(rig.visitor(), email);
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const attempt = (address: string) =>
      visitor.post(`${visit.base}/sign-in`, form(visit, { email: address, password: 'not the password' }));
    const wrong = await attempt(email);
    const unknown = await attempt('nobody@example.com');
    expect([wrong.status, unknown.status]).toEqual([422, 422]);
    expect(wrong.text).toContain('The email address or password is incorrect.');
    expect(unknown.text.replace('nobody@example.com', email)).toBe(wrong.text);
  });

  it('derives one key for an unknown address as for a wrong password, so that both take the same time', async () => {
    const email = newAddress();
    await signUp(rig.visitor(), email);
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    let derivations = 0;
    const hook = createHook({ init: (_, type) => void (derivations += type === 'SCRYPTREQUEST' ? 1 : 0) });
    const derivationsFor = async (address: string) => {
      derivations = 0;
      await visitor.post(
        `${visit.base}/sign-in`,
        form(visit, { email: address, password: 'not the password' }),
      );
      return derivations;
    };
    hook.enable();
    try {
      expect(await derivationsFor(email)).toBe(1);
      expect(await derivationsFor('nobody2@example.com')).toBe(1);
    } finally {
      hook.disable();
    }
  });

  it('skips the sign-in form when the browser has a session', async () => {
    const email = newAddress();
    const visitor = rig.visitor();
    await signUp(visitor, email);
    const url = openId.buildAuthorizationUrl(await rig.client(), {
      redirect_uri: `${SHOP}/account/callback`,
      scope: 'openid',
      state: 'x',
      code_challenge: await openId.calculatePKCECodeChallenge(openId.randomPKCECodeVerifier()),
      code_challenge_method: 'S256',
    });
    expect((await visitor.get(url)).location?.searchParams.get('code')).toBeTruthy();
  });

  it('redirects back with access_denied when the visitor continues without signing in', async () => {
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const callback = await rig.toShop(
      visitor,
      await visitor.post(`${visit.base}/cancel`, { csrf: visit.csrf }),
    );
    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(callback.searchParams.get('state')).toBe(visit.checks.state);
  });

  it('rejects forms from another site, without a token, or with the token of another visit', async () => {
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const other = await rig.visitor().begin();
    const fields = { email: 'a@example.com', password: PASSWORD };
    const url = `${visit.base}/sign-in`;
    expect((await visitor.post(url, fields)).status).toBe(403);
    expect((await visitor.post(url, { ...fields, csrf: other.csrf })).status).toBe(403);
    expect((await visitor.post(url, form(visit, fields), { origin: 'https://evil.example' })).status).toBe(
      403,
    );
    expect((await visitor.post(url, form(visit, fields), { 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
    expect((await visitor.post(url, form(visit, fields))).status).toBe(422);
  });

  it('accepts a visit only in the browser that started it, and only once', async () => {
    const visit = await rig.visitor().begin();
    // Another browser, or this one when it blocks cookies: starting again would lead here again.
    const stranger = await rig.visitor().get(visit.base);
    expect(stranger.status).toBe(410);
    expect(stranger.text).toContain('Signing in needs cookies');
    const unknown = await rig.visitor().get('/interaction/of-nobody');
    expect(unknown.status).toBe(410);
    expect(unknown.text).toContain('This page is no longer valid');
    const visitor = rig.visitor();
    const used = await visitor.begin();
    const email = newAddress();
    await signUp(rig.visitor(), email);
    const fields = form(used, { email, password: PASSWORD });
    await rig.toShop(visitor, await visitor.post(`${used.base}/sign-in`, fields));
    expect((await visitor.post(`${used.base}/sign-in`, fields)).status).toBe(410);
  });

  it('keeps the visits of two tabs independent', async () => {
    const visitor = rig.visitor();
    const first = await visitor.begin();
    const second = await visitor.begin();
    const email = newAddress();
    await visitor.post(`${second.base}/sign-up`, form(second, { name: 'Ada', email, password: PASSWORD }));
    const callback = await rig.toShop(visitor, await fillIn(visitor, (await rig.mailTo(email)).link));
    expect((await redeem(callback, second)).claims()).toMatchObject({ email });
    const response = await visitor.post(`${first.base}/sign-in`, form(first, { email, password: PASSWORD }));
    expect((await redeem(await rig.toShop(visitor, response), first)).claims()).toMatchObject({ email });
  });
});

describe('rate limits', () => {
  let strict: IdentityRig;
  beforeAll(async () => {
    strict = await startIdentity({
      limits: { perClient: 6, perAddress: 3, perAddressEverywhere: 8, windowMs: 60_000, mailsPerDay: 100 },
    });
  });
  afterAll(() => strict.stop());

  it('limits attempts per address and per client, with and without an account', async () => {
    const visitor = strict.visitor();
    const visit = await visitor.begin();
    const attempt = async (email: string) =>
      (await visitor.post(`${visit.base}/sign-in`, form(visit, { email, password: 'wrong' }))).status;
    const statuses = [];
    for (const email of [
      'a@example.com',
      'A@example.com',
      ' a@example.com',
      'a@example.com',
      'b@example.com',
    ])
      statuses.push(await attempt(email));
    expect(statuses).toEqual([422, 422, 422, 429, 422]);
    expect([await attempt('c@example.com'), await attempt('d@example.com')]).toEqual([422, 429]);
    const last = await visitor.post(
      `${visit.base}/sign-in`,
      form(visit, { email: 'd@example.com', password: 'x' }),
    );
    expect(last.text).toContain('Too many attempts. Wait a few minutes and try again.');
    expect(last.headers['retry-after']).toBeDefined();
  });

  it('lets the owner in from elsewhere, and from a known device even during an attack from many networks', async () => {
    const owner = strict.visitor('127.0.0.9');
    const email = newAddress();
    await signUpAt(strict, owner, email);
    const attempt = async (from: string) => {
      const visitor = strict.visitor(from);
      const visit = await visitor.begin({ prompt: 'login' });
      const fields = form(visit, { email, password: 'wrong' });
      return (await visitor.post(`${visit.base}/sign-in`, fields)).status;
    };
    const oneNetwork = [];
    for (let n = 0; n < 4; n++) oneNetwork.push(await attempt('127.0.0.2'));
    expect(oneNetwork).toEqual([422, 422, 422, 429]);
    const signIn = async (visitor: Visitor) => {
      const visit = await visitor.begin({ prompt: 'login' });
      return (await visitor.post(`${visit.base}/sign-in`, form(visit, { email, password: PASSWORD }))).status;
    };
    expect(await signIn(strict.visitor('127.0.0.3'))).toBe(303);
    const manyNetworks = [];
    for (let n = 4; n < 12; n++) manyNetworks.push(await attempt(`127.0.0.${20 + n}`));
    expect(manyNetworks.slice(0, 5)).toEqual(Array(5).fill(422));
    expect(manyNetworks.at(-1)).toBe(429);
    expect(await signIn(strict.visitor('127.0.0.4'))).toBe(429);
    expect(await signIn(owner)).toBe(303);
  });
});

describe('tokens', () => {
  it('refreshes tokens while the session lasts and rejects them afterwards', async () => {
    const visitor = rig.visitor();
    const { visit, callback } = await signUp(visitor, newAddress());
    const tokens = await redeem(callback, visit);
    const client = await rig.client();
    const renewed = await openId.refreshTokenGrant(client, tokens.refresh_token ?? '');
    expect(renewed.claims()?.sub).toBe(tokens.claims()?.sub);
    // A second renewal with the same token must not end the session.
    await openId.refreshTokenGrant(client, tokens.refresh_token ?? '');

    const leave = openId.buildEndSessionUrl(client, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: `${SHOP}/account/signed-out`,
    });
    const page = await visitor.get(leave);
    const refreshToken = tokens.refresh_token ?? '';
    expect((await openId.tokenIntrospection(client, refreshToken)).active).toBe(true);
    expect(page.text).toContain('<form id="sign-out"');
    expect(page.text).toContain('signOut.js');
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const response = await visitor.post('/session/end/confirm', { xsrf, logout: 'yes' });
    expect(response.location?.href).toBe(`${SHOP}/account/signed-out`);
    await expect(openId.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await openId.tokenIntrospection(client, refreshToken)).active).toBe(false);
    expect((await visitor.begin()).page).toContain('<h1>Sign in</h1>');
  });

  it('asks for confirmation at sign-out when the id token is missing', async () => {
    const visitor = rig.visitor();
    await signUp(visitor, newAddress());
    const page = await visitor.get('/session/end');
    expect(page.text).toContain('Sign out?');
    expect(page.text).not.toContain('signOut.js');
  });

  it('rejects revoked tokens', async () => {
    const { visit, callback } = await signUp(rig.visitor(), newAddress());
    const tokens = await redeem(callback, visit);
    const client = await rig.client();
    const isActive = async () => (await openId.tokenIntrospection(client, tokens.refresh_token ?? '')).active;
    expect(await isActive()).toBe(true);
    await openId.tokenRevocation(client, tokens.refresh_token ?? '');
    // Shells ask for this every other second.
    expect(await isActive()).toBe(false);
    await expect(openId.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('issues tokens to registered shops only, and only with PKCE', async () => {
    const visitor = rig.visitor();
    const client = await rig.client();
    const authorize = (parameters: Record<string, string>) =>
      visitor.get(openId.buildAuthorizationUrl(client, { scope: 'openid', state: 'x', ...parameters }));
    const foreign = await authorize({
      redirect_uri: 'https://evil.example/account/callback',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    expect(foreign.status).toBe(400);
    expect(foreign.location).toBeUndefined();
    expect(foreign.text).toContain('Something went wrong');
    const plain = await authorize({ redirect_uri: `${SHOP}/account/callback` });
    expect(plain.location?.searchParams.get('error')).toBe('invalid_request');
  });
});

describe('identity service', () => {
  it('serves health and metrics under exactly one path each', async () => {
    const visitor = rig.visitor();
    for (const path of ['/METRICS', '/Health/live', '/HEALTH/ready'])
      expect((await visitor.get(path)).status).toBe(404);
  });

  it('is live and ready, counts form outcomes, and never logs who signed in', async () => {
    const visitor = rig.visitor();
    for (const path of ['/health/live', '/health/ready']) expect((await visitor.get(path)).status).toBe(200);
    const text = (await visitor.get('/metrics')).text;
    expect(text).toMatch(/identity_credential_forms_total\{form="sign-up",outcome="accepted"\} \d+/);
    for (const { name, help } of await rig.metrics.registry.getMetricsAsJSON()) expect(help).not.toBe(name);
    expect(JSON.stringify(rig.log)).not.toMatch(/@example\.com|four words/);
  });

  it('forbids inline code and restricts form targets to itself and the shop', async () => {
    const { headers, text } = await rig.visitor().get((await rig.visitor().begin()).base);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${SHOP}`);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(text).not.toMatch(/<script(?![^>]*src=)|style=/);
  });

  it.each(['/', '/health/live', '/auth', '/nothing'])('does not echo headers to TRACE %s', async (path) => {
    const options = { method: 'TRACE', headers: { Cookie: 'secret=1' } };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(rig.origin + path, options, resolve)
        .on('error', reject)
        .end();
    });
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(await text(response)).not.toContain('secret=1');
  });

  it('serves immutable styles at URLs with a content hash', async () => {
    const visitor = rig.visitor();
    const { page } = await visitor.begin();
    const styles = await visitor.get(/href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1] ?? '');
    expect(styles.status).toBe(200);
    expect(styles.headers['cache-control']).toContain('immutable');
    expect(styles.text).toContain('--fc-color-accent');
  });

  it('rejects a form body that is too large or missing, and unknown paths', async () => {
    const visitor = rig.visitor();
    const visit = await visitor.begin();
    const huge = await visitor.post(`${visit.base}/sign-in`, form(visit, { email: 'x'.repeat(20_000) }));
    expect(huge.status).toBe(413);
    const empty = await visitor.post(`${visit.base}/sign-in`, {});
    expect(empty.status).toBe(403);
    expect((await visitor.get('/interaction/nothing')).status).toBe(410);
    expect((await visitor.get('/nothing')).status).toBe(404);
  });
});
