import { emptySearch, type PageKind, type RootState } from '@forecourt/shared-contracts/store';
import type { RecordedPage } from './schema.ts';

/** Prices of trims for the build-your-price page. */
const MSRP = [38_810, 52_640];
const MODEL_YEAR = '2026';

/** A page without a search, in the session of a recorded results page. */
const stateOf = ({ session }: RootState, kind: PageKind, url: string): RootState => ({
  page: { kind, url, referrer: null },
  search: { ...emptySearch, url, requestId: 'recorded', status: 'ready' },
  session: kind.startsWith('saved') ? { ...session, signedIn: true } : session,
});

/**
 * One page of each kind other than results, derived from the vehicles, filters and
 * call results of a recorded results page.
 */
export function slotPages(results: RecordedPage): RecordedPage[] {
  const { listings, owners, filters } = results.state.search;
  const [listing, similar] = listings;
  const owner = listing && owners[listing.ownerId];
  if (!listing || !similar || !owner) throw new Error('the recorded results page has too few vehicles');
  const page = (
    kind: Exclude<PageKind, 'results'>,
    url: string,
    answers: RecordedPage['answers'],
  ): RecordedPage => ({ name: kind, url, state: stateOf(results.state, kind, url), answers });

  const { makeCode, modelCode } = listing;
  const trims = results.answers.referenceVehicles as { readonly items: readonly object[] };
  const modelYear = {
    value: MODEL_YEAR,
    label: MODEL_YEAR,
    link: `/cars-for-sale/new/${MODEL_YEAR}/ford/f150`,
    count: 12,
  };
  const bookmark = {
    bookmarkId: 'b-1234567890123456',
    bookmarkTitle: 'Used <Ford>',
    searchName: 'Used Ford',
    lastExecuted: '2026/06/5 10:00:00',
    searchResultsURL: encodeURIComponent(JSON.stringify({ makeCode, zip: '60601', sortBy: 'relevance' })),
    textModalDisclaimer: '',
    saveSearchInstrText: '',
  };
  return [
    page('vehicle', `/cars-for-sale/vehicle/${listing.id}`, {
      listing: { listing, owner },
      similar: { listings: [similar], owners: Object.values(owners) },
      filterPreview: { totalResultCount: listings.length, filters },
    }),
    page('compare', `/cars-for-sale/compare?listingIds=${listing.id},${similar.id}`, {
      listing: { listing, owner },
    }),
    page('saved-searches', '/account/saved-searches', {
      bookmarks: { myAtcSearchViewBeans: [bookmark] },
      emailAlerts: { alerts: [] },
    }),
    page('saved-vehicles', '/account/saved-vehicles', {
      savedListings: { savedListings: [{ listingId: listing.id, savedAt: 1, savedPrice: 35_000 }] },
      listing: { listing, owner },
    }),
    page(
      'build-your-price',
      `/cars-for-sale/build-your-price?${new URLSearchParams({ makeCode, modelCode }).toString()}`,
      {
        newModelYears: { links: [modelYear] },
        referenceVehicles: {
          items: trims.items.map((trim, at) => ({ ...trim, nationalMSRP: MSRP[at % MSRP.length] })),
        },
        slugReference: {
          makes: [
            {
              code: makeCode,
              name: listing.make.name,
              slug: 'ford',
              models: [{ code: modelCode, name: listing.model.name, slug: 'f150' }],
            },
          ],
        },
      },
    ),
  ];
}
