import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import { createIssuerKeys } from './issuerKeys.ts';

const MINUTE = 60_000;

/** A key of the issuer, by its name. */
async function createKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}
type Key = Awaited<ReturnType<typeof createKey>>;

const sign = ({ kid, privateKey }: { kid: string; privateKey: CryptoKey }) =>
  new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);

describe('keys of an issuer', () => {
  let [first, second]: Key[] = [];
  let published: readonly JWK[];
  let requests: number;
  /** What becomes of a request for the keys. */
  let respond: () => Promise<Response>;
  let accepts: (key: Key) => Promise<boolean>;
  let now: number;
  const pass = (ms: number) => (now += ms);

  beforeEach(async () => {
    [first, second] = [await createKey('first'), await createKey('second')];
    published = [first.jwk];
    requests = 0;
    now = 1_800_000_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    respond = () => Promise.resolve(Response.json({ keys: published }));
    const keys = createIssuerKeys(new URL('https://issuer.example/keys'), {
      timeoutMs: 1_000,
      request: () => {
        requests += 1;
        return respond();
      },
    });
    accepts = async (key) =>
      jwtVerify(await sign(key), keys).then(
        () => true,
        () => false,
      );
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are requested once for many tokens', async () => {
    expect(await accepts(first!)).toBe(true);
    pass(MINUTE / 2);
    expect(await accepts(first!)).toBe(true);
    expect(requests).toBe(1);
  });

  it('have a new one seconds after the last request, beside the old one', async () => {
    await accepts(first!);
    published = [first!.jwk, second!.jwk];
    pass(3_000);
    expect(await accepts(second!)).toBe(true);
    expect(await accepts(first!)).toBe(true);
  });

  it('have a removed one for a minute at most', async () => {
    await accepts(first!);
    published = [second!.jwk];
    pass(MINUTE + 1);
    expect(await accepts(first!)).toBe(false);
    expect(await accepts(second!)).toBe(true);
  });

  it('are not requested again for each token with a made-up key', async () => {
    await accepts(first!);
    for (let at = 0; at < 50; at += 1) expect(await accepts(second!)).toBe(false);
    expect(requests).toBe(1);
  });

  it.each<[string, () => Promise<Response>]>([
    ['is away', () => Promise.reject(new Error('ECONNREFUSED'))],
    ['fails', () => Promise.resolve(new Response('', { status: 503 }))],
    ['does not respond', () => new Promise(() => {})],
  ])('last for ten minutes while the issuer %s', async (_, response) => {
    await accepts(first!);
    respond = response;
    pass(9 * MINUTE);
    expect(await accepts(first!)).toBe(true);
    // Not only once: the next token does not wait.
    const started = performance.now();
    expect(await accepts(first!)).toBe(true);
    expect(performance.now() - started).toBeLessThan(200);
  });

  it('are none while the issuer was never there', async () => {
    respond = () => Promise.reject(new Error('ECONNREFUSED'));
    expect(await accepts(first!)).toBe(false);
    respond = () => Promise.resolve(Response.json({ keys: published }));
    expect(await accepts(first!)).toBe(true);
  });
});
