import { describe, expect, it } from '@jest/globals';
import { createResponseCache } from './responseCache.ts';

describe('cached responses of the upstream', () => {
  const cacheOf = (bytes: number) =>
    createResponseCache(() => 0, { reused: 4 * bytes, revalidated: 4 * bytes });
  const reference = { 'cache-control': 'max-age=60', 'content-length': '10' };
  const search = { 'cache-control': 'no-cache', etag: '"s"', 'content-length': '10' };

  it('keep those that save requests, however many others are revalidated', () => {
    const cache = cacheOf(10);
    cache.store('makes', 'makes', reference);
    for (let page = 0; page < 20; page += 1) cache.store(`search ${page}`, page, search);
    expect(cache.find('makes')).toMatchObject({ data: 'makes', isFresh: true });
    expect(cache.find('search 19')).toMatchObject({ data: 19, etag: '"s"', isFresh: false });
    expect(cache.find('search 0')).toBeUndefined();
  });

  it('replace an older response of the same URL of either kind', () => {
    const cache = cacheOf(10);
    cache.store('a', 'old', reference);
    cache.store('a', 'new', search);
    expect(cache.find('a')).toMatchObject({ data: 'new', isFresh: false });
    cache.store('a', 'secret', { 'cache-control': 'private' });
    expect(cache.find('a')).toBeUndefined();
  });

  it('leave out one that would fill a quarter of the cache', () => {
    const cache = cacheOf(10);
    cache.store('large', 'large', { ...search, 'content-length': '11' });
    expect(cache.find('large')).toBeUndefined();
  });
});
