import { describe, expect, it } from '@jest/globals';
import * as labels from '@forecourt/marketplace-api/labels';
import { isSoldIn, msrpIn, nameKey, slugFromName } from '@forecourt/marketplace-api/catalog';
import { catalog } from './catalog.ts';

const F150 = catalog.findModel('FORD', 'F150')!;
const VARIANTS = catalog.models.flatMap((model) => model.trims.flatMap((trim) => trim.variants));

describe('the catalog', () => {
  it('contains at least 40 makes and 400 models with unique codes and slugs', () => {
    expect(catalog.makes.length).toBeGreaterThanOrEqual(40);
    expect(catalog.models.length).toBeGreaterThanOrEqual(400);
    expect(new Set(catalog.makes.map((make) => make.slug)).size).toBe(catalog.makes.length);
    expect(new Set(catalog.models.map((model) => `${model.makeCode}/${model.code}`)).size).toBe(
      catalog.models.length,
    );
    expect(new Set(catalog.models.map((model) => `${model.makeCode}/${model.slug}`)).size).toBe(
      catalog.models.length,
    );
  });

  it.each([
    ['ford', 'f150', 'F150', 'F-150'],
    ['ford', 'f-150', 'F150', 'F-150'],
    ['jeep', 'grand-cherokee', 'GRANDCHEROKEE', 'Grand Cherokee'],
    ['mercedes-benz', 'c-class', 'CCLASS', 'C-Class'],
    ['honda', 'cr-v', 'CRV', 'CR-V'],
    ['toyota', 'mirai', 'MIRAI', 'Mirai'],
    ['tesla', 'model-3', 'MODEL3', 'Model 3'],
    ['ram', 'promaster-2500', 'PROMASTER2500', 'ProMaster 2500'],
  ])('resolves the path /%s/%s to its model', (makeSlug, modelSlug, code, name) => {
    const make = catalog.findMakeBySlug(makeSlug);
    expect(catalog.findModelBySlug(make?.code ?? '', modelSlug)).toMatchObject({ code, name });
  });

  it('resolves every slug of its own makes, models and trims', () => {
    for (const make of catalog.makes) {
      expect(catalog.findMakeBySlug(make.slug)).toBe(make);
      for (const model of make.models) {
        expect(catalog.findModelBySlug(make.code, model.slug)).toBe(model);
        for (const trim of model.trims) {
          const key = nameKey(slugFromName(trim.name));
          expect(model.trims.find(({ name }) => nameKey(name) === key)).toBe(trim);
        }
      }
    }
  });

  it('returns nothing for an unknown make or model', () => {
    expect(catalog.findMakeBySlug('yugo')).toBeUndefined();
    expect(catalog.findModelBySlug('FORD', 'camry')).toBeUndefined();
    expect(catalog.findModel('FORD', 'CAMRY')).toBeUndefined();
  });

  it('finds a make by alias and in any spelling', () => {
    expect(catalog.findMakeByName('Chevy')?.code).toBe('CHEVROLET');
    expect(catalog.findMakeByName('MERCEDES BENZ')?.code).toBe('MERCEDESBENZ');
    expect(catalog.findMakeByName('RAM')?.name).toBe('Ram');
  });

  it('builds trim codes from model and trim', () => {
    const trimCodes = (year: number) =>
      F150.trims
        .filter(({ variants }) => variants.some((variant) => isSoldIn(variant, year)))
        .map(({ code }) => code);
    expect(trimCodes(2024)).toContain('F150|XLT');
    expect(trimCodes(1995)).toEqual([]);
  });

  it('contains plausible facts for every variant', () => {
    for (const variant of VARIANTS) {
      expect(variant.firstYear).toBeLessThanOrEqual(variant.lastYear);
      expect(isSoldIn(variant, variant.lastYear)).toBe(true);
      expect(variant.msrp).toBeGreaterThan(13_000);
      const isElectric = variant.fuel === 'ELE' || variant.fuel === 'HYD';
      expect(Boolean(variant.engineCode)).toBe(!isElectric);
      if (variant.fuel === 'PIH') expect(variant.electricRange).toBeGreaterThan(5);
      if (variant.bodyStyle === 'TRUCKS') expect(variant.cabs.length).toBeGreaterThan(0);
    }
  });

  it('contains a label for every code of a variant', () => {
    for (const variant of VARIANTS) {
      const subtypes = { ...labels.SUV_SUBTYPES, ...labels.VAN_SUBTYPES, ...labels.SEDAN_SUBTYPES };
      if (variant.bodySubtype) expect(subtypes).toHaveProperty(variant.bodySubtype);
      if (variant.engineCode) expect(labels.CYLINDERS).toHaveProperty(variant.engineCode);
      expect(labels.DOORS).toHaveProperty(String(variant.doors));
      for (const cab of variant.cabs) expect(labels.TRUCK_CABS).toHaveProperty(cab);
      for (const bed of variant.beds) expect(labels.TRUCK_BEDS).toHaveProperty(bed);
      for (const drive of variant.drives) expect(labels.DRIVES).toHaveProperty(drive);
    }
  });

  it('lists older model years at lower prices', () => {
    const variant = F150.trims.find((trim) => trim.name === 'XLT')?.variants[0];
    if (!variant) throw new Error('No F-150 XLT');
    expect(msrpIn(variant, 2018)).toBeLessThan(msrpIn(variant, 2024));
  });
});
