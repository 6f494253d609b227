import { EmailLink, Lines } from '@forecourt/service-kit/email';
import { createElement, type ReactNode } from 'react';
import { formatNumber } from '@forecourt/search/format';
import { derivedPrice, type StockListing, vehicleName } from '../../../domain/stock.ts';

/** What emails say of a vehicle. */
export type EmailVehicle = Pick<
  StockListing,
  'id' | 'ownerId' | 'year' | 'make' | 'model' | 'trim' | 'mileage' | 'incentive' | 'salePrice' | 'msrp'
>;

/** URL of a vehicle's page. */
export const vehicleUrl = (siteUrl: string, listingId: string): string =>
  `${siteUrl}/cars-for-sale/vehicle/${encodeURIComponent(listingId)}`;

/** Name, price and mileage of a listing, and the link to its page on a second line. */
export function VehicleLines({
  listing,
  siteUrl,
}: {
  readonly listing: EmailVehicle;
  readonly siteUrl: string;
}): ReactNode {
  const price = derivedPrice(listing);
  const facts = [
    price === undefined ? 'Call for price' : `$${formatNumber(price)}`,
    listing.mileage !== undefined && `${formatNumber(listing.mileage)} miles`,
  ];
  return createElement(Lines, {
    lines: [
      `${vehicleName(listing)}, ${facts.filter(Boolean).join(', ')}`,
      createElement(EmailLink, { href: vehicleUrl(siteUrl, listing.id) }, 'See this vehicle'),
    ],
  });
}
