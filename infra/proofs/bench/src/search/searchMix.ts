const ZIPS = ['60601', '10001', '90012', '30303', '75201', '80202', '98101', '33101'];
/** Make and model codes of the inventory. */
const VEHICLES = [
  ['RAM', '1500'],
  ['FORD', 'F150'],
  ['TOYOTA', 'RAV4'],
  ['CHEVROLET', 'SILVERADO1500'],
  ['JEEP', 'WRANGLER'],
  ['TOYOTA', 'CAMRY'],
  ['HONDA', 'CRV'],
  ['HONDA', 'CIVIC'],
  ['TESLA', 'MODELY'],
] as const;
const SORTS = [
  'relevance',
  'relevance',
  'relevance',
  'derivedpriceASC',
  'distanceASC',
  'mileageASC',
  'yearDESC',
];

/** A seeded linear congruential generator of numbers from 0 to 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/**
 * Realistic queries of the listing call: mostly near a place, often for a make or model, with a filter or two, a sort
 * and sometimes a later page. Deterministic.
 */
export function searchMix(count: number, seed = 1): string[] {
  const next = sequence(seed);
  const chance = (share: number) => next() < share;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  const list = (): string => {
    const query = new URLSearchParams();
    const sometimes = (share: number, name: string, values: readonly (string | number)[]) => {
      if (chance(share)) query.append(name, String(pick(values)));
    };
    if (chance(0.8)) {
      query.set('zip', pick(ZIPS));
      query.set('searchRadius', String(pick([10, 25, 50, 50, 50, 100, 0])));
    }
    if (chance(0.6)) {
      const [make, model] = pick(VEHICLES);
      query.set('makeCode', make);
      if (chance(0.6)) query.set('modelCode', model);
    }
    sometimes(0.3, 'maxPrice', [15_000, 25_000, 40_000]);
    sometimes(0.2, 'startYear', [2016, 2019, 2022]);
    sometimes(0.1, 'mileage', [60_000]);
    sometimes(0.4, 'listingType', ['NEW', 'USED', 'CERTIFIED']);
    sometimes(0.2, 'vehicleStyleCode', ['SUVCROSS', 'TRUCKS', 'SEDAN']);
    sometimes(0.15, 'fuelTypeGroup', ['ELE', 'GSL', 'HYB']);
    sometimes(0.15, 'featureCode', ['LEATHER', 'SUNROOF']);
    sometimes(0.1, 'driveGroup', ['AWD4WD']);
    query.set('sortBy', pick(SORTS));
    if (chance(0.2)) query.set('firstRecord', '30');
    return query.toString();
  };
  return Array.from({ length: count }, list);
}
