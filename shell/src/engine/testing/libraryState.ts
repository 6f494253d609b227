import type { SlotState } from '@forecourt/slots';
import { defineState } from '@forecourt/slots/state';

/** A book on the shelf; `year` is unknown for some. */
interface Book {
  readonly isbn: string;
  readonly title: string;
  readonly year?: number;
}

/** State of a small site for the engine's tests: the shelf of a library and its reader. */
export interface LibraryState {
  readonly page: { readonly kind: string; readonly url: string; readonly referrer: string | null };
  readonly session: {
    readonly isSignedIn: boolean;
    readonly reader: string | null;
    readonly email: string | null;
    readonly loans: readonly string[];
  };
  readonly shelf: {
    readonly books: number;
    readonly entries: readonly Book[];
    readonly sort: string;
    readonly heading: string;
    readonly url: string;
    readonly filters: readonly string[];
    /** The reader's own note about this shelf. */
    readonly note: string | null;
  };
}

const SHELF: LibraryState['shelf'] = {
  books: 5,
  entries: [],
  sort: 'title',
  heading: 'Poetry',
  url: '/library/shelf',
  filters: [],
  note: null,
};

/** Sets the number of books: `{ type: 'shelf/counted', payload: 9 }`. */
const shelfReducer = (
  state = SHELF,
  action: { readonly type: string; readonly payload?: number },
): LibraryState['shelf'] =>
  action.type === 'shelf/counted' ? { ...state, books: action.payload ?? 0 } : state;

const NO_READER: LibraryState['session'] = { isSignedIn: false, reader: null, email: null, loans: [] };

/** Signs a reader in: `{ type: 'session/opened', payload: 'Ada' }`. */
const sessionReducer = (
  state = NO_READER,
  action: { readonly type: string; readonly payload?: string },
): LibraryState['session'] =>
  action.type === 'session/opened' ? { ...state, reader: action.payload ?? null } : state;

const PAGE: LibraryState['page'] = { kind: 'shelf', url: '/library/shelf', referrer: null };

export const libraryState = defineState<LibraryState>({
  reducers: { page: (state = PAGE) => state, session: sessionReducer, shelf: shelfReducer },
  divided: ['shelf'],
  changes: {},
});

/** The state of a page of the library, as the engine takes it: this program's types are those of another site. */
export const asPageState = (state: LibraryState): SlotState => state as unknown as SlotState;

/** The state of an anonymous visitor's shelf, with changes. */
export const buildLibraryState = ({
  page,
  session,
  shelf,
}: {
  readonly [Key in keyof LibraryState]?: Partial<LibraryState[Key]>;
} = {}): LibraryState => ({
  page: { ...PAGE, ...page },
  session: { ...NO_READER, ...session },
  shelf: { ...SHELF, ...shelf },
});

/** What slots get that serve several visitors from one process. */
export const withoutPersonal = (state: LibraryState): LibraryState => ({
  ...state,
  session: { ...NO_READER, isSignedIn: state.session.isSignedIn },
  shelf: { ...state.shelf, note: null },
});

/** What `withoutPersonal` leaves out; undefined for an anonymous visitor. */
export const personalPart = ({ session, shelf }: LibraryState): object | undefined => {
  const { isSignedIn: _, ...own } = session;
  return session.reader === null ? undefined : { session: own, note: shelf.note };
};
