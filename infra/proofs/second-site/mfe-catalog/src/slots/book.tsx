import { bookPath, booksPath, type Book } from '@forecourt/library';
import { defineSlot } from '@forecourt/slots';

/** The page of one book: it loads its content itself, and decides about head and status. */
export default defineSlot<Book | null>({
  reads: ['page'],
  async load({ state, call }) {
    const books = await call('books', {});
    return books.find(({ id }) => bookPath(id) === state.page.url) ?? null;
  },
  page: ({ state, data }) => ({
    title: data?.title ?? 'Unknown book',
    description: data ? `${data.title} by ${data.author}` : 'This book is not in the library.',
    canonical: state.page.url,
    isIndexed: data !== null,
    status: data ? 200 : 404,
  }),
  view: ({ data }) => (
    <article>
      <h1>{data?.title ?? 'We don’t have this book.'}</h1>
      <a href={booksPath(data?.genre ?? null)}>Other {data?.genre ?? 'books'}</a>
    </article>
  ),
});
