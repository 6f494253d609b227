import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { jsonForScript } from '../compose/html.ts';
import { recognizeUrlShape } from '@forecourt/shared-contracts/url';

const VEHICLE_PATH = '/cars-for-sale/vehicle/';

/** schema.org's own words for the conditions that it knows. */
const conditionOf = ({ listingType }: Listing) =>
  `https://schema.org/${listingType === 'NEW' ? 'NewCondition' : 'UsedCondition'}`;

/** Without click-tracking parameters. */
const pathOf = ({ id, vdpBaseUrl }: Listing) => vdpBaseUrl ?? VEHICLE_PATH + encodeURIComponent(id);

/** A listing as schema.org's Car, with its offer. */
function carOf(listing: Listing, owner: Owner | undefined, origin: string): object {
  const url = new URL(pathOf(listing), origin).href;
  const price = listing.pricingDetail.derivedPrice;
  const [image] = listing.images.sources;
  return {
    '@type': 'Car',
    name: listing.title,
    url,
    ...(image && { image: new URL(image.src, origin).href }),
    brand: { '@type': 'Brand', name: listing.make.name },
    model: listing.model.name,
    vehicleModelDate: String(listing.year),
    vehicleIdentificationNumber: listing.vin,
    itemCondition: conditionOf(listing),
    ...(listing.mileage && {
      mileageFromOdometer: {
        '@type': 'QuantitativeValue',
        value: listing.mileage.value,
        // UN/CEFACT: statute mile.
        unitCode: 'SMI',
      },
    }),
    // Search engines reject offers without a price.
    ...(price !== undefined && {
      offers: {
        '@type': 'Offer',
        price,
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        url,
        ...(owner && {
          seller: { '@type': owner.privateSeller ? 'Person' : 'AutoDealer', name: owner.ownerName },
        }),
      },
    }),
  };
}

/**
 * The page's structured data: its trail (BreadcrumbList) and its
 * vehicles in their order (ItemList of Car offers), as JSON-LD ready for a
 * script element. All URLs are absolute, as `origin` is known.
 */
export function structuredDataOf(search: SearchState, origin: string): string {
  const { breadcrumbs, listings, owners, firstLoadedRecord, totalResultCount } = search;
  return jsonForScript({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'BreadcrumbList',
        itemListElement: breadcrumbs.map(({ label, href }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: label,
          item: new URL(href, origin).href,
        })),
      },
      {
        '@type': 'ItemList',
        numberOfItems: totalResultCount,
        itemListElement: listings.map((listing, index) => ({
          '@type': 'ListItem',
          position: firstLoadedRecord + index + 1,
          item: carOf(listing, owners[listing.ownerId], origin),
        })),
      },
    ],
  });
}

/** Kept out of the index, its links followed. */
const NOT_INDEXED = 'noindex, follow';

/** Filters that a page may have and be more than one of countless combinations. */
const MAX_OTHER_FILTERS = 2;

/**
 * What search engines may do with a results page; undefined = everything.
 * Pages of a recognised shape and those of at most two filters are listed
 * under their canonical link. Kept out: pages without vehicles, a sponsor's or
 * a gone vehicle's, and deeper combinations, which would be without number.
 */
export function robotsOf({ criteria, totalResultCount }: SearchState): string | undefined {
  const { filters, isSponsorship, showcaseOwnerId, expiredListing } = criteria;
  if (totalResultCount === 0 || isSponsorship || showcaseOwnerId || expiredListing) return NOT_INDEXED;
  const shape = recognizeUrlShape(filters);
  const params = Object.keys(filters).filter(
    (name) => !['zip', 'searchRadius', 'marketExtension'].includes(name),
  );
  // Make and model with several extras is 'make+model' too (AMB-047): its extras count.
  if (shape && shape !== 'make+model') return undefined;
  const extras = params.filter((name) => name !== 'makeCode' && name !== 'modelCode');
  const counted = shape === 'make+model' ? extras : params;
  return counted.length <= MAX_OTHER_FILTERS ? undefined : NOT_INDEXED;
}
