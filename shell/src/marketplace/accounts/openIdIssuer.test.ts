import { createHash, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Issuer, SignInRequest } from './issuer.ts';
import { createOpenIdIssuer } from './openIdIssuer.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
function jwt(claims: object, key: KeyObject, header: object = {}): string {
  const text = `${encode({ alg: 'ES256', kid: 'k1', ...header })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const CALLBACK = 'http://shop.example/account/callback';

let server: Server;
let origin: string;
/** The issuer's name, below its origin. */
let name: string;
let issuer: Issuer;
let now: number;
let tokenRequests: URLSearchParams[];
/** The token endpoint's response. */
let answer: { status: number; body: Record<string, unknown> };
let isDown: boolean;

const claims = (more: object = {}) => ({
  iss: name,
  sub: 'u1',
  aud: 'shop',
  name: 'Ada Byron',
  email: 'ada@example.com',
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 3600,
  ...more,
});
const tokens = (more: object = {}, key = privateKey) => ({
  status: 200,
  body: {
    access_token: 'a',
    token_type: 'Bearer',
    refresh_token: 'r1',
    id_token: jwt(claims(more), key),
  } as Record<string, unknown>,
});

beforeEach(async () => {
  tokenRequests = [];
  isDown = false;
  now = 1_000_000;
  server = createServer((request, response) => {
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (isDown) return send({ error: 'server_error' }, 503);
    if (request.url === `${new URL(name).pathname.replace(/\/$/, '')}/.well-known/openid-configuration`)
      return send({
        issuer: name,
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/jwks`,
        end_session_endpoint: `${origin}/end`,
        revocation_endpoint: `${origin}/revoke`,
        introspection_endpoint: `${origin}/introspect`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
        prompt_values_supported: ['login', 'create'],
      });
    if (request.url === '/jwks')
      return send({
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' }],
      });
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      tokenRequests.push(new URLSearchParams(text));
      if (request.url === '/revoke') response.writeHead(200).end();
      else send(answer.body, answer.status);
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  name = origin;
  issuer = issuerAt(name);
});
const issuerAt = (url: string) =>
  createOpenIdIssuer({ issuer: url, clientId: 'shop', isHttpAllowed: true, now: () => now });
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const request = (screen: SignInRequest['screen'] = 'sign-in'): SignInRequest => ({
  redirectUri: new URL(CALLBACK),
  screen,
  brand: 'kbb',
});
const begin = () => issuer.begin(request());
const callback = (state: string, query = 'code=c1') => new URL(`${CALLBACK}?${query}&state=${state}`);

