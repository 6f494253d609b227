import { SLOT_EVENTS } from '@forecourt/slots/events';
import { object, text } from '@forecourt/slots/schema';
import { defineState } from '@forecourt/slots/state';

export interface Book {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly genre: string;
}

export interface LibraryState {
  readonly page: { readonly kind: string; readonly url: string; readonly referrer: string | null };
  readonly session: { readonly reader: string | null };
  readonly books: { readonly genre: string | null; readonly list: readonly Book[] };
  /** The book that the reader wants to borrow. */
  readonly desk: { readonly chosen: string | null };
}

/** Intent: borrow a book. */
const EVENTS = { 'book.chosen': object({ id: text(1, 40) }) };
export const LIBRARY_EVENTS = { ...SLOT_EVENTS, ...EVENTS };

declare module '@forecourt/slots' {
  interface Register {
    state: LibraryState;
    stateKey: 'page' | 'session' | 'books.genre' | 'books.list' | 'desk';
    events: typeof EVENTS;
    calls: { books: readonly Book[] };
  }
}

const choose = (id: string) => ({ type: 'desk/chosen', chosen: id }) as const;

export const libraryState = defineState<LibraryState>({
  reducers: {
    page: (state = { kind: 'books', url: '/library/books', referrer: null }) => state,
    session: (state = { reader: null }) => state,
    books: (state = { genre: null, list: [] }) => state,
    desk: (state = { chosen: null }, action) =>
      action.type === 'desk/chosen' ? { chosen: (action as ReturnType<typeof choose>).chosen } : state,
  },
  divided: ['books'],
  changes: { 'book.chosen': ({ id }) => choose(id) },
});
