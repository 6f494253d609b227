import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { detailUrl, type ClickType } from '@forecourt/shared-contracts/url';
import { formatNumber, formatPrice } from '@forecourt/shared-contracts/rules';
import { escapeHtml } from '../page/html.ts';
import { placeOf } from './vehicleWords.ts';

/**
 * A vehicle as a small card: picture, title, price, a line of facts. `extra`
 * are parameters of its link, `below` is HTML at its end.
 */
export function vehicleCard(
  listing: Listing,
  owner: Owner | undefined,
  clickType: ClickType,
  extra: Readonly<Record<string, string>> = {},
  below = '',
): string {
  const picture = listing.images.sources[listing.images.primary] ?? listing.images.sources[0];
  const query = new URLSearchParams(extra).toString();
  const href = detailUrl(listing, clickType) + (query && `&${query}`);
  const facts = [listing.mileage && `${formatNumber(listing.mileage.value)} mi`, placeOf(owner)].filter(
    Boolean,
  );
  return (
    '<li class="fp-card">' +
    (picture
      ? `<img src="${escapeHtml(picture.src)}" alt="" width="320" height="240" loading="lazy" decoding="async">`
      : '<span class="fp-card-blank" aria-hidden="true"></span>') +
    `<h3><a href="${escapeHtml(href)}">${escapeHtml(listing.title)}</a></h3>` +
    `<p class="fp-card-price">${formatPrice(listing.pricingDetail.derivedPrice)}</p>` +
    `<p class="fp-small">${escapeHtml(facts.join(' · '))}</p>${below}</li>`
  );
}
