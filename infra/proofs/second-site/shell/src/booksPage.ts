import { booksPath, GENRES } from '@forecourt/library';
import type { PageDescription, PageKind } from '@forecourt/shell/engine';

interface BooksDescription extends PageDescription {
  readonly genre: string | null;
  readonly chosen: string | null;
}

/** `GET /library/books?genre=novels`: everyone without a session shares the page of a URL. */
export const booksPage: PageKind<BooksDescription> = {
  name: 'books',
  describe({ query }, _response, requested) {
    const genre = GENRES.find((name) => name === query['genre']) ?? null;
    const chosen = typeof query['chosen'] === 'string' ? query['chosen'].slice(0, 40) : null;
    const url = booksPath(genre, chosen);
    return url === requested
      ? { kind: 'page', url, genre, chosen, shareKey: [] }
      : { kind: 'redirect', status: 301, location: url };
  },
  async load({ description: { url, genre, chosen }, visitor }, { calls, callContext }) {
    const list = await calls.call('books', genre ? { genre } : {}, callContext);
    return {
      kind: 'loaded',
      state: {
        page: { kind: 'books', url, referrer: null },
        session: visitor.session,
        books: { genre, list },
        desk: { chosen },
      },
      completeness: calls.completeness,
      head: {
        title: `${genre ?? 'Books'} | City Library`,
        description: `${list.length} books to borrow.`,
        canonical: booksPath(genre),
        isIndexed: chosen === null,
      },
      currentUrl: url,
    };
  },
};
