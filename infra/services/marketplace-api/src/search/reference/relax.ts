import { type FilterParam, type FilterValues, withValues, withoutParams } from '@forecourt/search/criteria';

/** What is given up when nothing matches, the least certain first; the radius before what the vehicle is. */
const LEAST_CERTAIN_FIRST: readonly (FilterParam | readonly FilterParam[] | 'radius')[] = [
  'keyword',
  'packages',
  'homeServices',
  'vehicleExchange',
  'featureCode',
  'engineDisplacement',
  'vanSubtypeCode',
  'suvSubtypeCode',
  'sedanSubtypeCode',
  'truckBedLength',
  'bodyStyleSubtypeCode',
  'doorCode',
  'seatCount',
  'engineCode',
  'intColorSimple',
  'dealType',
  'vehicleHistoryType',
  'vehicleUseType',
  'radius',
  'trimCode',
  'extColorSimple',
  'mpgRange',
  'electricMileRange',
  'transmissionCode',
  'driveGroup',
  'mileage',
  'sellerType',
  'listingType',
  'fuelTypeGroup',
  ['startYear', 'endYear'],
  'monthlyPayment',
  ['minPrice', 'maxPrice'],
  'vehicleStyleCode',
  ['modelCode', 'trimCode'],
  'seriesCode',
  'makeCode',
];

interface Relaxed {
  readonly filters: FilterValues;
  /** Number of listings. */
  readonly total: number;
  readonly dropped: readonly FilterParam[];
  /** The whole country is searched. */
  readonly isWidened?: true;
}

interface Step {
  readonly params: readonly FilterParam[];
  readonly apply: (filters: FilterValues) => FilterValues;
}

/** Each step gives up what the filters have; guesses come first. */
function stepsOf(filters: FilterValues, where: FilterValues, guessed: readonly FilterParam[]): Step[] {
  const [radius] = (filters.searchRadius ?? where.searchRadius ?? []).map(Number);
  const isBounded = radius !== 0 && [filters, where].some(({ zip, city }) => zip ?? city);
  const drop = (params: readonly FilterParam[]): Step => ({
    params: params.filter((param) => filters[param]),
    apply: (before) => withoutParams(before, params),
  });
  const widen: Step = { params: [], apply: (before) => withValues(before, 'searchRadius', ['0']) };
  return [
    ...guessed.map((param) => drop([param])),
    ...LEAST_CERTAIN_FIRST.flatMap((part) =>
      part === 'radius' ? (isBounded ? [widen] : []) : [drop(typeof part === 'string' ? [part] : part)],
    ).filter((step) => step === widen || step.params.length > 0),
  ];
}

/**
 * The filters, or as much of them as some listing matches: without the least certain one that suffices alone, otherwise
 * without one after the other.
 */
export async function relax(
  filters: FilterValues,
  {
    where,
    guessed,
    countIn,
  }: {
    /** Place of the search. */
    readonly where: FilterValues;
    readonly guessed: readonly FilterParam[];
    readonly countIn: (filters: FilterValues) => Promise<number>;
  },
): Promise<Relaxed> {
  const total = await countIn(filters);
  if (total > 0) return { filters, total, dropped: [] };
  const steps = stepsOf(filters, where, guessed);
  const relaxed = async (taken: readonly Step[]): Promise<Relaxed> => {
    const remaining = taken.reduce((before, { apply }) => apply(before), filters);
    const isWidened = taken.some(({ params }) => params.length === 0);
    return {
      filters: remaining,
      total: await countIn(remaining),
      dropped: taken.flatMap(({ params }) => params),
      ...(isWidened && { isWidened }),
    };
  };
  for (const step of steps) {
    const one = await relaxed([step]);
    if (one.total > 0) return one;
  }
  for (let length = 2; length <= steps.length; length++) {
    const several = await relaxed(steps.slice(0, length));
    if (several.total > 0) return several;
  }
  return { filters, total, dropped: [] };
}
