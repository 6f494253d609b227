import { METROS } from '../places/metros.ts';
import { milesBetween, type Place, type ZipDirectory } from '../places/zips.ts';

/** Where the built-in inventory is sold: a metro with its suburbs, or the country between them. */
export interface Market {
  readonly name: string;
  /** Thousands of people. */
  readonly population: number;
  readonly places: readonly Place[];
}

const SUBURB_MILES = 38;
/** Share of stock outside the metros. */
const COUNTRY_SHARE = 0.07;

/**
 * ZIP codes of banks, insurers, schools and barracks stand in the table under
 * their owner's name. No dealer is there; a town called like one is not missed.
 */
const NO_TOWN = new RegExp(
  '\\b(?:' +
    'inc|corp|co|comp|company|ins|insurance|bank|bkcard|card|credit|natl|mutual|life|lending|fund|assoc|club|' +
    'dept|svc|services?|systems?|agency|office|bureau|revenue|lottery|correction(?:al)?|prison|ctr|annex|' +
    'afb|apo|fpo|dpo|jrb|naval|navy|army|marine|air force|airfield|reserve|corps|base|' +
    'univ|university|college|school|institute|hospital|international|express|telephone|brm|mail|box|return|fulfill' +
    ')\\b',
  'i',
);

export const isTown = ({ city }: Pick<Place, 'city'>): boolean => !NO_TOWN.test(city);

/** Every metro with the ZIP codes around it, and one market of all other places. */
export function planMarkets(zips: ZipDirectory): Market[] {
  const suburbs = METROS.map((): Place[] => []);
  const country: Place[] = [];
  for (const place of zips.all().filter(isTown)) {
    const index = METROS.findIndex(
      (metro) => Math.abs(metro.latitude - place.latitude) < 0.6 && milesBetween(metro, place) < SUBURB_MILES,
    );
    (suburbs[index] ?? country).push(place);
  }
  const people = METROS.reduce((sum, metro) => sum + metro.population, 0);
  return [
    ...METROS.map((metro, index) => ({
      name: metro.name,
      population: metro.population,
      places: suburbs[index] ?? [],
    })),
    { name: 'Country', population: (people * COUNTRY_SHARE) / (1 - COUNTRY_SHARE), places: country },
  ].filter((market) => market.places.length > 0);
}
