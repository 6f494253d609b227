/** `?devtools` opens them; the cookie, which the panel itself sets, keeps them open on the next pages. */
export const DEVTOOLS_COOKIE = 'devtools';

const IN_QUERY = /[?&]devtools(?:=[^&]*)?(?=&|$)/;
const IN_COOKIES = /(?:^|;\s*)devtools=1(?:;|$)/;

/** Cheap for those who do not. `url` is path and query, `cookies` the header. */
export const wantsDevtools = (url: string, cookies = ''): boolean =>
  IN_QUERY.test(url) || IN_COOKIES.test(cookies);

/** The address without it: the search knows no such parameter. */
export function withoutDevtools(url: string): string {
  const rest = url.replace(IN_QUERY, (found) => (found.startsWith('?') ? '?' : ''));
  return rest.replace('?&', '?').replace(/\?$/, '');
}
