import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as openId from 'openid-client';
import { fillIn, form, PASSWORD, redeem, signUp } from '../testing/flows.ts';
import { CLIENT_ID, type IdentityRig, SHOP, startIdentity, type Visitor } from '../testing/identityRig.ts';

let shop: Server;
let rig: IdentityRig;
/** What the shop received, and the status of its next responses; 200 when there is none. */
let received: {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly token: string;
}[];
let statuses: number[];

beforeEach(async () => {
  received = [];
  statuses = [];
  shop = createServer((request, response) => {
    void text(request).then((body) => {
      const token = new URLSearchParams(body).get('logout_token') ?? '';
      received.push({ path: request.url, type: request.headers['content-type'], token });
      response.writeHead(statuses.shift() ?? 200, { Location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const { port } = shop.address() as AddressInfo;
  rig = await startIdentity({ logoutUri: `http://127.0.0.1:${port}/account/back-channel-logout` });
});
afterEach(async () => {
  await rig.stop();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

async function waitFor(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const until = Date.now() + 5000;
  while (!(await isTrue())) {
    if (Date.now() > until) throw new Error('it never happened');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const partOf = (token: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>;

/** Signs a new account up; its visitor and the claims of its id token. */
async function signedUp(email = 'ada@example.com') {
  const visitor = rig.visitor();
  const { visit, callback } = await signUp(rig, visitor, email);
  const tokens = await redeem(rig, callback, visit);
  return { visitor, tokens, claims: tokens.claims()! };
}
/** Signs in on another device; the id token's claims. */
async function signIn(email = 'ada@example.com') {
  const visitor = rig.visitor();
  const visit = await visitor.begin();
  const response = await visitor.post(`${visit.base}/sign-in`, form(visit, { email, password: PASSWORD }));
  return (await redeem(rig, await rig.toShop(visitor, response), visit)).claims()!;
}
async function signOut(visitor: Visitor, idToken = '') {
  const leave = openId.buildEndSessionUrl(await rig.client(), {
    id_token_hint: idToken,
    post_logout_redirect_uri: `${SHOP}/account/signed-out`,
  });
  const page = await visitor.get(leave);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  return visitor.post('/session/end/confirm', { xsrf, logout: 'yes' });
}
const sids = () => received.map(({ token }) => partOf(token, 1)['sid']);
const outcomes = async () => {
  const values = (await rig.metrics.registry.getSingleMetric('identity_logout_tokens_total')?.get())?.values;
  return Object.fromEntries((values ?? []).map(({ labels, value }) => [labels['outcome'], value]));
};

describe('logout tokens', () => {
  it('are announced in the metadata, and the id token names the session', async () => {
    const { claims } = await signedUp();
    const metadata = await rig.visitor().get('/.well-known/openid-configuration');
    expect(JSON.parse(metadata.text)).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
    expect(claims['sid']).toMatch(/^[\w-]{20,}$/);
  });

  it('are signed, name the session that ended by sign-out, and are no id tokens', async () => {
    const { visitor, tokens, claims } = await signedUp();
    await signOut(visitor, tokens.id_token);
    expect(received).toHaveLength(1);
    const { path, type, token } = received[0]!;
    expect([path, type]).toEqual(['/account/back-channel-logout', 'application/x-www-form-urlencoded']);
    expect(partOf(token, 0)).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' });
    const logout = partOf(token, 1);
    expect(logout).toMatchObject({
      iss: rig.origin,
      aud: CLIENT_ID,
      sub: claims.sub,
      sid: claims['sid'],
      jti: expect.stringMatching(/^[\w-]{20,}$/),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect(logout).not.toHaveProperty('nonce');
    expect(Math.abs(Number(logout['iat']) - Date.now() / 1000)).toBeLessThan(10);
    expect(Number(logout['exp']) - Number(logout['iat'])).toBe(120);
    const jwks = JSON.parse((await rig.visitor().get('/jwks')).text) as { keys: JsonWebKey[] };
    const key = createPublicKey({ key: jwks.keys[0]!, format: 'jwk' });
    const [header, body, signature = ''] = token.split('.');
    const signed = Buffer.from(`${header}.${body}`);
    const isValid = (data: Buffer) =>
      verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    expect([isValid(signed), isValid(Buffer.from(`${header}.e30`))]).toEqual([true, false]);
  });

  it('are sent for the other sessions after a password change, for all after a reset', async () => {
    const { visitor, claims } = await signedUp();
    const phone = await signIn();
    const visit = await visitor.begin({ prompt: 'password' });
    const fields = { current: PASSWORD, password: 'another long password' };
    await rig.toShop(visitor, await visitor.post(`${visit.base}/change-password`, form(visit, fields)));
    await waitFor(() => received.length > 0);
    expect(sids()).toEqual([phone['sid']]);

    const anyone = rig.visitor();
    const reset = await anyone.begin();
    await anyone.post(`${reset.base}/forgot`, form(reset, { email: 'ada@example.com' }));
    await fillIn(anyone, (await rig.mailTo('ada@example.com')).link, { password: 'a third long password' });
    await waitFor(() => received.length > 1);
    expect(sids()).toEqual([phone['sid'], claims['sid']]);
  });

  it('are sent for every session when the account is deleted, and for no other account', async () => {
    await signedUp('bob@example.com');
    const { visitor, claims } = await signedUp();
    const phone = await signIn();
    const visit = await visitor.begin({ prompt: 'delete' });
    await visitor.post(`${visit.base}/delete-account`, form(visit, { current: PASSWORD }));
    await waitFor(() => received.length > 1);
    expect(sids().sort()).toEqual([claims['sid'], phone['sid']].sort());
    await waitFor(async () => (await outcomes())['delivered'] === 2);
  });

  it('are sent again, as new ones, until the shop takes them; a redirect is not followed', async () => {
    const { visitor, tokens } = await signedUp();
    statuses = [503, 302];
    await signOut(visitor, tokens.id_token);
    await waitFor(async () => (await outcomes())['delivered'] === 1);
    expect(received.map(({ path }) => path)).toEqual(Array(3).fill('/account/back-channel-logout'));
    expect(new Set(received.map(({ token }) => partOf(token, 1)['jti'])).size).toBe(3);
    expect(new Set(sids()).size).toBe(1);
  });

  it('are given up after three attempts, which log no account', async () => {
    const { visitor, tokens, claims } = await signedUp();
    statuses = [500, 500, 500];
    const { location } = await signOut(visitor, tokens.id_token);
    // The visitor is signed out nevertheless.
    expect(location?.href).toBe(`${SHOP}/account/signed-out`);
    await waitFor(async () => (await outcomes())['failed'] === 1);
    expect(received).toHaveLength(3);
    const log = JSON.stringify(rig.log);
    expect(log).toContain('logout token not delivered');
    for (const secret of [claims.sub, sids()[0], received[0]!.token]) expect(log).not.toContain(secret);
  });
});
