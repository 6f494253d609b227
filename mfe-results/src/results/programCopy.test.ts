import { programCopyOf, priceCapText, THIRD_PARTY_WARRANTY_TEXT } from './CertifiedProgram.tsx';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { describe, it, expect } from '@jest/globals';
import { LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';

const copy = programCopyOf(BRANDS.oem);

const text = copy?.points.join(' ') ?? '';

describe('copy of the certified program', () => {
  // rows: A1-CERT-01
  it('returns program copy for the manufacturer brand only', () => {
    expect(copy?.points).toHaveLength(3);
    expect(programCopyOf(BRANDS.atc)).toBeUndefined();
    expect(programCopyOf(BRANDS.kbb)).toBeUndefined();
  });

  // rows: A9-COPY-01, B9-MISC-04
  it('states the money-back guarantee', () => {
    expect(text).toContain('money-back guarantee of 14 days or 1,000 miles');
  });

  // rows: A9-COPY-02
  it('states which vehicles are admitted', () => {
    expect(text).toContain('up to six years old with under 80,000 miles');
  });

  // rows: A9-COPY-03
  it('states the inspection', () => {
    expect(text).toContain('172-point inspection');
  });

  // rows: A1-CERT-02
  it('writes condition words of the program copy in lower case', () => {
    const all = [copy?.heading, copy?.intro, text, priceCapText(BRANDS.oem, { maxPrice: ['20000'] })].join(
      ' ',
    );
    for (const label of Object.values(LISTING_TYPE_LABELS)) expect(all).not.toContain(` ${label} `);
  });

  // rows: A9-COPY-04
  it('says under $20,000 on the price-cap page only', () => {
    expect(priceCapText(BRANDS.oem, { maxPrice: ['20000'] })).toContain('under $20,000');
    expect(priceCapText(BRANDS.oem, { maxPrice: ['20000'], minPrice: ['1000'] })).toBeUndefined();
    expect(priceCapText(BRANDS.oem, { maxPrice: ['15000'] })).toBeUndefined();
    expect(priceCapText(BRANDS.atc, { maxPrice: ['20000'] })).toBeUndefined();
  });
});

// rows: B9-MISC-05
it('states the limited warranty of a third-party certification', () => {
  expect(THIRD_PARTY_WARRANTY_TEXT).toContain('limited warranty of 30-90 days');
});
