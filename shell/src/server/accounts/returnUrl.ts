/** Default return URL. */
export const HOME = '/cars-for-sale/all-cars';

const MAX_LENGTH = 2000;
/** Browsers drop control characters and whitespace and read a backslash as a slash. */
const UNSAFE = /[\p{Cc}\s\\]/u;

/**
 * Return URL after signing in or out: path, query and fragment of `raw` if it is a
 * page of exactly `origin` ('https://example.com'), otherwise the results
 * (AMB-054). Pages of the sign-in flow are refused, to avoid a loop.
 */
export function safeReturnUrl(raw: unknown, origin: string): string {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH || UNSAFE.test(raw)) return HOME;
  if (!raw.startsWith('/') && !raw.startsWith(`${origin}/`)) return HOME;
  if (!URL.canParse(raw, origin)) return HOME;
  const url = new URL(raw, origin);
  if (url.origin !== origin || url.username !== '' || url.password !== '') return HOME;
  // As a Location header, the path '//evil.example' leads to another host.
  if (url.pathname.startsWith('//')) return HOME;
  if (/^\/account\/(sign-in|sign-out|callback|signed-out)(\/|$)/i.test(url.pathname)) return HOME;
  return url.pathname + url.search + url.hash;
}
