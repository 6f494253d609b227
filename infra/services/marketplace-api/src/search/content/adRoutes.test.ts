import { CALLS } from '@forecourt/upstream/calls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { type TestApp, startTestApp } from '../../testing/testApp.ts';
import { AD_SIZES } from './adRoutes.ts';

describe('the ad service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ owners: [anOwner()], listings: [aListing()] });
  });
  afterAll(() => app.stop());
  const requestAd = async (query: string) => {
    const ad = CALLS.ad.response.parse(await app.json(`/ads/slot?${query}`));
    if ('empty' in ad) throw new Error(`no ad for ${query}`);
    return ad;
  };

  // rows: B7-ADS-01
  it('returns an ad that matches slot, size and search', async () => {
    const ad = await requestAd('slot=tile-1&size=300x250&t.make=FORD&t.model=F150&t.zip=60601&n=0');
    expect(ad).toMatchObject({ width: 300, height: 250, advertiser: 'Ford' });
    expect(ad.html).toContain('The new Ford F-150');
    expect(ad.html).toContain('makeCode=FORD&amp;modelCode=F150&amp;zip=60601&amp;searchRadius=50');
    expect((await requestAd('slot=tile-1&size=300x250&t.make=HONDA')).advertiser).toBe('Honda');
  });

  it('returns another ad on refresh and the same ad for the same request', async () => {
    const ads = await Promise.all(
      [0, 1, 2, 0].map((n) => requestAd(`slot=fixed&size=728x90&t.make=FORD&n=${n}`)),
    );
    expect(new Set(ads.slice(0, 3).map(({ html }) => html)).size).toBe(3);
    expect(ads[3]?.html).toBe(ads[0]?.html);
  });

  it('returns different ads for leaderboards that are in view together', async () => {
    const slots = ['fixed-bottom', 'grid-row-1', 'grid-row-2', 'footer'];
    const ads = await Promise.all(
      slots.map((slot) => requestAd(`slot=${slot}&size=728x90&t.make=FORD&t.model=F150`)),
    );
    expect(new Set(ads.map(({ html }) => html)).size).toBe(slots.length);
  });

  it('returns no ad for an unnamed slot or an unknown size', async () => {
    for (const query of ['', 'slot=x', 'slot=x&size=1x1', 'size=728x90'])
      expect(await app.json(`/ads/slot?${query}`)).toEqual({ empty: true });
    expect((await app.get('/ads/creative?slot=x&size=1x1')).status).toBe(404);
  });

  it.each(AD_SIZES)('returns a sandboxed creative of %s without scripts or requests', async (size) => {
    const ad = await requestAd(`slot=s&size=${size}&t.style=TRUCKS`);
    const creative = await app.get(ad.src);
    const policy = creative.headers.get('content-security-policy');
    expect(policy).toMatch(/^sandbox (?!.*allow-scripts)(?!.*allow-same-origin)/);
    expect(policy).toContain("default-src 'none'");
    expect(await creative.text()).toBe(ad.html);
    expect(ad.html).not.toMatch(/<script|\ssrc=|url\(|https?:/i);
  });

  it('escapes targeting values in the creative', async () => {
    const ad = await requestAd(
      `slot=s&size=300x250&t.make=${encodeURIComponent('"><script>')}&t.zip=${encodeURIComponent('"><b>')}`,
    );
    expect(ad.html).not.toContain('<script');
    expect(ad.html).not.toContain('"><b>');
  });
});
