import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { formatDollars, formatNumber } from '@forecourt/shared-contracts/rules';

/** '$32,995', or 'Call for price' when there is none (AMB-037). */
export const priceText = ({ pricingDetail }: Listing): string =>
  pricingDetail.derivedPrice === undefined ? 'Call for price' : formatDollars(pricingDetail.derivedPrice);

/** '31,250 mi'; undefined when the mileage is unknown. */
export const mileageText = ({ mileage }: Listing): string | undefined =>
  mileage && `${formatNumber(mileage.value)} mi`;

/** '12 mi away'; undefined without a centre of the search. */
export const distanceText = ({ distanceFromSearch: miles }: Owner): string | undefined =>
  miles === undefined ? undefined : `${formatNumber(Math.round(miles))} mi away`;

/** 'Chicago, IL'; undefined when neither is known. */
export function placeText({ location }: Owner): string | undefined {
  const { city, state } = location?.address ?? {};
  return [city, state].filter(Boolean).join(', ') || undefined;
}

/** The facts that are known, as one quiet line. */
export const joined = (...facts: readonly (string | undefined)[]): string =>
  facts.filter((fact) => fact !== undefined).join(' · ');

/** The picture that stands for the listing; undefined when it has none. */
export const primaryImage = ({ images }: Listing) => images.sources[images.primary] ?? images.sources[0];
