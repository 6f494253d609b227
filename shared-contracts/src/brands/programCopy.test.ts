import { describe, expect, it } from '@jest/globals';
import { LISTING_TYPE_LABELS } from '../entities/codes.ts';
import { BRANDS } from './brands.ts';
import { priceCapText, programCopyOf, THIRD_PARTY_WARRANTY_TEXT } from './programCopy.ts';

const copy = programCopyOf(BRANDS.oem);
const text = copy?.points.join(' ') ?? '';

describe('the words of the certified program', () => {
  it('belong to the manufacturer brand alone [A1-CERT-01]', () => {
    expect(copy?.points).toHaveLength(3);
    expect(programCopyOf(BRANDS.atc)).toBeUndefined();
    expect(programCopyOf(BRANDS.kbb)).toBeUndefined();
  });

  it('state the money-back guarantee [A9-COPY-01] [B9-MISC-04]', () => {
    expect(text).toContain('money-back guarantee of 14 days or 1,000 miles');
  });

  it('state which vehicles are admitted [A9-COPY-02]', () => {
    expect(text).toContain('up to six years old with under 80,000 miles');
  });

  it('state the inspection [A9-COPY-03]', () => {
    expect(text).toContain('172-point inspection');
  });

  it('have condition words in lower case [A1-CERT-02]', () => {
    const all = [copy?.heading, copy?.intro, text, priceCapText(BRANDS.oem, { maxPrice: ['20000'] })].join(
      ' ',
    );
    for (const label of Object.values(LISTING_TYPE_LABELS)) expect(all).not.toContain(` ${label} `);
  });

  it('say under $20,000 on the price-cap page, and only there [A9-COPY-04]', () => {
    expect(priceCapText(BRANDS.oem, { maxPrice: ['20000'] })).toContain('under $20,000');
    expect(priceCapText(BRANDS.oem, { maxPrice: ['20000'], minPrice: ['1000'] })).toBeUndefined();
    expect(priceCapText(BRANDS.oem, { maxPrice: ['15000'] })).toBeUndefined();
    expect(priceCapText(BRANDS.atc, { maxPrice: ['20000'] })).toBeUndefined();
  });
});

it('states the limited warranty of a third-party certification [B9-MISC-05]', () => {
  expect(THIRD_PARTY_WARRANTY_TEXT).toContain('limited warranty of 30-90 days');
});
