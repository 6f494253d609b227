import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { signInLink } from './signInLink.ts';

describe('signInLink', () => {
  it('links to the configured path, with the sign-up screen and the encoded current URL', () => {
    expect(signInLink('/login', '/cars-for-sale/all?zip=60601&makeCode=FORD', 'signup')).toBe(
      '/login?defaultScreen=signup&refUrl=%2Fcars-for-sale%2Fall%3Fzip%3D60601%26makeCode%3DFORD',
    );
    expect(signInLink('/login', '/')).toBe('/login?refUrl=%2F');
  });

  it('round-trips any current URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (current) => {
        const link = new URL(signInLink('/a', current), 'https://example.com');
        expect(link.searchParams.get('refUrl')).toBe(current);
      }),
    );
  });
});
