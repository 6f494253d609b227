import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { formatDollars } from '@forecourt/shared-contracts/rules';
import { escapeHtml } from '../../page/html.ts';
import { vehicleCard } from '../vehicleCard.ts';
import { SAVED_VEHICLES_PATH, savedHead } from './savedPaths.ts';

/** A vehicle that the account keeps; without `found` it is no longer for sale. */
export interface SavedVehicle {
  readonly listingId: string;
  /** US dollars when it was saved. */
  readonly savedPrice: number | undefined;
  readonly found: { readonly listing: Listing; readonly owner: Owner } | undefined;
}

/** How the price has changed since; nothing where it has not. */
export function priceChange(savedPrice: number | undefined, price: number | undefined): string | undefined {
  if (savedPrice === undefined || price === undefined || savedPrice === price) return undefined;
  const by = formatDollars(Math.abs(savedPrice - price));
  return price < savedPrice ? `${by} less than when you saved it` : `${by} more than when you saved it`;
}

const removeForm = (listingId: string, title: string) =>
  `<form method="post" action="${SAVED_VEHICLES_PATH}"><input type="hidden" name="id" value="${escapeHtml(listingId)}">` +
  `<button class="fc-action-quiet">Remove<span class="fc-unseen"> ${escapeHtml(title)}</span></button></form>`;

function item({ listingId, savedPrice, found }: SavedVehicle): string {
  if (!found)
    return (
      '<li class="fp-card"><span class="fp-card-blank" aria-hidden="true"></span><h3>No longer for sale</h3>' +
      `<p class="fp-small">Somebody else has bought it, or it was taken off.</p>${removeForm(listingId, 'the vehicle that is no longer for sale')}</li>`
    );
  const { listing, owner } = found;
  const { derivedPrice } = listing.pricingDetail;
  const change = priceChange(savedPrice, derivedPrice);
  const isLower = savedPrice !== undefined && derivedPrice !== undefined && derivedPrice < savedPrice;
  return vehicleCard(
    listing,
    owner,
    'listing',
    {},
    (change ? `<p class="fp-saved-change${isLower ? ' is-lower' : ''}">${change}</p>` : '') +
      removeForm(listingId, listing.title),
  );
}

/** The body of the page of saved vehicles. */
export function savedVehiclesView(
  vehicles: readonly SavedVehicle[],
  more: number,
  done: string | null,
): string {
  const head = savedHead('Saved vehicles', done);
  if (vehicles.length === 0)
    return (
      `${head}<div class="fp-panel"><p>You have not saved a vehicle yet. The heart on each card saves it.</p>` +
      '<p><a class="fc-action" href="/cars-for-sale/all-cars">See cars for sale</a></p></div>'
    );
  return (
    `${head}<ul class="fp-cards">${vehicles.map(item).join('')}</ul>` +
    (more > 0
      ? `<p class="fp-small">${more} older ones are not shown. Remove some of these to see them.</p>`
      : '')
  );
}
