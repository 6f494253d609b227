export const SAVED_SEARCHES_PATH = '/account/saved-searches';
export const SAVED_VEHICLES_PATH = '/account/saved-vehicles';

/** What a form on these pages has done, as the page after it says it. */
const DONE = {
  renamed: 'The search has its new name.',
  deleted: 'The search is deleted.',
  ended: 'You get no more emails for this search.',
  removed: 'The vehicle is no longer saved.',
  failed: 'That did not work. Nothing was changed: please try again.',
} as const;
export type Done = keyof typeof DONE;

export const doneUrl = (path: string, done: Done): string => `${path}?done=${done}`;

/** The words for a `done` parameter; none for anything else. */
const doneText = (done: string | null): string | undefined =>
  done !== null && Object.hasOwn(DONE, done) ? DONE[done as Done] : undefined;

/** The message at the top of a page. */
function statusHtml(done: string | null): string {
  const text = doneText(done);
  if (text === undefined) return '';
  return `<p class="fp-saved-status${done === 'failed' ? ' is-failure' : ''}" role="status">${text}</p>`;
}

/** The way back, the heading, and what a form has done. */
export const savedHead = (title: string, done: string | null): string =>
  '<nav class="fp-back" aria-label="Back"><a href="/account">‹ Your account</a></nav>' +
  `<div class="fp-head"><h1 class="fp-title">${title}</h1>${statusHtml(done)}</div>`;
