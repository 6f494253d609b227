import { BODY_STYLES, FUEL_GROUPS, LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { StockListing } from '../../domain/stock.ts';

const split = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Texts besides make, model and trim that keywords are searched in. */
export const labelsOf = (listing: StockListing): readonly string[] => [
  String(listing.year),
  listing.bodyStyle ? BODY_STYLES[listing.bodyStyle].label : '',
  listing.fuel ? FUEL_GROUPS[listing.fuel] : '',
  LISTING_TYPE_LABELS[listing.listingType],
  listing.extColor ?? '',
];

/** Whether a word begins with the keyword or, of a plural, with its singular; a year is the whole word. */
export const hasWord =
  (keyword: string) =>
  (text: string): boolean =>
    split(text).some((word) => {
      if (/^\d{4}$/.test(word)) return word === keyword;
      const singular = keyword.length > 3 && keyword.endsWith('s') ? keyword.slice(0, -1) : keyword;
      return word.startsWith(keyword) || word.startsWith(singular);
    });
