import { describe, expect, it } from '@jest/globals';
import { BRANDS, BRAND_CODES, FLAGS, resolveFlags } from './brands.ts';

describe('brands', () => {
  // rows: B1-BRAND-01, B1-BRAND-02
  it('defines the main, the valuation and the manufacturer brand', () => {
    expect(BRAND_CODES.map((code) => BRANDS[code].code)).toEqual(['atc', 'kbb', 'oem']);
    expect(BRANDS.kbb.channel).toBe('KBB');
    for (const brand of [BRANDS.atc, BRANDS.kbb])
      expect(brand).toMatchObject({ cityPreposition: 'in', copyCase: 'title', hasSingleMakeGroup: false });
    expect(BRANDS.oem).toMatchObject({
      cityPreposition: 'near',
      copyCase: 'lower',
      hasSingleMakeGroup: true,
    });
  });

  // rows: B9-FIXED-02
  it.each(BRAND_CODES)('refreshes the fixed ad of %s up to ten times', (code) => {
    expect(BRANDS[code].fixedAdRefreshLimit).toBe(10);
  });
});

describe('flags', () => {
  it('are on, except those that change or hide a part of the page', () => {
    const off = Object.entries(FLAGS).flatMap(([name, isOn]) => (isOn ? [] : [name]));
    expect(off).toEqual([
      'saveSearchOff',
      'walletNotification',
      'fluidAds',
      'spotlightCarousel',
      'peekaboo',
      'alphaExactMatch',
      'alphaTimedHide',
      'alphaSponsorshipOnly',
      'clearExperience',
    ]);
  });

  it('resolves each flag to its default or its override', () => {
    expect(resolveFlags(BRANDS.atc)).toEqual(FLAGS);
    expect(resolveFlags(BRANDS.atc, { compare: false, fluidAds: true })).toEqual({
      ...FLAGS,
      compare: false,
      fluidAds: true,
    });
  });

  it('drops flags with unknown names', () => {
    expect(resolveFlags(BRANDS.atc, { nonsense: true } as object)).toEqual(FLAGS);
  });

  // rows: B6-FLAG-12
  it('enables the wallet only for brands that have one', () => {
    expect(resolveFlags(BRANDS.kbb).wallet).toBe(true);
    expect(resolveFlags(BRANDS.oem, { wallet: true, walletNotification: true })).toMatchObject({
      wallet: false,
      walletNotification: false,
    });
  });

  // rows: B6-FLAG-02
  it('disables the wallet notification without the wallet', () => {
    expect(resolveFlags(BRANDS.atc, { walletNotification: true }).walletNotification).toBe(true);
    expect(resolveFlags(BRANDS.atc, { walletNotification: true, wallet: false }).walletNotification).toBe(
      false,
    );
  });
});