describe('sign-in at the issuer', () => {
  it('starts with state, nonce and a PKCE challenge whose verifier stays here', async () => {
    const { url, pending } = await begin();
    expect(url.origin + url.pathname).toBe(`${origin}/auth`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'shop',
      redirect_uri: CALLBACK,
      response_type: 'code',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: createHash('sha256').update(pending.codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      brand: 'kbb',
    });
    expect(url.searchParams.has('prompt')).toBe(false);
    expect(url.href).not.toContain(pending.codeVerifier);
  });

  it('requests the sign-up form if the issuer supports it', async () => {
    const { url } = await issuer.begin(request('sign-up'));
    expect(url.searchParams.get('prompt')).toBe('create');
  });

  it('requests no page that the issuer does not support', async () => {
    expect(await issuer.hasScreen('change-password')).toBe(false);
    expect((await issuer.begin(request('change-password'))).url.searchParams.has('prompt')).toBe(false);
  });

  it('returns the identity after redeeming the code with its verifier', async () => {
    const { pending } = await begin();
    answer = tokens({ nonce: pending.nonce });
    expect(await issuer.finish(callback(pending.state), pending)).toMatchObject({
      subject: 'u1',
      name: 'Ada Byron',
      email: 'ada@example.com',
      refreshToken: 'r1',
    });
    expect(Object.fromEntries(tokenRequests[0] ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      code: 'c1',
      code_verifier: pending.codeVerifier,
      redirect_uri: CALLBACK,
    });
  });

  it.each<[string, (nonce: string) => typeof answer]>([
    ['for another sign-in', () => tokens({ nonce: 'other' })],
    ['for another shop', (nonce) => tokens({ nonce, aud: 'other' })],
    ['of another issuer', (nonce) => tokens({ nonce, iss: 'https://evil.example' })],
    ['that is old', (nonce) => tokens({ nonce, iat: 1000, exp: 2000 })],
    ['that somebody else has signed', (nonce) => tokens({ nonce }, stranger)],
    ['that is missing', () => ({ status: 200, body: { access_token: 'a', token_type: 'Bearer' } })],
  ])('refuses a token %s', async (_, made) => {
    const { pending } = await begin();
    answer = made(pending.nonce);
    await expect(issuer.finish(callback(pending.state), pending)).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it('refuses a callback with another state without a request', async () => {
    const { pending } = await begin();
    await expect(issuer.finish(callback('forged'), pending)).rejects.toMatchObject({ code: 'REFUSED' });
    expect(tokenRequests).toEqual([]);
  });

  it('reports a cancelled sign-in', async () => {
    const { pending } = await begin();
    await expect(
      issuer.finish(callback(pending.state, 'error=access_denied'), pending),
    ).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});

describe('tokens', () => {
  it('are renewed, keeping the refresh token if the issuer sends none', async () => {
    answer = tokens();
    delete answer.body['refresh_token'];
    expect(await issuer.renew('r7')).toMatchObject({ subject: 'u1', refreshToken: 'r7' });
  });

  it('report SESSION_OVER when the issuer has ended the session', async () => {
    answer = { status: 400, body: { error: 'invalid_grant' } };
    await expect(issuer.renew('r7')).rejects.toMatchObject({ code: 'SESSION_OVER' });
  });

  it.each([true, false])('are active: %s, as the issuer’s introspection says', async (active) => {
    answer = { status: 200, body: { active } };
    expect(await issuer.isActive('r7')).toBe(active);
    expect(tokenRequests.at(-1)?.get('token')).toBe('r7');
  });

  it('are revoked, and the issuer’s session is ended with an id token hint', async () => {
    await issuer.revoke('r7');
    expect(tokenRequests[0]?.get('token')).toBe('r7');
    const url = await issuer.signOutUrl('the-token', new URL('http://shop.example/account/signed-out'));
    expect(url?.searchParams.get('id_token_hint')).toBe('the-token');
  });
});

describe('logout token', () => {
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
  const seconds = () => Math.floor(Date.now() / 1000);
  const logout = (more: object = {}): object => ({
    iss: name,
    aud: 'shop',
    iat: seconds(),
    exp: seconds() + 120,
    jti: 'j1',
    sub: 'u1',
    sid: 's1',
    events: { [EVENT]: {} },
    ...more,
  });

  it.each<[string, object]>([
    ['with session and account, as of our issuer', {}],
    ['with several audiences, as of Auth0', { aud: ['other', 'shop'] }],
    ['without an expiry, as of older issuers', { exp: undefined }],
    ['with further claims and events, as of Keycloak', { typ: 'Logout', events: { [EVENT]: {}, other: {} } }],
    ['from a clock that is slightly ahead', { iat: seconds() + 20 }],
  ])('is accepted %s', async (_, more) => {
    const token = jwt(logout(more), privateKey, { typ: 'logout+jwt' });
    expect(await issuer.readLogoutToken(token)).toEqual({ id: 'j1', sid: 's1', subject: 'u1' });
  });

  it.each([
    ['session', { sub: undefined }, { id: 'j1', sid: 's1' }],
    ['account', { sid: undefined }, { id: 'j1', subject: 'u1' }],
  ])('may name only the %s', async (_, more, expected) => {
    expect(await issuer.readLogoutToken(jwt(logout(more), privateKey))).toEqual(expected);
  });

  it.each<[string, object]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without an issuer', { iss: undefined }],
    ['for another client', { aud: 'other' }],
    ['without an audience', { aud: undefined }],
    ['without a time', { iat: undefined }],
    ['that is old', { iat: seconds() - 400 }],
    ['from the future', { iat: seconds() + 90 }],
    ['that has expired', { exp: seconds() - 60 }],
    ['without an id', { jti: undefined }],
    ['without events, such as an id token', { events: undefined }],
    ['of another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['whose event is no object', { events: { [EVENT]: true } }],
    ['with a nonce', { nonce: 'n1' }],
    ['with an empty nonce', { nonce: null }],
    ['that names neither session nor account', { sub: undefined, sid: undefined }],
    ['whose session is no text', { sid: 7 }],
  ])('is refused %s', async (_, more) => {
    await expect(issuer.readLogoutToken(jwt(logout(more), privateKey))).rejects.toMatchObject({
      code: 'REFUSED',
    });
  });

  it.each<[string, () => string]>([
    ['signed by somebody else', () => jwt(logout(), stranger)],
    ['signed with an unknown key', () => jwt(logout(), privateKey, { kid: 'k2' })],
    ['that is not signed', () => `${encode({ alg: 'none' })}.${encode(logout())}.`],
    [
      'signed with the public key as a secret',
      () => {
        const text = `${encode({ alg: 'HS256', kid: 'k1' })}.${encode(logout())}`;
        const secret = publicKey.export({ format: 'pem', type: 'spki' });
        return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      },
    ],
    [
      'that was changed',
      () => jwt(logout(), privateKey).replace(/\.[^.]+\./, `.${encode(logout({ sid: 's2' }))}.`),
    ],
    ['that is no token', () => 'x.y.z'],
  ])('is refused %s', async (_, token) => {
    await expect(issuer.readLogoutToken(token())).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it('is neither accepted nor refused while the issuer’s keys are unavailable', async () => {
    await begin();
    isDown = true;
    await expect(issuer.readLogoutToken(jwt(logout(), privateKey))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });
});

describe('spelling of an issuer', () => {
  const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
  const logout = (iss: string) =>
    jwt({ ...claims(), iss, jti: 'j1', sid: 's1', events: { [EVENT]: {} } }, privateKey);

  const NAMES = ['', '/', '/realms/site', '/application/o/site/'];
  it.each(
    NAMES.flatMap((own) => NAMES.concat('/realms/site/').map((configured) => [own, configured] as const)),
  )('is %j at its origin: it can be used as %j only if that is equal', async (own, configured) => {
    name = origin + own;
    issuer = issuerAt(origin + configured);
    if (own !== configured) {
      const refused = { name: 'IssuerError', code: expect.stringMatching(/REFUSED|UNAVAILABLE/) };
      await expect(begin()).rejects.toMatchObject(refused);
      await expect(issuer.readLogoutToken(logout(name))).rejects.toMatchObject(refused);
      return;
    }
    const { pending, url } = await begin();
    expect(url.origin + url.pathname).toBe(`${origin}/auth`);
    answer = tokens({ nonce: pending.nonce });
    expect(await issuer.finish(callback(pending.state), pending)).toMatchObject({ subject: 'u1' });
    expect(await issuer.renew('r1')).toMatchObject({ subject: 'u1' });
    expect(await issuer.readLogoutToken(logout(name))).toEqual({ id: 'j1', sid: 's1', subject: 'u1' });
    const respelled = name.endsWith('/') ? name.slice(0, -1) : `${name}/`;
    await expect(issuer.readLogoutToken(logout(respelled))).rejects.toMatchObject({ code: 'REFUSED' });
    answer = tokens({ iss: respelled });
    await expect(issuer.renew('r1')).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it('is refused with both spellings in the message', async () => {
    name = `${origin}/`;
    await expect(begin()).rejects.toMatchObject({
      code: 'REFUSED',
      message: `the issuer spells itself '${origin}/', the configuration '${origin}': they must be equal`,
    });
  });
});

describe('unavailable issuer', () => {
  it('is reported, not contacted during the cooldown, and contacted again after it', async () => {
    isDown = true;
    await expect(begin()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    isDown = false;
    await expect(begin()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'the issuer was unavailable a moment ago',
    });
    now += 6000;
    expect((await begin()).url.pathname).toBe('/auth');
  });

  it('is noticed before a visitor is sent there, also when its metadata are known', async () => {
    await begin();
    now += 2000;
    isDown = true;
    await expect(begin()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('is reported the same for no response and for a late one', async () => {
    const slow = createServer(() => {});
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const options = { clientId: 'shop', isHttpAllowed: true, timeoutMs: 200 };
    await expect(createOpenIdIssuer({ ...options, issuer: url }).begin(request())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
    await expect(createOpenIdIssuer({ ...options, issuer: url }).begin(request())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('is refused over plain HTTP outside local mode', async () => {
    const strict = createOpenIdIssuer({ issuer: origin, clientId: 'shop', isHttpAllowed: false });
    await expect(strict.begin(request())).rejects.toMatchObject({
      name: 'IssuerError',
    });
  });
});
