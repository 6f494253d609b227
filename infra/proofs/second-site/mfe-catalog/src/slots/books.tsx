import { bookPath, booksPath, GENRES } from '@forecourt/library';
import { defineSlot, useEmit, usePageState } from '@forecourt/slots';

/** Links, which lead to the same list on the server; with scripts, a choice stays on the page. */
function Books() {
  const { genre, list } = usePageState((state) => state.books);
  const emit = useEmit();
  return (
    <section aria-labelledby="books-heading">
      <h1 id="books-heading">{list.length} books</h1>
      <nav aria-label="Genres">
        <a href={booksPath(null)}>all</a>{' '}
        {GENRES.map((name) => (
          <a key={name} href={booksPath(name)} aria-current={name === genre ? 'page' : undefined}>
            {name}{' '}
          </a>
        ))}
      </nav>
      <ul>
        {list.map(({ id, title, author }) => (
          <li key={id}>
            <a href={bookPath(id)}>{title}</a> by {author}{' '}
            <a
              href={booksPath(genre, id)}
              onClick={(event) => {
                event.preventDefault();
                emit('book.chosen', { id });
              }}
            >
              Borrow {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export default defineSlot({ reads: ['books.genre', 'books.list'], view: Books });
