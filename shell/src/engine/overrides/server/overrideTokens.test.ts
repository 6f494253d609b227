import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { OVERRIDE_TOKEN, type overrideClaimsSchema } from '@forecourt/releases/override';
import { MAX_OVERRIDE_SECONDS } from '@forecourt/releases/overridePaths';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createOverrideTokens } from './overrideTokens.ts';

const KEY = 'a key of thirty-two characters!!';
const NOW = 1_800_000_000;
const SHELL = 'https://www.example';
const tokens = createOverrideTokens(KEY, () => NOW * 1000);
const claims = (
  changes: Partial<ReturnType<typeof overrideClaimsSchema.parse>> = {},
): ReturnType<typeof overrideClaimsSchema.parse> => ({
  aud: SHELL,
  sub: 'tester@desk',
  iat: NOW,
  exp: NOW + 3600,
  remote: 'mfe-results',
  version: '1.5.0-rc.1',
  ...changes,
});
const sign = (payload: object, header: object = OVERRIDE_TOKEN, key = KEY) =>
  new SignJWT({ ...payload })
    .setProtectedHeader(header as { alg: string })
    .sign(new TextEncoder().encode(key));

describe('override token', () => {
  it('returns the signed claims at its shell', async () => {
    expect(await tokens.read(await tokens.sign(claims()), SHELL)).toEqual(claims());
  });

  it.each([
    ['is over', claims({ iat: NOW - 7200, exp: NOW - 1 }), 'OVERRIDE_EXPIRED'],
    ['ends this very second', claims({ exp: NOW }), 'OVERRIDE_EXPIRED'],
    ['lasts longer than eight hours', claims({ exp: NOW + MAX_OVERRIDE_SECONDS + 1 }), 'OVERRIDE_INVALID'],
    ['was issued tomorrow', claims({ iat: NOW + 86_400, exp: NOW + 86_460 }), 'OVERRIDE_INVALID'],
    ['ends before it begins', claims({ iat: NOW + 50, exp: NOW + 40 }), 'OVERRIDE_INVALID'],
    ['is for another shell', claims({ aud: 'https://staging.example' }), 'OVERRIDE_ELSEWHERE'],
    ['names no remote', claims({ remote: '../x' }), 'OVERRIDE_INVALID'],
    ['names neither version nor origin', { ...claims(), version: undefined }, 'OVERRIDE_INVALID'],
    ['never ends', { ...claims(), exp: undefined }, 'OVERRIDE_INVALID'],
    ['is for several shells', { ...claims(), aud: [SHELL, 'https://x.example'] }, 'OVERRIDE_INVALID'],
  ])('is refused when it %s', async (_, payload, code) => {
    await expect(tokens.read(await sign(payload), SHELL)).rejects.toMatchObject({ code });
  });

  it.each([
    [
      'by another key',
      () => sign(claims(), OVERRIDE_TOKEN, 'another key of thirty-two chars!'),
      'OVERRIDE_FORGED',
    ],
    ['by another algorithm', () => sign(claims(), { ...OVERRIDE_TOKEN, alg: 'HS512' }), 'OVERRIDE_INVALID'],
    ['as a token of another type', () => sign(claims(), { alg: 'HS256', typ: 'JWT' }), 'OVERRIDE_INVALID'],
    [
      'without a signature',
      () => Promise.resolve(new UnsecuredJWT({ ...claims() }).encode()),
      'OVERRIDE_INVALID',
    ],
    ['and is far too long', () => sign({ ...claims(), more: 'x'.repeat(2000) }), 'OVERRIDE_INVALID'],
  ])('is refused when it was signed %s', async (_, make, code) => {
    await expect(tokens.read(await make(), SHELL)).rejects.toMatchObject({ code });
  });

  it.each([
    ['another host', 'https://www.example.evil.example'],
    ['a host below it', 'https://a.www.example'],
    ['another port', 'https://www.example:8443'],
    ['another scheme', 'http://www.example'],
    ['a host without a scheme', 'www.example'],
    ['a path', 'https://www.example/library'],
    ['a slash', 'https://www.example/'],
    ['capitals', 'https://WWW.example'],
    ['every shell', '*'],
  ])('is refused when its audience is %s: %s', async (_, aud) => {
    await expect(tokens.read(await sign({ ...claims(), aud }), SHELL)).rejects.toMatchObject({
      code: 'OVERRIDE_ELSEWHERE',
    });
  });

  it.each([
    ['is empty', ''],
    ['is missing', undefined],
    ['is a host only', 'www.example'],
    ['has a path', 'https://www.example/library'],
  ])('is refused by a shell at that very place when its audience %s', async (_, aud) => {
    const token = await sign({ ...claims(), aud });
    await expect(tokens.read(token, aud ?? '')).rejects.toThrow();
  });

  it.each([
    ['without a type', { alg: 'HS256' }],
    ['with an unknown critical extension', { ...OVERRIDE_TOKEN, crit: ['x'], x: 1 }],
  ])('is refused %s', async (_, header) => {
    const parts = (await sign(claims())).split('.');
    const encoded = Buffer.from(JSON.stringify(header)).toString('base64url');
    const input = `${encoded}.${parts[1]}`;
    const signature = createHmac('sha256', KEY).update(input).digest('base64url');
    await expect(tokens.read(`${input}.${signature}`, SHELL)).rejects.toMatchObject({
      code: 'OVERRIDE_INVALID',
    });
  });

  it('is refused with alg none, with and without the signature of a valid token', async () => {
    const [, payload, signature] = (await sign(claims())).split('.');
    for (const alg of ['none', 'None', 'NONE', '', undefined])
      for (const end of ['', signature]) {
        const header = Buffer.from(JSON.stringify({ ...OVERRIDE_TOKEN, alg })).toString('base64url');
        await expect(tokens.read(`${header}.${payload}.${end}`, SHELL)).rejects.toMatchObject({
          code: 'OVERRIDE_INVALID',
        });
      }
  });

  it('is refused with any one character changed', async () => {
    const token = await tokens.sign(claims());
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 2), fc.constantFrom(...'Aa0_-.~ '), async (at, other) => {
        fc.pre(token[at] !== other);
        await expect(tokens.read(token.slice(0, at) + other + token.slice(at + 1), SHELL)).rejects.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a short signing key', () =>
    expect(() => createOverrideTokens('short', () => 0)).toThrow('32 bytes'));
});
