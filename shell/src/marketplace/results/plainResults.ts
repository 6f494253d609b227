import { escapeHtml } from '../../engine/compose/html.ts';
import { EMPTY_SLUG_REFERENCE, setPage } from '@forecourt/search/criteria';
import { formatCount, formatDollars } from '@forecourt/search/format';
import type { RootState } from '@forecourt/search/state';
import { detailUrl, encodeUrl } from '@forecourt/search/url';

/** Fallback of the results slot: the loaded listings as a plain list. */
export function plainResults({ search }: RootState): string {
  const { listings, totalResultCount, criteria } = search;
  if (listings.length === 0) {
    return '<section class="fc-plain" id="listings"><p>Update filter criteria to see more results</p></section>';
  }
  const items = listings.map((listing) => {
    const price = listing.pricingDetail.derivedPrice;
    return (
      `<li><a href="${escapeHtml(detailUrl(listing, 'listing'))}">${escapeHtml(listing.title)}</a>` +
      `<span>${price === undefined ? 'Call for price' : escapeHtml(formatDollars(price))}</span></li>`
    );
  });
  const next = criteria.firstRecord + criteria.numRecords;
  const more =
    next < totalResultCount
      ? `<p><a class="fc-action" rel="next" href="${escapeHtml(encodeUrl(setPage(criteria, next), EMPTY_SLUG_REFERENCE))}">See More Results</a></p>`
      : '';
  return (
    '<section class="fc-plain" id="listings" aria-labelledby="results-heading">' +
    `<h2 id="results-heading" tabindex="-1">${formatCount(totalResultCount, 'Match', 'Matches')}</h2>` +
    `<ul>${items.join('')}</ul>${more}</section>`
  );
}

/** Fallback of the hero: the page keeps its heading. */
export function plainHero({ search }: RootState): string {
  return `<h1 tabindex="-1">${escapeHtml(search.texts.heading)}</h1>`;
}
