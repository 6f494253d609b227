/** When the parts of one page came, in ms after its first byte. */
export interface Arrivals {
  /** By slot, those with content. */
  readonly slots: ReadonlyMap<string, number>;
  readonly endMs: number;
  /** What was asked of the page's HTML: thousands of pages are not kept. */
  readonly isSeen: boolean;
}

const PERSON =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/**
 * Reads a page as it comes. Its first bytes leave right before its slots are
 * rendered, and each slot follows whole: what lies between is its rendering and
 * that of those before it. `look` is asked of the whole page.
 * @throws Error when the page is not whole
 */
export async function readArrivals(url: string, look: (html: string) => boolean): Promise<Arrivals> {
  const response = await fetch(url, { headers: { 'user-agent': PERSON, 'accept-encoding': 'identity' } });
  if (response.status !== 200 || !response.body) throw new Error(`status ${response.status}`);
  const slots = new Map<string, number>();
  const decoder = new TextDecoder();
  let html = '';
  let first: number | undefined;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    first ??= performance.now();
    const seen = Math.max(0, html.length - 40);
    html += decoder.decode(part, { stream: true });
    for (const [, slot = ''] of html.slice(seen).matchAll(/data-slot="([a-z-]+)"/g))
      if (!slots.has(slot)) slots.set(slot, performance.now() - first);
  }
  if (!html.endsWith('</html>')) throw new Error(`a page that ends after ${html.length} characters`);
  return { slots, endMs: performance.now() - (first ?? 0), isSeen: look(html) };
}
