import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { Catalog } from '../../domain/catalog.ts';
import { FEATURES } from '@forecourt/upstream/features';
import type { VehicleNode } from '../listingIndex/vehicleTree.ts';

/** A possible meaning of typed words: filters with a label. */
export interface KeywordEntry {
  readonly label: string;
  /** Other words that find it. */
  readonly aliases?: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Number of matching listings when the entry was made; heavier entries rank higher. */
  readonly weight: number;
}

type Weighted = VehicleNode & { readonly count: number };

const PLURALS: Readonly<Record<string, string>> = {
  'Van / Minivan': 'Vans and Minivans',
  'SUV / Crossover': 'SUVs and Crossovers',
};
const plural = (label: string) => PLURALS[label] ?? (/[sh]$/.test(label) ? `${label}es` : `${label}s`);

/** Makes, models and trims for sale. */
function vehicleEntries(vehicles: readonly Weighted[], catalog: Catalog): KeywordEntry[] {
  const entries = new Map<
    string,
    { label: string; aliases?: string; filters: KeywordEntry['filters']; weight: number }
  >();
  const add = (label: string, filters: KeywordEntry['filters'], count: number, aliases?: string) => {
    const entry = entries.get(label);
    if (entry) entry.weight += count;
    else entries.set(label, { label, filters, weight: count, ...(aliases && { aliases }) });
  };
  for (const { make, model, trim, count } of vehicles) {
    const aliases = catalog.findMake(make.code)?.aliases.join(' ');
    const makeFilter = { makeCode: [make.code] };
    const modelFilter = { ...makeFilter, modelCode: [model.code] };
    add(make.name, makeFilter, count, aliases);
    add(`${make.name} ${model.name}`, modelFilter, count, aliases);
    if (trim)
      add(
        `${make.name} ${model.name} ${trim.name}`,
        { ...modelFilter, trimCode: [trim.code] },
        count,
        aliases,
      );
  }
  return [...entries.values()];
}

/** 'Ford Trucks', 'Toyota Hybrid': makes with their body styles and fuels. */
function makeEntries(makeWeights: ReadonlyMap<string, number>, catalog: Catalog): KeywordEntry[] {
  const pairs = new Map<string, KeywordEntry>();
  for (const model of catalog.models) {
    const make = catalog.findMake(model.makeCode);
    const weight = makeWeights.get(model.makeCode) ?? 0;
    if (!make || weight === 0) continue;
    const add = (label: string, name: string, value: string) =>
      pairs.set(label, {
        label,
        filters: { makeCode: [make.code], [name]: [value] },
        weight: weight / 10,
        ...(make.aliases.length > 0 && { aliases: make.aliases.join(' ') }),
      });
    for (const { bodyStyle, fuel } of model.trims.flatMap(({ variants }) => variants)) {
      add(`${make.name} ${plural(BODY_STYLES[bodyStyle].label)}`, 'vehicleStyleCode', bodyStyle);
      if (fuel !== 'GSL') add(`${make.name} ${FUEL_GROUPS[fuel]}`, 'fuelTypeGroup', fuel);
    }
  }
  return [...pairs.values()];
}

const STYLES = Object.entries(BODY_STYLES);
const FUELS = Object.entries(FUEL_GROUPS);
/** Common words that are missing from the label of a style or fuel. */
const ALIASES: Readonly<Record<string, string>> = {
  TRUCKS: 'pickup',
  SUVCROSS: '4x4 jeep crossover',
  HATCH: 'wagon',
  CONVERT: 'roadster cabriolet',
  ELE: 'ev bev battery',
  PIH: 'phev',
};

/** Conditions, styles, fuels, features, deals and sellers. */
function plainEntries(total: number): KeywordEntry[] {
  const entry = (label: string, name: string, value: string, share: number): KeywordEntry => ({
    label,
    filters: { [name]: value.split(',') },
    weight: total * share,
    ...(ALIASES[value] && { aliases: ALIASES[value] }),
  });
  return [
    ...Object.entries(LISTING_TYPE_LABELS).map(([code, label]) =>
      entry(`${label} Cars`, 'listingType', code, 0.2),
    ),
    ...STYLES.map(([code, { label }]) => entry(plural(label), 'vehicleStyleCode', code, 0.1)),
    ...FUELS.map(([code, label]) => entry(`${label} Cars`, 'fuelTypeGroup', code, 0.1)),
    ...FUELS.flatMap(([fuel, label]) =>
      STYLES.map(([style, { label: styleLabel }]): KeywordEntry => ({
        label: `${label} ${plural(styleLabel)}`,
        filters: { fuelTypeGroup: [fuel], vehicleStyleCode: [style] },
        weight: total * 0.01,
        aliases: `${ALIASES[fuel] ?? ''} ${ALIASES[style] ?? ''}`,
      })),
    ),
    ...Object.entries(FEATURES).map(([code, label]) => entry(label, 'featureCode', code, 0.02)),
    entry('All-Wheel and Four-Wheel Drive', 'driveGroup', 'AWD4WD', 0.05),
    entry('Great and Good Prices', 'dealType', 'greatprice,goodprice', 0.05),
    entry('For Sale by Owner', 'sellerType', 'p', 0.05),
    entry('Buy Online', 'homeServices', 'BUY_ONLINE', 0.05),
    entry('Commercial Vehicles', 'vehicleUseType', 'COMMERCIAL', 0.02),
  ];
}

const CONDITIONS = ['NEW', 'USED', 'CERTIFIED'] as const;

/** 'Used Ford F-150', 'New Toyota Trucks': makes and models in each condition, without trims. */
const inEachCondition = (entries: readonly KeywordEntry[]): KeywordEntry[] =>
  entries
    .filter(({ filters }) => !filters['trimCode'])
    .flatMap((entry) =>
      CONDITIONS.map((code) => ({
        ...entry,
        label: `${LISTING_TYPE_LABELS[code]} ${entry.label}`,
        filters: { ...entry.filters, listingType: [code] },
        weight: entry.weight / 10,
      })),
    );

/** Everything that can be suggested for the current stock. */
export function keywordEntries(vehicles: readonly Weighted[], catalog: Catalog): KeywordEntry[] {
  const makeWeights = new Map<string, number>();
  for (const { make, count } of vehicles)
    makeWeights.set(make.code, (makeWeights.get(make.code) ?? 0) + count);
  const total = vehicles.reduce((sum, { count }) => sum + count, 0);
  const namedEntries = [...vehicleEntries(vehicles, catalog), ...makeEntries(makeWeights, catalog)];
  return [...namedEntries, ...inEachCondition(namedEntries), ...plainEntries(total)];
}
