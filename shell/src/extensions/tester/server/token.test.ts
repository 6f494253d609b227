import { describe, expect, it } from '@jest/globals';
import { OVERRIDE_TOKEN, type overrideClaimsSchema } from '@forecourt/shared-contracts/slots/override';
import { MAX_OVERRIDE_SECONDS } from '@forecourt/shared-contracts/slots/overridePaths';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createOverrideTokens } from './token.ts';

const KEY = 'a key of thirty-two characters!!';
const NOW = 1_800_000_000;
const HOST = 'www.example';
const tokens = createOverrideTokens(KEY, () => NOW * 1000);
const claims = (
  changes: Partial<ReturnType<typeof overrideClaimsSchema.parse>> = {},
): ReturnType<typeof overrideClaimsSchema.parse> => ({
  aud: HOST,
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
    expect(await tokens.read(await tokens.sign(claims()), HOST)).toEqual(claims());
  });

  it.each([
    ['is over', claims({ iat: NOW - 7200, exp: NOW - 1 }), 'OVERRIDE_EXPIRED'],
    ['ends this very second', claims({ exp: NOW }), 'OVERRIDE_EXPIRED'],
    ['lasts longer than eight hours', claims({ exp: NOW + MAX_OVERRIDE_SECONDS + 1 }), 'OVERRIDE_INVALID'],
    ['was issued tomorrow', claims({ iat: NOW + 86_400, exp: NOW + 86_460 }), 'OVERRIDE_INVALID'],
    ['ends before it begins', claims({ iat: NOW + 50, exp: NOW + 40 }), 'OVERRIDE_INVALID'],
    ['is for another shell', claims({ aud: 'staging.example' }), 'OVERRIDE_ELSEWHERE'],
    ['names no remote', claims({ remote: '../x' }), 'OVERRIDE_INVALID'],
    ['names neither version nor origin', { ...claims(), version: undefined }, 'OVERRIDE_INVALID'],
    ['never ends', { ...claims(), exp: undefined }, 'OVERRIDE_INVALID'],
    ['is for several shells', { ...claims(), aud: [HOST, 'x'] }, 'OVERRIDE_INVALID'],
  ])('is refused when it %s', async (_, payload, code) => {
    await expect(tokens.read(await sign(payload), HOST)).rejects.toMatchObject({ code });
  });

  it.each([
    [
      'by another key',
      () => sign(claims(), OVERRIDE_TOKEN, 'another key of thirty-two chars!'),
      'OVERRIDE_FORGED',
    ],
    ['by another algorithm', () => sign(claims(), { ...OVERRIDE_TOKEN, alg: 'HS512' }), 'OVERRIDE_INVALID'],
    ['as a token of another type', () => sign(claims(), { alg: 'HS256', typ: 'JWT' }), 'OVERRIDE_INVALID'],
    ['by nobody', () => Promise.resolve(new UnsecuredJWT({ ...claims() }).encode()), 'OVERRIDE_INVALID'],
    ['and is far too long', () => sign({ ...claims(), more: 'x'.repeat(2000) }), 'OVERRIDE_INVALID'],
  ])('is refused when it was signed %s', async (_, make, code) => {
    await expect(tokens.read(await make(), HOST)).rejects.toMatchObject({ code });
  });

  it('is refused with any one character changed', async () => {
    const token = await tokens.sign(claims());
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 2), fc.constantFrom(...'Aa0_-.~ '), async (at, other) => {
        fc.pre(token[at] !== other);
        await expect(tokens.read(token.slice(0, at) + other + token.slice(at + 1), HOST)).rejects.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a short signing key', () =>
    expect(() => createOverrideTokens('short', () => 0)).toThrow('32 bytes'));
});
