import type { Bookmark } from '@forecourt/shared-contracts/entities';
import { storedSearchUrl } from '@forecourt/shared-contracts/url';
import { escapeHtml } from '../../page/html.ts';
import { SAVED_SEARCHES_PATH, savedHead } from './savedPaths.ts';
import type { EmailAlert } from '../../gateway/callTypes.ts';

export interface SavedSearches {
  readonly bookmarks: readonly Bookmark[];
  readonly alerts: readonly EmailAlert[];
  /** Of the form before. */
  readonly done: string | null;
  /** A name that was refused, as it was typed. */
  readonly refused?: { readonly bookmarkId: string; readonly title: string; readonly reason: string };
}

const form = (action: string, id: string, inside: string) =>
  `<form method="post" action="${SAVED_SEARCHES_PATH}" class="fp-saved-form">` +
  `<input type="hidden" name="action" value="${action}"><input type="hidden" name="id" value="${escapeHtml(id)}">` +
  `${inside}</form>`;

/** '2026/06/5 10:00:00' → 'June 5, 2026'; empty for anything else. */
function savedOn(lastExecuted: string): string {
  const [, year, month, day] = /^(\d{4})\/(\d{2})\/(\d{1,2}) /.exec(lastExecuted) ?? [];
  if (year === undefined) return '';
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    dateStyle: 'long',
  });
}

function bookmarkItem(bookmark: Bookmark, refused: SavedSearches['refused']): string {
  const { bookmarkId, bookmarkTitle, lastExecuted, searchResultsURL } = bookmark;
  const url = storedSearchUrl(searchResultsURL) ?? `/cars-for-sale/all-cars?searchBookmarkId=${bookmarkId}`;
  const isRefused = refused?.bookmarkId === bookmarkId;
  const field = `name-${escapeHtml(bookmarkId)}`;
  const title = escapeHtml(bookmarkTitle);
  const date = savedOn(lastExecuted);
  return (
    `<li class="fp-saved-item"><h2><a href="${escapeHtml(url)}">${title}</a></h2>` +
    (date && `<p class="fp-small">Saved ${date}</p>`) +
    `<details${isRefused ? ' open' : ''}><summary>Rename<span class="fc-unseen"> ${title}</span></summary>` +
    form(
      'rename',
      bookmarkId,
      `<label for="${field}">New name</label>` +
        `<input id="${field}" name="title" maxlength="120" required value="${escapeHtml(isRefused ? refused.title : bookmarkTitle)}"` +
        (isRefused
          ? ` aria-invalid="true" aria-describedby="${field}-error" autofocus>` +
            `<p id="${field}-error" class="fp-saved-error">${escapeHtml(refused.reason)}</p>`
          : '>') +
        '<button class="fc-action">Save name</button>',
    ) +
    '</details><div class="fp-saved-actions">' +
    `<a href="/cars-for-sale/all-cars?bookmarkId=${escapeHtml(bookmarkId)}">Link to share<span class="fc-unseen"> ${title}</span></a>` +
    form(
      'delete',
      bookmarkId,
      `<button class="fc-action-quiet">Delete<span class="fc-unseen"> ${title}</span></button>`,
    ) +
    '</div></li>'
  );
}

const alertItem = ({ alertId, title, search, emailAddress }: EmailAlert): string =>
  '<li class="fp-saved-item">' +
  `<h3><a href="/cars-for-sale/all-cars?${escapeHtml(search)}">${escapeHtml(title)}</a></h3>` +
  `<p class="fp-small">Emails to ${escapeHtml(emailAddress)}</p>` +
  form(
    'end',
    alertId,
    `<button class="fc-action-quiet">End emails<span class="fc-unseen"> for ${escapeHtml(title)}</span></button>`,
  ) +
  '</li>';

/** The body of the page of saved searches: open, rename, share, delete, end emails; all of it forms and links. */
export function savedSearchesView({ bookmarks, alerts, done, refused }: SavedSearches): string {
  const searches =
    bookmarks.length > 0
      ? `<ul class="fp-saved">${bookmarks.map((bookmark) => bookmarkItem(bookmark, refused)).join('')}</ul>`
      : '<div class="fp-panel"><p>You have not saved a search yet. Choose filters among the results, then “Save Search”.</p>' +
        '<p><a class="fc-action" href="/cars-for-sale/all-cars">See cars for sale</a></p></div>';
  return (
    savedHead('Saved searches', done) +
    searches +
    (alerts.length > 0
      ? `<section aria-labelledby="alerts"><h2 id="alerts">Email alerts</h2><ul class="fp-saved">${alerts.map(alertItem).join('')}</ul></section>`
      : '')
  );
}
