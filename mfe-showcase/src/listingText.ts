import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { formatDollars, formatNumber } from '@forecourt/shared-contracts/rules';

/** '$32,995', or 'Call for price' without a price (AMB-037). */
export const priceText = ({ pricingDetail }: Listing): string =>
  pricingDetail.derivedPrice === undefined ? 'Call for price' : formatDollars(pricingDetail.derivedPrice);

/** '31,250 mi'; undefined when the mileage is unknown. */
export const mileageText = ({ mileage }: Listing): string | undefined =>
  mileage && `${formatNumber(mileage.value)} mi`;

/** '12 mi away'; undefined without a place to measure from. */
export const distanceText = ({ distanceFromSearch: miles }: Owner): string | undefined =>
  miles === undefined ? undefined : `${formatNumber(Math.round(miles))} mi away`;

/** 'Chicago, IL'; undefined when neither is known. */
export function placeText({ location }: Owner): string | undefined {
  const { city, state } = location?.address ?? {};
  return [city, state].filter(Boolean).join(', ') || undefined;
}

/** The known facts in one line. */
export const joinFacts = (...facts: readonly (string | undefined)[]): string =>
  facts.filter((fact) => fact !== undefined).join(' · ');

/** The listing's main picture; undefined without pictures. */
export const primaryImage = ({ images }: Listing) => images.sources[images.primary] ?? images.sources[0];
