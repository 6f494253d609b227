import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../config.ts';
import { textSlot, tinyRelease } from '../../engine/rendering/testing/tinyRelease.ts';
import { readVisitor, type Visitor, withFlags } from '../visitor/visitor.ts';
import { FLAGS } from '@forecourt/search/brands';
import { pageKey } from '../../engine/cache/pageKey.ts';
import type { Snapshot } from '../../engine/releases/snapshot.ts';
import { shareKeyOf } from './shareKey.ts';

const visitor = (headers: Record<string, string> = {}) =>
  readVisitor(
    { headers } as unknown as IncomingMessage,
    readConfig({ LOCAL_MODE: 'true' }),
    new Date('2026-06-15'),
  );
const release = (version: string) => tinyRelease({ x: textSlot('x') }, { version });
interface KeyParts {
  readonly origin: string;
  readonly url: string;
  readonly visitor: Visitor;
  readonly snapshot: Snapshot;
  readonly channel: string | undefined;
}
const keyOf = ({ visitor: shopper, channel, ...parts }: KeyParts) =>
  pageKey({ ...parts, visitor: shareKeyOf(shopper, channel) });
const PARTS: KeyParts = {
  origin: 'https://cars.example',
  url: '/cars-for-sale/all-cars',
  visitor: visitor(),
  snapshot: new Map([['mfe-tiny', release('1.0.0')]]),
  channel: undefined,
};

describe('page key', () => {
  it('is the same for two visitors with the same page', () => {
    const other = visitor({ cookie: 'sid=01234567-89ab-cdef-0123-456789abcdef; pixallId=x; _utm=1' });
    expect(keyOf({ ...PARTS, visitor: other })).toBe(keyOf(PARTS));
  });

  it.each([
    ['origin', { origin: 'https://other.example' }],
    ['URL', { url: '/cars-for-sale/all-cars?utm_source=x' }],
    ['brand', { visitor: visitor({ 'x-brand': 'kbb' }) }],
    ['flag', { visitor: withFlags(visitor(), { ...FLAGS, compare: false }, {}) }],
    ['ZIP', { visitor: visitor({ cookie: 'zip=60601' }) }],
    ['being a bot', { visitor: visitor({ 'user-agent': 'Googlebot/2.1' }) }],
    ['hidden showcase', { visitor: visitor({ cookie: 'alphaHidden=1' }) }],
    ['signed-in cookie', { visitor: visitor({ cookie: 'signedIn=true' }) }],
    ['campaign', { channel: 'OEM' }],
    ['release of a remote', { snapshot: new Map([['mfe-tiny', release('1.1.0')]]) }],
    ['day', { visitor: { ...visitor(), session: { ...visitor().session, today: '2026-06-16' } } }],
  ] as [string, Partial<KeyParts>][])('differs by %s', (_, changed) => {
    expect(keyOf({ ...PARTS, ...changed })).not.toBe(keyOf(PARTS));
  });
});
