import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isAllowedOrigin, readOrigin } from './overrideTokens.ts';

const ALLOWED = ['http://localhost:5001', 'https://builds.example'];

describe('allowed override origins', () => {
  it.each(ALLOWED)('allows %s', (origin) => expect(isAllowedOrigin(origin, ALLOWED)).toBe(true));

  it.each([
    ['a longer host', 'http://localhost.evil.example:5001'],
    ['a host that ends alike', 'https://evilbuilds.example'],
    ['a host below it', 'https://a.builds.example'],
    ['a host that begins alike', 'https://builds.example.evil.example'],
    ['a user that looks like it', 'http://localhost:5001@evil.example'],
    ['a user of it', 'http://user@localhost:5001'],
    ['another port', 'http://localhost:5002'],
    ['no port', 'http://localhost'],
    ['the same port said otherwise', 'http://localhost:05001'],
    ['another scheme', 'https://localhost:5001'],
    ['plain http of another host', 'http://builds.example'],
    ['the address of the same machine', 'http://127.0.0.1:5001'],
    ['its IPv6 address', 'http://[::1]:5001'],
    ['IPv4 within IPv6', 'http://[::ffff:127.0.0.1]:5001'],
    ['a number for an address', 'http://2130706433:5001'],
    ['a short address', 'http://127.1:5001'],
    ['a trailing dot', 'http://localhost.:5001'],
    ['a trailing dot of a name', 'https://builds.example.'],
    ['capitals', 'http://LOCALHOST:5001'],
    ['a path', 'http://localhost:5001/x'],
    ['a slash', 'http://localhost:5001/'],
    ['a backslash', 'http://localhost:5001\\@evil.example'],
    ['white space', ' http://localhost:5001'],
    ['a line break', 'http://localhost:5001\n'],
    ['a full-width dot', 'https://builds。example'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:text/javascript,1'],
    ['no URL', 'localhost:5001'],
    ['nothing', ''],
    ['null', 'null'],
  ])('refuses %s: %s', (_, text) => expect(isAllowedOrigin(text, ALLOWED)).toBe(false));

  it('allows only exact entries of the list for any input', () => {
    const part = fc.constantFrom(
      ...[
        'http://',
        'https://',
        'localhost',
        ':5001',
        '.',
        '@',
        '/',
        '\\',
        'builds.example',
        '[::1]',
        'evil',
        '#',
        '?',
        '%',
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (text) => {
          expect(isAllowedOrigin(text, ALLOWED)).toBe(ALLOWED.includes(text));
        },
      ),
    );
  });

  it.each([
    'http://builds.example',
    'https://builds.example/',
    'https://builds.example.',
    'http://localhost.:1',
    'x',
  ])('does not accept %s as an entry', (text) => expect(readOrigin(text)).toBeUndefined());

  it.each([
    'http://localhost:5001',
    'http://127.0.0.1:80',
    'http://[::1]:5001',
    'https://builds.example:8443',
  ])('normalizes %s to the browser’s origin', (text) =>
    expect(readOrigin(text)).toBe(text === 'http://127.0.0.1:80' ? undefined : text),
  );
});
