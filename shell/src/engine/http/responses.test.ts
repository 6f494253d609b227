import { afterEach, describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import { startLibrary, type LibraryRig } from '../testing/startLibrary.ts';
import { isSameOrigin } from './responses.ts';

const rigs: LibraryRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));
describe('origin of a write', () => {
  it.each([
    ['its own origin', { origin: 'https://shop.example' }, true],
    ['its own origin and site', { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }, true],
    ['no origin, from its own page', { 'sec-fetch-site': 'same-origin' }, true],
    ['neither', {}, false],
    ['another origin', { origin: 'https://evil.example' }, false],
    ['an opaque origin', { origin: 'null' }, false],
    ['a subdomain of its own', { origin: 'https://a.shop.example', 'sec-fetch-site': 'same-site' }, false],
    [
      'its own origin from another site',
      { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
      false,
    ],
  ])('is judged with %s', (_, headers: IncomingHttpHeaders, expected) => {
    expect(isSameOrigin({ headers: { host: 'shop.example', ...headers } })).toBe(expected);
  });
});

describe('renderings', () => {
  it('are refused for hosts that are not the site’s, but health checks by address are not', async () => {
    const rig = await startLibrary({ environment: { SITE_HOSTS: 'www.shop.example, shop.example:8443' } });
    rigs.push(rig);
    const statusOf = async (path: string, Host: string) =>
      (await rig.send(path, { headers: { Host } })).status;
    const ownPort = 'www.shop.example:3000';
    for (const host of ['WWW.shop.example:80', ownPort, 'shop.example:8443'])
      expect(await statusOf('/library/shelf', host)).toBe(200);
    for (const host of [
      'evil.example',
      'www.shop.example.evil.example',
      '127.0.0.1',
      'shop.example@evil.example',
      'www.shop.example:1',
      'shop.example',
    ])
      expect(await statusOf('/library/shelf', host)).toBe(421);
    expect(await statusOf('/health/live', '10.0.0.7:3000')).toBe(200);
  });
});
