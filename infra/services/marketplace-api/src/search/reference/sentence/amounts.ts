import { SEARCH_RADIUS_OPTIONS } from '@forecourt/search/criteria';
import {
  applyRules,
  AT_LEAST,
  AT_MOST,
  leaveOut,
  numberOf,
  OR_LESS,
  OR_MORE,
  type Reading,
  type Rule,
  rule,
  setValue,
} from './reading.ts';

const MILES = String.raw`(\d+(?:\.\d+)? ?(?:k\b|thousand\b)?) ?(?:miles|mile|mi)\b`;
const YEAR = String.raw`((?:19[5-9]|20[0-4])\d)`;
/** 'Low mileage' in miles. */
const LOW_MILEAGE = 30_000;

/** The smallest offered radius that is at least as large. */
const radiusFor = (miles: number): number =>
  SEARCH_RADIUS_OPTIONS.find((option) => option >= miles) ?? Math.max(...SEARCH_RADIUS_OPTIONS);

const startIn = (reading: Reading, year: number | string) => setValue(reading, 'startYear', year);
const endIn = (reading: Reading, year: number | string) => setValue(reading, 'endYear', year);

/** First and last year of 'early', 'mid' and 'late' in a decade. */
const PART_OF_DECADE: Readonly<Record<string, readonly [number, number]>> = {
  early: [0, 3],
  mid: [4, 6],
  late: [7, 9],
};

const YEARS: readonly Rule[] = [
  rule(`(?:between|from)? ?${YEAR} ?(?:-|to|and|through|thru|until) ?${YEAR}`, (reading, [, a, b]) => {
    startIn(reading, Math.min(Number(a), Number(b)));
    endIn(reading, Math.max(Number(a), Number(b)));
  }),
  rule(
    String.raw`${YEAR} ?(?:\+(?!\w)|(?:or|and|&) (?:newer|later|up|above|after|more recent|on|onwards?|beyond)|onwards?|minimum)`,
    (reading, [, a]) => startIn(reading, a!),
  ),
  rule(String.raw`(\d{2}) (?:or|and) (?:newer|later)`, (reading, [, a]) => startIn(reading, `20${a}`)),
  rule(`${YEAR} (?:or|and) (?:older|earlier|before|below)`, (reading, [, a]) => endIn(reading, a!)),
  rule(
    `(?:no|not|nothing|none|not any|never) (?:cars? |vehicles? |trucks? )?(?:older|earlier) than (?:a )?${YEAR}|(?:nothing|not|none) before ${YEAR}`,
    (reading, [, a, b]) => startIn(reading, (a || b)!),
  ),
  rule(`(?:no|not|nothing|none) (?:newer|later) than (?:a )?${YEAR}`, (reading, [, a]) => endIn(reading, a!)),
  rule(`(?:newer than|later than|after) (?:a )?${YEAR}`, (reading, [, a]) => startIn(reading, Number(a) + 1)),
  rule(`(?:since|from|at least|starting|minimum|min)(?: an?| the)?(?: year)? ${YEAR}`, (reading, [, a]) =>
    startIn(reading, a!),
  ),
  rule(`(?:older than|earlier than|before|pre) ?-?(?:a )?${YEAR}`, (reading, [, a]) =>
    endIn(reading, Number(a) - 1),
  ),
  rule(`(?:up to|until) ${YEAR}`, (reading, [, a]) => endIn(reading, a!)),
  rule(String.raw`(?:(early|mid|late)[ -]?)?((?:19|20)\d|[789])0 ?s`, (reading, [, part, tens]) => {
    const [first, last] = PART_OF_DECADE[part ?? ''] ?? [0, 9];
    const decade = tens!.length === 1 ? Number(`19${tens}0`) : Number(tens) * 10;
    startIn(reading, decade + first);
    endIn(reading, decade + last);
  }),
];

const ONE_YEAR = rule(`(?:year )?${YEAR}(?: ?ish)?(?: model(?: year)?)?`, (reading, [text, a]) => {
  if (reading.filters.has('startYear') || reading.filters.has('endYear')) return false;
  const about = text!.includes('ish') ? 1 : 0;
  startIn(reading, Number(a) - about);
  endIn(reading, Number(a) + about);
  return true;
});

const YEARS_OLD = String.raw`(\d{1,2}) ?-?(?:years?|yrs?|yr)`;

/** 'Less than 5 years old'. */
const ages = (currentYear: number): readonly Rule[] => [
  rule(
    String.raw`(?:${AT_MOST}|last|past|newer than|(?:no|not|nothing) older than|max(?:imum)?)(?: the)?(?: last| past)? ${YEARS_OLD}(?: old| of age)?`,
    (reading, [, a]) => startIn(reading, currentYear - Number(a)),
  ),
  rule(`${YEARS_OLD} old (?:or (?:newer|less|younger)|max(?:imum)?|at most|tops)`, (reading, [, a]) =>
    startIn(reading, currentYear - Number(a)),
  ),
  rule(`(?:over|more than|older than|at least) ${YEARS_OLD} old`, (reading, [, a]) =>
    endIn(reading, currentYear - Number(a)),
  ),
  // Of a driver, most likely.
  rule(`${YEARS_OLD} ?-?old`, leaveOut),
];

