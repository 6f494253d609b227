import { PAGE_CONTENT_PATH } from '../../both/bootData.ts';
import { createLruCache } from '../bounds/lruCache.ts';
import { hashOf, PageBody } from '../compose/pageBody.ts';

export type PageContents = ReturnType<typeof createPageContents>;

/**
 * The content of pages (`PageContent`), each under the hash of its JSON. Nothing in it is personal, and equal pages share
 * one. If a content was evicted, the browser requests the search again.
 */
export function createPageContents({ maxBytes }: { readonly maxBytes: number }) {
  const contents = createLruCache<PageBody>({ maxBytes });
  return {
    /** Stores a page's content and returns its URL. */
    store(json: string): string {
      const hash = hashOf(json);
      if (!contents.get(hash)) {
        const body = new PageBody();
        body.html.write(json);
        body.html.end();
        contents.set(hash, body, body.size);
        body.onGrow = () => contents.resize(hash, body, body.size);
      }
      return `${PAGE_CONTENT_PATH}/${hash}`;
    },
    find: (hash: string): PageBody | undefined => contents.get(hash),
    size: contents.size,
  };
}
