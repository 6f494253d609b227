import type { SellerType, StockOwner } from '../../domain/stock.ts';
import { nearestMetro } from '../../domain/places/index.ts';
import { type ZipDirectory, type ZipPlace, milesBetween } from '../../domain/places/index.ts';
import { STATE_CODES } from '../../domain/places/index.ts';
import type { FeedRow } from './mapping.ts';
import { digestOf, MAX_MEMOIZED, memoize, optionalField, UnreadableValue } from './values.ts';

/** The five digits that a ZIP code begins with; spreadsheets drop zeros in front: '2134' and '2134.0' are 02134. */
function zipOf(text = ''): string {
  const short = /^(\d{3,4})(?:\.0+|-\d{4})?$/.exec(text)?.[1];
  return short?.padStart(5, '0') ?? text.slice(0, 5);
}

/** A web address; feeds also give it without `https://`. Undefined for anything else. */
function websiteOf(text = ''): string | undefined {
  const url = /^[\w-]+(?:\.[\w-]+)+(?:[/?#].*)?$/.test(text) ? `https://${text}` : text;
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

/** The seller's place; approximate if the ZIP table lacks the city. */
function findPlace(zips: ZipDirectory, row: FeedRow): ZipPlace & { readonly isApproximate: boolean } {
  const byZip = zips.find(zipOf(row.zip));
  const { city } = row;
  const state = row.state && (STATE_CODES.get(row.state.toLowerCase()) ?? row.state.toUpperCase());
  const inCity = city && state ? zips.findCity(city, state) : [];
  const [first] = inCity;
  if (first && byZip) {
    // The ZIP code may be that of the search that found the car, so take the nearest part of the city.
    const nearest = inCity.reduce((best, place) =>
      milesBetween(byZip, place) < milesBetween(byZip, best) ? place : best,
    );
    return { ...nearest, isApproximate: false };
  }
  if (first) return { ...first, isApproximate: false };
  if (byZip && (!state || byZip.state === state))
    return { ...byZip, ...optionalField('city', city), isApproximate: false };
  const near = zips.findNear(zipOf(row.zip));
  if (near && (!state || near.state === state))
    return { ...near, zip: zipOf(row.zip), ...optionalField('city', city), isApproximate: true };
  const inState = state ? zips.findState(state) : undefined;
  if (inState) return { ...inState, ...optionalField('city', city), isApproximate: true };
  const where = [city, state, row.zip].filter(Boolean).join(' ');
  throw new UnreadableValue(where ? `place '${where}' is unknown` : 'place is missing');
}

const PRIVATE_WORDS = /^(?:p|private|private seller|owner|fsbo|0|false|no)$/i;

/**
 * Returns a function that finds the seller of a row; rows of one seller share one object as long as it is remembered.
 * It throws `UnreadableValue` without a seller or a place.
 */
export function createSellers(
  source: string,
  zips: ZipDirectory,
): (row: FeedRow) => { readonly owner: StockOwner; readonly isPlaceApproximate: boolean } {
  const placeOf = memoize((city = '', state = '', zip = '') => findPlace(zips, { city, state, zip }));
  const sellers = new Map<string, StockOwner>();
  return (row) => {
    const place = placeOf(row.city ?? '', row.state ?? '', row.zip ?? '');
    const sellerType: SellerType = PRIVATE_WORDS.test(row.sellerType ?? 'd') ? 'p' : 'd';
    const name = row.sellerName ?? (sellerType === 'p' ? 'Private Seller' : '');
    if (!name) throw new UnreadableValue('seller is missing');
    const contact = sellerType === 'p' ? (row.sellerPhone ?? row.vin ?? row.stockNumber ?? '') : '';
    const { sellerPhone, sellerWebsite, sellerAddress } = row;
    const { city, state, zip } = place;
    const key = [sellerType, name, contact, sellerPhone, sellerWebsite, sellerAddress, city, state, zip].join(
      '\n',
    );
    const owner =
      sellers.get(key) ??
      ({
        id: `${source}-${digestOf([name.toLowerCase(), city, state, contact].join('|')).slice(0, 12)}`,
        name,
        sellerType,
        ...optionalField('phone', sellerPhone),
        ...optionalField('website', websiteOf(sellerWebsite)),
        ...optionalField('address', sellerAddress),
        city,
        state,
        zip,
        latitude: place.latitude,
        longitude: place.longitude,
        dma: nearestMetro(place.latitude, place.longitude).dma,
        homeServices: [],
        preferredCta: 'email',
        hideEmailForm: false,
        isAlpha: false,
      } satisfies StockOwner);
    if (sellers.size >= MAX_MEMOIZED) sellers.clear();
    sellers.set(key, owner);
    return { owner, isPlaceApproximate: place.isApproximate };
  };
}
