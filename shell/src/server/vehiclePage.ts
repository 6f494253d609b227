import type { RequestHandler } from 'express';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { DRIVE_LABELS, LISTING_TYPE_LABELS, TRANSMISSION_LABELS } from '@forecourt/shared-contracts/entities';
import { formatDollars, formatNumber } from '@forecourt/shared-contracts/ui';
import { CallFailure } from '../gateway/callFailure.ts';
import { messagePage, searchErrorPage, type MessagePage } from '../page/errorPage.ts';
import { escapeHtml } from '../page/html.ts';
import type { ShellDeps } from './deps.ts';
import { infoOf } from './requestContext.ts';

const labelled = (labels: Readonly<Record<string, string>>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(labels, code) ? labels[code] : code;

/** 'BLUE' → 'Blue': colour codes are their own names. */
const inWords = (code: string | undefined): string | undefined =>
  code && code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');

function facts(listing: Listing, owner: Owner): [string, string][] {
  const { specifications, mileage, color, fuelType, listingType, distance } = listing;
  const rows: [string, string | undefined][] = [
    ['Condition', LISTING_TYPE_LABELS[listingType]],
    ['Mileage', mileage && `${formatNumber(mileage.value)} miles`],
    ['Engine', specifications.engine],
    ['Drive', labelled(DRIVE_LABELS, specifications.driveType)],
    ['Transmission', labelled(TRANSMISSION_LABELS, specifications.transmission)],
    ['Fuel', fuelType.name],
    ['Fuel economy', specifications.mpg === undefined ? undefined : `${specifications.mpg} mpg`],
    [
      'Electric range',
      specifications.mileRange === undefined ? undefined : `${specifications.mileRange} miles`,
    ],
    ['Exterior', inWords(color.exteriorColorSimple)],
    ['Interior', inWords(color.interiorColorSimple)],
    ['Doors', listing.doors === undefined ? undefined : String(listing.doors)],
    ['VIN', listing.vin],
    ['Seller', owner.ownerName],
    [
      'Place',
      [owner.location?.address.city, owner.location?.address.state].filter(Boolean).join(', ') || undefined,
    ],
    ['Phone', owner.phone?.value],
    ['Distance', distance === undefined ? undefined : `${formatNumber(Math.round(distance))} miles`],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');
}

function vehicle(listing: Listing, owner: Owner): MessagePage {
  const { title, pricingDetail, images } = listing;
  const pictures = images.sources
    .map(
      ({ src, alt }, at) =>
        `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}" width="480" height="360"${at > 1 ? ' loading="lazy"' : ''}>`,
    )
    .join('');
  const price = pricingDetail.derivedPrice;
  const rows = facts(listing, owner)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('');
  return {
    title,
    isIndexed: true,
    body:
      '<article class="fc-vehicle"><p><a href="/cars-for-sale/all-cars">All cars for sale</a></p>' +
      `<h1>${escapeHtml(title)}</h1>` +
      `<p class="fc-vehicle-price">${price === undefined ? 'Call for price' : formatDollars(price)}</p>` +
      `<div class="fc-vehicle-pictures">${pictures}</div><dl class="fc-vehicle-facts">${rows}</dl></article>`,
  };
}

/** `GET /cars-for-sale/vehicle/{id}`: one vehicle. One that is gone leads to the results with its alert (AMB-149). */
export function vehiclePage({ gateway, assets }: ShellDeps): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const { visitor, requestId, nonce, signal } = infoOf(request as never);
    const send = (status: number, page: MessagePage) =>
      response
        .status(status)
        .set('Cache-Control', status === 200 ? 'private, no-cache' : 'no-store')
        .type('html')
        .send(messagePage(page, visitor.session, assets.css, nonce));
    try {
      const { listing, owner } = await gateway.call(
        'listing',
        { id: request.params.id },
        { requestId, signal },
      );
      return send(200, vehicle(listing, owner));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'CANCELLED') return undefined;
      // An id that the upstream refuses is one that nobody sells.
      if (error.code === 'REFUSED') return response.redirect(302, '/cars-for-sale/all-cars?expiredListing=1');
      return send(500, searchErrorPage(request.originalUrl));
    }
  };
}
