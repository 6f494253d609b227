import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HOME, safeReturnUrl } from './returnUrl.ts';

const ORIGIN = 'https://shop.example';
const safe = (raw: unknown) => safeReturnUrl(raw, ORIGIN);

describe('safeReturnUrl', () => {
  it('returns a page of this site with query and fragment', () => {
    expect(safe('/cars-for-sale/all?zip=60601&makeCode=FORD#listings')).toBe(
      '/cars-for-sale/all?zip=60601&makeCode=FORD#listings',
    );
    expect(safe(`${ORIGIN}/cars-for-sale/used`)).toBe('/cars-for-sale/used');
    expect(safe('/dealers/account/sign-in')).toBe('/dealers/account/sign-in');
  });

  it.each([
    ['another site', 'https://evil.example/'],
    ['another site without a scheme', '//evil.example'],
    ['backslashes, which browsers read as slashes', '\\\\evil.example'],
    ['a slash and a backslash', '/\\evil.example'],
    ['a tab, which browsers drop', '/\t/evil.example'],
    ['a line break, which browsers drop', '/\n/evil.example'],
    ['a null byte', '/\u0000/evil.example'],
    ['white space before it', ' //evil.example'],
    ['dots that leave a double slash', '/.//evil.example'],
    ['a double slash behind this very site', `${ORIGIN}//evil.example`],
    ['this site as the user of another', `${ORIGIN}@evil.example/`],
    ['a user at this site', 'https://user:pass@shop.example/'],
    ['this site as the start of another', `${ORIGIN}.evil.example/`],
    ['another port', `${ORIGIN}:8443/`],
    ['another scheme', 'http://shop.example/'],
    ['a script', 'javascript:alert(1)'],
    ['a script in capitals and tabs', 'JaVa\tScript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a relative path', 'evil'],
    ['nothing', ''],
    ['no text', ['/', '//evil.example']],
    ['nothing at all', undefined],
    ['a novel', `/${'x'.repeat(3000)}`],
    ['the sign-in page itself', '/account/sign-in?refUrl=%2F'],
    ['the way back', '/account/callback?code=x'],
    ['the way out', '/Account/Sign-Out'],
  ])('returns the results for %s', (_, raw) => {
    expect(safe(raw)).toBe(HOME);
  });

  it.each([
    '%2F%2Fevil.example',
    '/%2F%2Fevil.example',
    '/%5Cevil.example',
    '/%09/evil.example',
    '/..%2F..%2Fevil',
  ])('stays on this site for the double-encoded %s', (raw) => {
    expect(new URL(safe(raw), ORIGIN).origin).toBe(ORIGIN);
  });

  it('never leaves this site for any input', () => {
    const part = fc.constantFrom(
      '/',
      '//',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '?',
      '#',
      '%2f',
      '%5c',
      '\t',
      'evil.example',
      'https:',
      ORIGIN,
      'a',
    );
    const raw = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(raw, (text) => {
        const target = safe(text);
        expect(target).toMatch(/^\/(?!\/)/);
        expect(new URL(target, ORIGIN).origin).toBe(ORIGIN);
        expect(new URL(target, `${ORIGIN}/deep/page`).origin).toBe(ORIGIN);
        expect(safe(target)).toBe(target);
      }),
      { numRuns: 3000 },
    );
  });
});
