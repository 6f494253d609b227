import type { SlotState } from '@forecourt/slots';
import { defineState, type SiteState } from '@forecourt/slots/state';
import type { RecordedPage } from '../recordedPage.ts';
import type { Site } from '../../site.ts';

/** State of a page that shows a shelf of books. */
interface LibraryState {
  readonly page: { readonly kind: string; readonly url: string; readonly referrer: string | null };
  readonly session: { readonly signedIn: boolean };
  readonly books: { readonly titles: readonly string[] };
}

const libraryState = defineState<LibraryState>({
  reducers: {
    page: (state = { kind: 'shelf', url: '/library/poetry', referrer: null }) => state,
    session: (state = { signedIn: false }) => state,
    books: (state = { titles: ['Lunch Poems', 'The Waste Land'] }) => state,
  },
  divided: ['books'],
  changes: {},
});

const shelfPage: RecordedPage = {
  name: 'shelf',
  url: '/library/poetry',
  // The types of this program are those of the marketplace, which registered itself; at run time any state will do.
  state: libraryState.createStore().getState() as unknown as SlotState,
  answers: {},
  isShown: true,
};

/** What a release is gated against, for a site without slots of its own. */
export const librarySitePlan: Pick<
  Site,
  'layouts' | 'calls' | 'recordedPages' | 'state' | 'shared' | 'contracts' | 'releasePolicy'
> = {
  layouts: { shelf: [] },
  calls: {},
  recordedPages: () => [shelfPage],
  state: libraryState as unknown as SiteState,
  shared: {},
  contracts: {},
  releasePolicy: {
    pageSlots: [],
    budgets: { remotes: {}, preset: { bytes: 60_000, reason: 'a small site' } },
  },
};
