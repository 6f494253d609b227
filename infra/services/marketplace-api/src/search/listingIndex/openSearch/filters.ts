import { highestPriceWithin } from '@forecourt/search/criteria';
import { radiusChord } from '../filters.ts';
import { type DroppableFilter, FACET_NAMES, type ListingQuery, type NumericRange } from '../listingIndex.ts';
import { type GeoArea, type GeoPoint, unitVector } from '../../../domain/places/index.ts';
import { facetField, STOCK } from './mapping.ts';
import { term, type Vocabulary } from './vocabulary.ts';

/** A clause of the query language. */
export type Clause = Readonly<Record<string, unknown>>;
export type FilterKey = DroppableFilter | 'vehicle';

/** Above every value of the fields, as in the embedded index. */
const GREATEST = 2 ** 30 - 1;
/** Miles: candidates of a radius by the rounded position, which a script compares exactly. */
const CANDIDATE_MARGIN = 0.01;

/** Squared chord from a center to the listing's seller, by the arithmetic of the embedded index. */
export const CHORD_SCRIPT =
  "double dx = doc['x'].value - params.x; double dy = doc['y'].value - params.y; " +
  "double dz = doc['z'].value - params.z; double chord = dx * dx + dy * dy + dz * dz;";

/** Parameters of `CHORD_SCRIPT`. */
export function chordParams(center: GeoPoint) {
  const [x, y, z] = unitVector(center);
  return { x, y, z };
}

const terms = (field: string, values: readonly string[]): Clause => ({ terms: { [field]: values } });
const anyOf = (should: readonly Clause[]): Clause => ({ bool: { should, minimum_should_match: 1 } });

const around = ({ latitude, longitude }: GeoPoint, miles: number): Clause => ({
  geo_distance: { distance: `${miles}mi`, location: { lat: latitude, lon: longitude } },
});

/** Listings around a center, and some that are up to `CANDIDATE_MARGIN` beyond. */
export const nearby = (center: GeoPoint, miles: number): Clause => around(center, miles + CANDIDATE_MARGIN);

function within(center: GeoPoint, miles: number): Clause {
  const params = { ...chordParams(center), limit: radiusChord(miles) };
  const exactly = { script: { script: { source: `${CHORD_SCRIPT} chord <= params.limit`, params } } };
  const onTheEdge = { bool: { filter: [nearby(center, miles), exactly] } };
  // The script takes longer than everything else, so it runs where it may decide only.
  return miles > CANDIDATE_MARGIN ? anyOf([around(center, miles - CANDIDATE_MARGIN), onTheEdge]) : onTheEdge;
}

/** Listings with a value in the range. */
const inRange = (field: string, { min = 0, max = GREATEST }: NumericRange): Clause => ({
  range: { [field]: { gte: Math.trunc(Math.min(min, GREATEST)), lte: Math.trunc(Math.min(max, GREATEST)) } },
});

function locationOf({ center, radius, state, city, extendedDelivery }: ListingQuery): Clause | undefined {
  if (center ? !radius : state === undefined && city === undefined) return undefined;
  const inPlace: Clause = {
    bool: {
      filter: [
        ...(state === undefined ? [] : [{ term: { state: term(state) } }]),
        ...(city === undefined ? [] : [{ term: { city: term(city) } }]),
      ],
    },
  };
  const local = center && radius ? within(center, radius) : inPlace;
  return extendedDelivery ? anyOf([local, { term: { extendedDelivery: true } }]) : local;
}

/** Sellers in a box, without its northern and eastern edges. */
const areaClause = ({ south, west, north, east }: GeoArea): Clause => ({
  bool: {
    filter: [
      { range: { latitude: { gte: south, lt: north } } },
      { range: { longitude: { gte: west, lt: east } } },
    ],
  },
});

function vehicleOf(selection: NonNullable<ListingQuery['vehicle']>, vocabulary: Vocabulary): Clause {
  if (selection.models.length === 0 && selection.trims.length === 0)
    return terms('make', selection.makes.map(term));
  return terms('vehicle', vocabulary.vehicleTerms(vocabulary.vehicles.admitted(selection)));
}

/** Every keyword begins a word of make, model, trim or a label, or is the year. */
const keywordClause = (keywords: readonly string[], vocabulary: Vocabulary): Clause => ({
  bool: {
    filter: keywords.map((keyword) =>
      anyOf([
        terms('vehicle', vocabulary.nodesWithWord(keyword)),
        ...(vocabulary.years.has(keyword) ? [{ term: { year: Number(keyword) } }] : []),
        ...vocabulary.labelTerms(keyword).map(({ name, terms: codes }) => terms(facetField(name), codes)),
      ]),
    ),
  },
});

/** Ids, owners and paid tier that a search is limited to; counts never ignore them. */
const scopeOf = ({ ids, excludedIds, ownerIds, paidTier }: ListingQuery) => ({
  filter: [
    ...(ids ? [terms('id', ids)] : []),
    ...(ownerIds ? [terms('ownerId', ownerIds)] : []),
    ...(paidTier ? [{ term: { tier: paidTier } }] : []),
  ],
  excluded: excludedIds?.length ? [terms('id', excludedIds)] : [],
});

/** The filters of one search as clauses, in the order of the embedded index. */
export class QueryFilters {
  readonly clauses = new Map<FilterKey, Clause>();
  private readonly scope: ReturnType<typeof scopeOf>;

  constructor(query: ListingQuery, vocabulary: Vocabulary) {
    this.scope = scopeOf(query);
    const add = (key: FilterKey, clause: Clause | undefined) => {
      if (clause) this.clauses.set(key, clause);
    };
    const addRange = (key: FilterKey, field: string, range: NumericRange | undefined) =>
      add(key, range && inRange(field, range));

    add('location', locationOf(query));
    add('area', query.area && areaClause(query.area));
    for (const name of FACET_NAMES) {
      const values = query.facets?.[name];
      if (values?.length) add(name, terms(facetField(name), values.map(term)));
    }
    const { vehicle, electricRange: miles, maxMileage, minMpg, payment, keywords } = query;
    if (vehicle && vehicle.makes.length + vehicle.models.length + vehicle.trims.length > 0)
      add('vehicle', vehicleOf(vehicle, vocabulary));
    addRange('year', 'year', query.year);
    addRange('price', 'price', query.price);
    addRange('monthlyPayment', 'price', payment && { max: highestPriceWithin(payment) });
    addRange('mileage', 'mileage', maxMileage === undefined ? undefined : { max: maxMileage });
    addRange('mpg', 'mpg', minMpg === undefined ? undefined : { min: minMpg });
    if (miles === 'UNSPECIFIED') add('electricRange', { term: { isRangeUnspecified: true } });
    else addRange('electricRange', 'electricRange', miles === undefined ? undefined : { min: miles });
    if (keywords?.length) add('keyword', keywordClause(keywords, vocabulary));
  }

  /** Listings that pass all filters, or all but `dropped`, and an `added` one. */
  query(dropped?: FilterKey, added?: Clause): Clause {
    const passing = [...this.clauses].flatMap(([key, clause]) => (key === dropped ? [] : [clause]));
    const filter = [...this.scope.filter, ...passing, ...(added ? [added] : [])];
    return { bool: { filter: filter.length > 0 ? filter : [STOCK], must_not: this.scope.excluded } };
  }
}
