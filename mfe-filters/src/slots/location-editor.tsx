import { defineSlot } from '@forecourt/slots';
import { type LookedUpPlace, zipOf } from '../sections/place.ts';
import { SearchEditsProvider } from '../search/searchEdits.tsx';
import { LocationEditor } from '../location/LocationEditor.tsx';

/** The search's place and radius, with a form to change them. */
export default defineSlot<LookedUpPlace | null>({
  reads: ['search.criteria', 'session'],
  loadKey: (state) => zipOf(state.search.criteria, state.session.visitorZip) ?? '',
  load: async ({ state, call, signal }) => {
    const zip = zipOf(state.search.criteria, state.session.visitorZip);
    if (zip === undefined) return null;
    const response = await call('zipLookup', { zip }, { signal });
    return response.success ? { zip, city: response.city, state: response.state } : { zip };
  },
  // The lookup may have failed or been late; the upstream answers a ZIP code that it doesn't know in the same way.
  isComplete: (data) => data === null || data.city !== undefined,
  view: ({ data }) => (
    <SearchEditsProvider>
      <LocationEditor place={data ?? null} />
    </SearchEditsProvider>
  ),
});
