import type { PageState } from '../../pageState.ts';
import type { RecordedPage } from '../recordedPage.ts';
import type { Site } from '../../site.ts';

/** The state of a page that shows a shelf of books. */
const shelfState = {
  page: { kind: 'shelf', url: '/library/poetry', referrer: null },
  session: { signedIn: false },
  books: { titles: ['Lunch Poems', 'The Waste Land'] },
} as unknown as PageState;

const shelfPage: RecordedPage = {
  name: 'shelf',
  url: '/library/poetry',
  state: shelfState,
  answers: {},
  isShown: true,
};

/** What a release is gated against, for a site without slots of its own. */
export const librarySitePlan: Pick<Site, 'layouts' | 'calls' | 'recordedPages'> = {
  layouts: { shelf: [] },
  calls: {},
  recordedPages: () => [shelfPage],
};
