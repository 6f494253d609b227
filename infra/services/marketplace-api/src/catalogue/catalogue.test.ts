import { describe, expect, it } from '@jest/globals';
import * as labels from './labels.ts';
import {
  findMakeByName,
  findMakeBySlug,
  findModelBySlug,
  findTrimBySlug,
  isSoldIn,
  MAKES,
  MODELS,
  msrpIn,
  trimsOf,
} from './catalogue.ts';
import { slugFromName } from './naming.ts';

const VARIANTS = MODELS.flatMap((model) => model.trims.flatMap((trim) => trim.variants));

describe('the catalogue', () => {
  it('has at least 40 makes and 400 models, each code and slug once', () => {
    expect(MAKES.length).toBeGreaterThanOrEqual(40);
    expect(MODELS.length).toBeGreaterThanOrEqual(400);
    expect(new Set(MAKES.map((make) => make.slug)).size).toBe(MAKES.length);
    expect(new Set(MODELS.map((model) => `${model.makeCode}/${model.code}`)).size).toBe(MODELS.length);
    expect(new Set(MODELS.map((model) => `${model.makeCode}/${model.slug}`)).size).toBe(MODELS.length);
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
  ])('resolves /%s/%s', (makeSlug, modelSlug, code, name) => {
    const make = findMakeBySlug(makeSlug);
    expect(findModelBySlug(make?.code ?? '', modelSlug)).toMatchObject({ code, name });
  });

  it('resolves the slugs that it gives out', () => {
    for (const make of MAKES) {
      expect(findMakeBySlug(make.slug)).toBe(make);
      for (const model of make.models) {
        expect(findModelBySlug(make.code, model.slug)).toBe(model);
        for (const trim of model.trims) expect(findTrimBySlug(model, slugFromName(trim.name))).toBe(trim);
      }
    }
  });

  it('knows no unknown make or model', () => {
    expect(findMakeBySlug('yugo')).toBeUndefined();
    expect(findModelBySlug('FORD', 'camry')).toBeUndefined();
    expect(trimsOf('FORD', 'CAMRY')).toEqual([]);
  });

  it('finds a make by how people write it', () => {
    expect(findMakeByName('Chevy')?.code).toBe('CHEVROLET');
    expect(findMakeByName('MERCEDES BENZ')?.code).toBe('MERCEDESBENZ');
    expect(findMakeByName('RAM')?.name).toBe('Ram');
  });

  it('writes trim codes as model and trim', () => {
    expect(trimsOf('FORD', 'F150', 2024).map((trim) => trim.code)).toContain('F150|XLT');
    expect(trimsOf('FORD', 'F150', 1995)).toEqual([]);
  });

  it('says only plausible things about a variant', () => {
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

  it('labels every code that a variant carries', () => {
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

  it('lists older model years for less', () => {
    const variant = trimsOf('FORD', 'F150').find((trim) => trim.name === 'XLT')?.variants[0];
    if (!variant) throw new Error('No F-150 XLT');
    expect(msrpIn(variant, 2018)).toBeLessThan(msrpIn(variant, 2024));
  });
});
