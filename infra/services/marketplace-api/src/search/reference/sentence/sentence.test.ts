import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createZipDirectory, createPlaceFinder } from '../../../domain/places/index.ts';
import { describe, expect, it } from '@jest/globals';
import { FILTER_PARAMS, type FilterParam } from '@forecourt/search/criteria';
import fc from 'fast-check';
import { demoContent } from '../../../testing/testApp.ts';
import { createSentenceReader } from './readSentence.ts';

const SENTENCES = readFileSync(join(import.meta.dirname, 'sentences.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const NAMES: Readonly<Record<string, FilterParam | 'sortBy' | 'leftOut'>> = {
  make: 'makeCode',
  model: 'modelCode',
  trim: 'trimCode',
  series: 'seriesCode',
  style: 'vehicleStyleCode',
  fuel: 'fuelTypeGroup',
  color: 'extColorSimple',
  interior: 'intColorSimple',
  cond: 'listingType',
  drive: 'driveGroup',
  gear: 'transmissionCode',
  cyl: 'engineCode',
  size: 'engineDisplacement',
  doors: 'doorCode',
  seats: 'seatCount',
  cab: 'bodyStyleSubtypeCode',
  bed: 'truckBedLength',
  suv: 'suvSubtypeCode',
  sedan: 'sedanSubtypeCode',
  van: 'vanSubtypeCode',
  feat: 'featureCode',
  hist: 'vehicleHistoryType',
  seller: 'sellerType',
  deal: 'dealType',
  home: 'homeServices',
  use: 'vehicleUseType',
  from: 'startYear',
  to: 'endYear',
  min: 'minPrice',
  max: 'maxPrice',
  pay: 'monthlyPayment',
  miles: 'mileage',
  mpg: 'mpgRange',
  range: 'electricMileRange',
  zip: 'zip',
  city: 'city',
  state: 'state',
  radius: 'searchRadius',
  sort: 'sortBy',
  left: 'leftOut',
};

const { catalog } = demoContent;
const vehicles = catalog.models.flatMap((model) => {
  const node = { make: catalog.findMake(model.makeCode)!, model, count: model.yearlySales };
  return [node, ...model.trims.map((trim) => ({ ...node, trim, count: 1 }))];
});
const places = createPlaceFinder(createZipDirectory());
const read = createSentenceReader(vehicles, { catalog, places, currentYear: 2026 });

/** 'color:RED city:Saint Louis left:no rust; older' as filters, order and words that are left out. */
const searchOf = (text: string) =>
  Object.fromEntries(
    text
      .trim()
      .split(/ (?=[a-z]+:)/)
      .filter(Boolean)
      .map((part) => {
        const [name = '', value = ''] = part.split(/:(.*)/);
        const param = NAMES[name]!;
        if (param === 'leftOut') return [param, value.split('; ')];
        return [param, param === 'city' ? [value] : value.split(',')];
      }),
  );

describe('a plain-language search', () => {
  it('is tried with 600 sentences', () => {
    expect(SENTENCES.length).toBeGreaterThanOrEqual(600);
    expect(new Set(SENTENCES).size).toBe(SENTENCES.length);
  });

  it.each(SENTENCES.map((line) => line.split('=>') as [string, string]))(
    'reads "%s" as%s',
    (sentence, expected) => {
      const { filters, sortBy, leftOut } = read(sentence);
      const sorted = Object.fromEntries(
        Object.entries(filters).map(([param, values]) => [
          param,
          ['makeCode', 'modelCode'].includes(param) ? values : [...values].sort(),
        ]),
      );
      expect({
        ...sorted,
        ...(sortBy && { sortBy: [sortBy] }),
        ...(leftOut.length > 0 && { leftOut }),
      }).toEqual(searchOf(expected));
    },
  );

  // rows: A3-CODES-01, A3-CODES-02, A3-CODES-03, A3-CODES-04, A3-CODES-06, B1-SCOPE-06, B2-QP-06
  it.each<[param: FilterParam, code: string, phrases: string]>([
    ['fuelTypeGroup', 'ELE', 'electric, ev, evs, bev, fully electric, all electric, battery electric'],
    ['fuelTypeGroup', 'HYB', 'hybrid, hybrids'],
    ['fuelTypeGroup', 'PIH', 'plug in hybrid, plugin hybrid, phev, plug in, plugin'],
    ['fuelTypeGroup', 'DSL', 'diesel, diesels'],
    ['fuelTypeGroup', 'GSL', 'gas, gasoline, petrol, gas powered'],
    ['fuelTypeGroup', 'HYD', 'hydrogen, fuel cell, fuel cells'],
    ['sellerType', 'p', 'by owner, for sale by owner, fsbo, private seller, private party, from owner'],
  ])('reads all names of %s %s without guessing: %s', (param, code, phrases) => {
    for (const phrase of phrases.split(', '))
      expect([phrase, read(phrase)]).toEqual([
        phrase,
        expect.objectContaining({ filters: { [param]: [code] }, guessed: [], leftOut: [] }),
      ]);
  });

  it.each([
    ['hybrids', []],
    ['diesels', []],
    ['hybird', ['fuelTypeGroup']],
    ['civic 8000', ['maxPrice']],
  ])('guesses of "%s" the filters %j', (words, guessed) => {
    expect(read(words).guessed).toEqual(guessed);
  });

  // A misspelled name is near a whole name; these words are not misspelled.
  it.each(
    `couple while weather charge storage college range trunk explore focused carry company rancher cleaner
    account letter vintage cleaner civilian blank stronger suburbs escaped`.split(/[\s-]+/),
  )('does not take "%s" for a name', (word) => {
    const { filters, guessed } = read(`something with a ${word} for the two of us`);
    expect([guessed, filters.makeCode, filters.modelCode]).toEqual([[], undefined, undefined]);
  });

  it.each(['trucks near constructor', 'trucks in boston constructor', 'trucks near __proto__'])(
    'takes no member of a JavaScript object for a place: %s',
    (sentence) => {
      const { filters } = read(sentence);
      expect(filters).toMatchObject({ vehicleStyleCode: ['TRUCKS'] });
      expect([filters.state, filters.city].flat().filter(Boolean)).toEqual(
        sentence.includes('boston') ? ['MA', 'Boston'] : [],
      );
    },
  );

  it('gives known filters for any text, and the same ones each time', () => {
    const words = SENTENCES.flatMap((line) => line.split('=>')[0]!.trim().split(' '));
    const sentence = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((some) => some.join(' ')),
    );
    fc.assert(
      fc.property(sentence, (text) => {
        const { filters } = read(text);
        for (const [param, values] of Object.entries(filters)) {
          expect(FILTER_PARAMS).toContain(param);
          expect(values.length).toBeGreaterThan(0);
        }
        const [min = 0] = (filters.minPrice ?? []).map(Number);
        expect(min).toBeLessThanOrEqual(Number(filters.maxPrice?.[0] ?? Infinity));
        expect(Number(filters.startYear?.[0] ?? 0)).toBeLessThanOrEqual(Number(filters.endYear?.[0] ?? 9999));
        expect(read(text).filters).toEqual(filters);
      }),
      { numRuns: 300 },
    );
  });
});
