import { getPage, listingIds, slotHtml } from '@forecourt/e2e/serverHtml';

/** A search with results in every inventory. */
export const PAGE = '/cars-for-sale/all/ford';

/** The HTML of a whole page with results. @throws Error that says what is wrong with it */
export async function wholePage(url: string): Promise<string> {
  const { status, html } = await getPage(url);
  if (status !== 200) throw new Error(`status ${status}`);
  if (!html.endsWith('</html>')) throw new Error(`a page that ends after ${html.length} characters`);
  // On a busy machine the results may be cut at their deadline: then the shell lists the vehicles itself.
  if (listingIds(html).length === 0 && !html.includes('class="fc-plain"'))
    throw new Error('a page without results');
  return html;
}

/** Path of a release's entry file as the page names it. */
export function entryPath(html: string, remote: string): string {
  const path = new RegExp(`/remotes/${remote}/[^"]+?remoteEntry\\.js`).exec(html)?.[0];
  if (path === undefined) throw new Error(`the page names no files of ${remote}`);
  return path;
}

/** A page, and a file of the very release that it was made of. */
export async function visitPageAndFile(origin: string, path: string, remote: string): Promise<string> {
  const html = await wholePage(origin + path);
  const entry = entryPath(html, remote);
  const file = await fetch(origin + entry);
  const { byteLength } = await file.arrayBuffer();
  if (file.status !== 200 || byteLength === 0) throw new Error(`status ${file.status} for ${entry}`);
  return html;
}

export { slotHtml };
