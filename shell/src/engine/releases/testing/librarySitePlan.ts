import type { SiteState } from '@forecourt/slots/state';
import type { RecordedPage } from '../recordedPage.ts';
import type { Site } from '../../site.ts';
import { asPageState, buildLibraryState, libraryState } from '../../testing/libraryState.ts';

const shelfPage: RecordedPage = {
  name: 'shelf',
  url: '/library/shelf',
  state: asPageState(buildLibraryState()),
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
