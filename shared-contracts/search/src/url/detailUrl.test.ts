import { describe, expect, it } from '@jest/globals';
import { detailUrl } from './detailUrl.ts';

describe('detailUrl', () => {
  // rows: B2-ROUTE-04
  it('adds the click type to the base URL of the listing', () => {
    const url = detailUrl({ id: '7', vdpBaseUrl: '/cars-for-sale/vehicle/7' }, 'spotlight');
    expect(url).toBe('/cars-for-sale/vehicle/7?clickType=spotlight');
  });

  it('keeps the query of the base URL', () => {
    const url = detailUrl({ id: '7', vdpBaseUrl: '/cars-for-sale/vehicle/7?zip=60601' }, 'boost');
    expect(url).toBe('/cars-for-sale/vehicle/7?zip=60601&clickType=boost');
  });

  it('inserts the query before the fragment', () => {
    expect(detailUrl({ id: '7', vdpBaseUrl: '/v/7?a=1#price#x' }, 'alert')).toBe(
      '/v/7?a=1&clickType=alert#price#x',
    );
  });

  // rows: A2-ROUTE-08
  it("uses the vehicle's path", () => {
    const { pathname } = new URL(detailUrl({ id: '123' }, 'listing'), 'https://example.com');
    expect(pathname).toBe('/cars-for-sale/vehicle/123');
  });

  // rows: B2-ROUTE-03
  it('uses the vehicle path when the listing has no base URL', () => {
    expect(detailUrl({ id: 'a/b' }, 'listing')).toBe('/cars-for-sale/vehicle/a%2Fb?clickType=listing');
  });
});
