import { object, text } from '../events/schema.ts';
import { defineState } from '../state/siteState.ts';
import type { SlotState } from '../register.ts';
import { createSlotTesting } from './createSlotTesting.ts';
import type { TestedSite } from './testEnvironment.tsx';

/** State of a small site for the tests of this package: the shelf of a library. */
interface LibraryState {
  readonly page: { readonly path: string };
  readonly shelf: { readonly books: readonly string[]; readonly sort: string };
}

const libraryState = defineState<LibraryState>({
  reducers: {
    page: (state = { path: '/' }) => state,
    shelf: (state = { books: [], sort: 'title' }, action) =>
      action.type === 'shelf/bookReturned'
        ? { ...state, books: [...state.books, (action as unknown as { payload: string }).payload] }
        : state,
  },
  divided: ['shelf'],
  changes: {},
});

const LIBRARY_EVENTS = { 'book.requested': object({ isbn: text(1, 20) }) };

/** The types of this program are those of the marketplace, which registered itself; at run time any state will do. */
const librarySite = {
  state: libraryState,
  events: LIBRARY_EVENTS,
  defaultState: () => libraryState.createStore().getState() as unknown as SlotState,
} as unknown as TestedSite;

export const { createTestEnvironment, mountInTestShell } = createSlotTesting(librarySite);
