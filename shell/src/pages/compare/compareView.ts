import { detailUrl } from '@forecourt/shared-contracts/url';
import { escapeHtml } from '../../page/html.ts';
import type { Compared, CompareRow } from './compareRows.ts';
import { compareUrl } from './compareUrl.ts';

/** Which vehicles could not be compared, in words. */
const goneText = (count: number): string =>
  count === 1
    ? 'One of these vehicles is no longer for sale.'
    : `${count} of these vehicles are no longer for sale.`;

function head({ listing }: Compared, all: readonly Compared[]): string {
  const picture = listing.images.sources[listing.images.primary] ?? listing.images.sources[0];
  const rest = all.map((each) => each.listing.id).filter((id) => id !== listing.id);
  const title = escapeHtml(listing.title);
  return (
    '<th scope="col">' +
    (picture
      ? `<img src="${escapeHtml(picture.src)}" alt="" width="320" height="240" decoding="async">`
      : '') +
    `<a href="${escapeHtml(detailUrl(listing, 'compare'))}">${title}</a>` +
    `<br><a class="fp-compare-remove" href="${escapeHtml(compareUrl(rest))}">Remove<span class="fc-unseen"> ${title}</span></a></th>`
  );
}

function row({ label, values, isDifferent, best }: CompareRow): string {
  const cells = values
    .map((value, at) => {
      const isBest = best.includes(at);
      return `<td${isBest ? ' class="is-best"' : ''}>${escapeHtml(value)}${isBest ? '<span class="fc-unseen">, best</span>' : ''}</td>`;
    })
    .join('');
  return `<tr class="${isDifferent ? 'is-different' : 'is-same'}"><th scope="row">${label}</th>${cells}</tr>`;
}

/** The body of the comparison: one column a vehicle, rows that differ marked. */
export function compareView(
  vehicles: readonly Compared[],
  rows: readonly CompareRow[],
  gone: number,
): string {
  const top = `<div class="fp-head"><h1 class="fp-title">Compare vehicles</h1>${gone > 0 ? `<p role="status">${goneText(gone)}</p>` : ''}</div>`;
  if (vehicles.length === 0)
    return (
      `${top}<div class="fp-panel"><p>Choose up to five vehicles among the results and compare them side by side.</p>` +
      '<p><a class="fc-action" href="/cars-for-sale/all-cars">See cars for sale</a></p></div>'
    );
  return (
    `${top}<div><label class="fp-compare-only" for="only-different">Only what differs</label>` +
    '<input type="checkbox" id="only-different" class="fp-only-different">' +
    '<section class="fp-compare-scroll" aria-label="Comparison" tabindex="0"><table class="fp-compare">' +
    '<caption class="fc-unseen">Vehicles side by side; rows that differ are marked</caption>' +
    `<thead><tr><td></td>${vehicles.map((vehicle) => head(vehicle, vehicles)).join('')}</tr></thead>` +
    `<tbody>${rows.map(row).join('')}</tbody></table></section></div>`
  );
}
