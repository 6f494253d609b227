const MAX_LENGTH = 2000;
/** Browsers drop control characters and whitespace and read a backslash as a slash. */
const UNSAFE = /[\p{Cc}\s\\]/u;

/**
 * Path, query and fragment of `raw` if it is a page of exactly `origin` ('https://example.com'); otherwise undefined.
 * For URLs that a form or link asks to return to.
 */
export function returnUrlWithin(raw: unknown, origin: string): string | undefined {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH || UNSAFE.test(raw)) return undefined;
  if (!raw.startsWith('/') && !raw.startsWith(`${origin}/`)) return undefined;
  if (!URL.canParse(raw, origin)) return undefined;
  const url = new URL(raw, origin);
  if (url.origin !== origin || url.username !== '' || url.password !== '') return undefined;
  // As a Location header, the path '//evil.example' leads to another host.
  if (url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}
