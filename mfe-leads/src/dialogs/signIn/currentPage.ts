/** Path and query of the current page, without the parameters that open this dialog. */
export function currentPage(): string {
  const url = new URL(window.location.href);
  url.searchParams.delete('defaultScreen');
  url.searchParams.delete('refUrl');
  return url.pathname + url.search;
}