const DISTANCES: readonly Rule[] = [
  rule(
    String.raw`(?:within|in|inside) (?:an? )?(\d{1,3}) ?-? ?(?:miles?|mi)(?: radius)?(?: drive)?(?: (?:of|from|around) (?:me|here|home|my (?:house|home|place|zip)))?(?= (?:of|from|around|near)\b| ?$| \|)`,
    (reading, [, a]) => setValue(reading, 'searchRadius', radiusFor(Number(a))),
  ),
  rule(
    String.raw`(\d{1,3}) ?-? ?(?:miles?|mi)(?: radius)? (?:(?:of|from|around) (?:me|here|home)|(?:of|from|around)(?= \w))`,
    (reading, [, a]) => setValue(reading, 'searchRadius', radiusFor(Number(a))),
  ),
  rule(
    'nation ?wide|any distance|(?:or |from )?anywhere(?: in the (?:us|usa|country|states))?|across the country|whole country|coast to coast|(?:willing to|will|can|happy to) travel',
    (reading) => setValue(reading, 'searchRadius', 0),
  ),
];

const ECONOMY: readonly Rule[] = [
  rule(
    String.raw`(?:gets? |getting |with )?(?:${AT_LEAST} )?(\d{2,3}) ?\+? ?(?:mpg|miles (?:per|to the|a) gallon)(?: (?:highway|hwy|city|combined|average))?(?: ${OR_MORE})?`,
    (reading, [, a]) => setValue(reading, 'mpgRange', `${a}-MPG`),
  ),
  rule(String.raw`mpg (?:of )?(?:${AT_LEAST} )(\d{2,3})`, (reading, [, a]) =>
    setValue(reading, 'mpgRange', `${a}-MPG`),
  ),
  rule(
    String.raw`(?:with )?(?:(?:an?|${AT_LEAST}) )?(\d{2,3}) ?\+? ?-?(?:miles?|mi)(?: ${OR_MORE})? (?:of )?(?:electric |ev |battery )?range`,
    (reading, [, a]) => setValue(reading, 'electricMileRange', a!),
  ),
  rule(
    String.raw`(?:electric |ev )?range (?:of )?(?:${AT_LEAST} )?(\d{2,3}) ?(?:\+|(?:miles?|mi))?(?: ${OR_MORE})?`,
    (reading, [, a]) => setValue(reading, 'electricMileRange', a!),
  ),
];

/** Miles that say how somebody drives, not how far a vehicle has been driven, and minimums. */
const OTHER_MILES: readonly Rule[] = [
  rule(
    String.raw`(?:(?:i|we|drive|driving|commute|about|around|over) )*\d+k? ?-?(?:miles?|mi)(?: round ?trip| each way| one way| (?:a|per|each|every) (?:day|week|month|year)| daily| commutes?)(?: commutes?)?`,
    leaveOut,
  ),
  rule(`(?<!no |not )(?:with )?${AT_LEAST} ${MILES}`, leaveOut),
];

/** Amounts of something that no filter knows. */
const OTHER_AMOUNTS: readonly Rule[] = [
  rule(
    String.raw`(?:${AT_LEAST} |${AT_MOST} )?\d[\d.]*k? ?-?(?:lbs?|pounds|hp|horsepower|inch(?:es)?|inch|cubic (?:feet|ft)|kids|children|adults|dogs|tons?|cc|mph|kwh|kw|km|kms|hours?|minutes?|mins?|speakers?|airbags?|keys)`,
    leaveOut,
  ),
];

const MILEAGES: readonly Rule[] = [
  rule(String.raw`between (\d+k?) (?:and|to|-) ${MILES}`, (reading, [, , a]) =>
    setValue(reading, 'mileage', numberOf(a!)),
  ),
  rule(String.raw`(?:with )?\d+k? ?(?:-|to) ?${MILES}`, (reading, [, a]) =>
    setValue(reading, 'mileage', numberOf(a!)),
  ),
  rule(`(?:with )?(?:${AT_MOST} )?${MILES}(?: ${OR_LESS})?`, (reading, [, a]) =>
    setValue(reading, 'mileage', numberOf(a!)),
  ),
  rule(
    String.raw`(?<!gas |fuel )(?:mileage|miles|odometer) (?:is |at )?${AT_MOST} (\d+(?:\.\d+)? ?(?:k\b|thousand\b)?)`,
    (reading, [, a]) => setValue(reading, 'mileage', numberOf(a!)),
  ),
  rule(
    String.raw`(?:${AT_MOST} )?(\d+ ?(?:k|thousand)?) on (?:it|the (?:clock|odometer|odo|dash))`,
    (reading, [, a]) => setValue(reading, 'mileage', numberOf(a!)),
  ),
  rule(
    '(?:with )?(?:low(?:er|est)?|few(?:er)?|not (?:too|very|a lot of)(?: many)?|not many|no high|not high|without high|reasonable) (?:mileage|miles)',
    (reading) => setValue(reading, 'mileage', LOW_MILEAGE),
  ),
];

const ENGINES: readonly Rule[] = [
  rule(String.raw`(\d\.\d) ?-?(?:l|liters?|litres?)`, (reading, [, a]) =>
    setValue(reading, 'engineDisplacement', `${a}L`),
  ),
];

/** Takes years, fuel economy, distances, mileages and engine sizes out of the sentence, in the order that tells them apart. */
export function readAmounts(reading: Reading, currentYear: number): void {
  applyRules(reading, [
    ...ages(currentYear),
    ...YEARS,
    ...ECONOMY,
    ...DISTANCES,
    ...OTHER_MILES,
    ...MILEAGES,
    ...ENGINES,
    ...OTHER_AMOUNTS,
  ]);
}

/** Takes out a single year, after models such as the 2008 were found. */
export const readYear = (reading: Reading): void => applyRules(reading, [ONE_YEAR]);
