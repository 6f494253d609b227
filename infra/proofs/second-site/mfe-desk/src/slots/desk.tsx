import { bookPath } from '@forecourt/library';
import { defineSlot, usePageState } from '@forecourt/slots';

function Desk() {
  const chosen = usePageState(({ desk, books }) => books.list.find(({ id }) => id === desk.chosen));
  if (!chosen) return <aside aria-label="Desk">Choose a book to borrow.</aside>;
  return (
    <aside aria-label="Desk">
      Pick up <a href={bookPath(chosen.id)}>{chosen.title}</a> at the desk.
    </aside>
  );
}

export default defineSlot({ reads: ['books.list', 'desk'], view: Desk });
