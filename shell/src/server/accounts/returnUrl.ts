/** Where a visitor goes who came from nowhere, or from somewhere that is not ours. */
export const HOME = '/cars-for-sale/all-cars';

const MAX_LENGTH = 2000;
/** Browsers drop some of these and read a backslash as a slash: none of them is in a link of ours. */
const SUSPECT = /[\p{Cc}\s\\]/u;

/**
 * Where to go after signing in or out: path, query and fragment of `raw` when
 * it names a page of exactly `origin`, else the results (AMB-054). `origin` is
 * the visitor's, 'https://example.com'. A page of the account itself would lead
 * round in a circle.
 */
export function safeReturnUrl(raw: unknown, origin: string): string {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH || SUSPECT.test(raw)) return HOME;
  if (!raw.startsWith('/') && !raw.startsWith(`${origin}/`)) return HOME;
  if (!URL.canParse(raw, origin)) return HOME;
  const url = new URL(raw, origin);
  if (url.origin !== origin || url.username !== '' || url.password !== '') return HOME;
  // 'https://example.com//evil.example' is ours; its path alone, in a Location, is not.
  if (url.pathname.startsWith('//')) return HOME;
  if (/^\/account\/(sign-in|sign-out|callback|signed-out)(\/|$)/i.test(url.pathname)) return HOME;
  return url.pathname + url.search + url.hash;
}
