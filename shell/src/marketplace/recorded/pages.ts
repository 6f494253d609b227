import empty from './empty.json' with { type: 'json' };
import ordinary from './ordinary.json' with { type: 'json' };
import type { RecordedPage as GatePage } from '../../engine/releases/recordedPage.ts';
import { recordedPageSchema, type RecordedPage } from './schema.ts';
import { emptySearch, type PageKind, type RootState } from '@forecourt/search/state';
import { listingSchema, ownerSchema, type Listing, type Owner } from '@forecourt/upstream/entities';
import type { z } from 'zod';

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(12);
const HOSTILE =
  '</script><img src=x onerror=alert(1)> "quotes" & \'apostrophes\' \u05e9\u05dc\u05d5\u05dd \ud83d\ude97 \u202e';

/** The entity with only the fields that its schema requires. */
function bare<T extends object>(entity: T, schema: z.ZodType<T>): T {
  const left = new Map(Object.entries(entity));
  for (const [key, value] of Object.entries(entity)) {
    left.delete(key);
    if (!schema.safeParse(Object.fromEntries(left)).success) left.set(key, value);
  }
  return schema.parse(Object.fromEntries(left));
}

/** Each sets one aspect to an extreme value that the schemas allow. */
const ODD_LISTINGS: readonly ((listing: Listing) => Listing)[] = [
  (listing) => bare(listing, listingSchema),
  (listing) => ({ ...listing, title: LONG, ownerName: LONG, features: Array<string>(60).fill(LONG) }),
  (listing) => ({
    ...listing,
    title: HOSTILE,
    make: { code: HOSTILE, name: HOSTILE },
    trim: { code: '', name: '' },
  }),
  (listing) => ({ ...listing, pricingDetail: {}, specifications: {}, color: {}, engine: {} }),
  (listing) => ({ ...listing, images: { primary: 7, sources: [] }, phone: '', year: 1900 }),
  (listing) => ({
    ...listing,
    pricingDetail: { salePrice: 0, msrp: 999_999_999, derivedPrice: 0, previousPrice: -1 },
    mileage: { value: 9_999_999 },
    viewCount: 1_000_000,
  }),
  // The seller is missing from the owners.
  (listing) => ({ ...listing, ownerId: 'nobody' }),
];

const ODD_OWNERS: readonly ((owner: Owner) => Owner)[] = [
  (owner) => bare(owner, ownerSchema),
  (owner) => ({ ...owner, name: LONG, ownerName: LONG }),
  (owner) => ({ ...owner, name: HOSTILE, privateSeller: true, website: { href: 'javascript:alert(1)' } }),
];

const pick = <T>(list: readonly ((value: T) => T)[], value: T, at: number): T =>
  list[at % list.length]?.(value) ?? value;

/** The same page with extreme values that the schemas allow, for a signed-in visitor of another brand. */
function oddPage({ page, search, session }: RootState): RootState {
  const odd = (listings: readonly Listing[]) =>
    listings.map((listing, at) => pick(ODD_LISTINGS, listing, at));
  return {
    page,
    search: {
      ...search,
      listings: odd(search.listings),
      spotlights: search.spotlights.map((tiers) => ({ ...tiers, premium: odd(tiers.premium) })),
      boost: odd(search.boost),
      owners: Object.fromEntries(
        Object.entries(search.owners).map(([id, owner], at) => [id, pick(ODD_OWNERS, owner, at)]),
      ),
      totalResultCount: 1_234_567,
      chips: search.chips.map((chip) => ({ ...chip, label: LONG })),
      texts: { ...search.texts, heading: `${LONG} ${HOSTILE}` },
      filters: search.filters.map((filter, at) =>
        at % 2 === 0
          ? { ...filter, options: [] }
          : {
              ...filter,
              label: HOSTILE,
              options: filter.options.map((option) => ({ ...option, label: LONG })),
            },
      ),
      pageData: { suggestedModels: [] },
      editorial: null,
      stats: {},
      notice: LONG,
    },
    session: {
      ...session,
      brand: 'kbb',
      signedIn: true,
      account: { firstName: HOSTILE, email: 'ada@example.com' },
      savedListingIds: search.listings.map(({ id }) => id),
      showsPayments: true,
      wallet: { monthlyBudget: 600, downPayment: 0, termMonths: 72, aprPercent: 0, tradeInValue: 0 },
    },
  };
}

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
function slotPages(results: RecordedPage): RecordedPage[] {
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

/**
 * The pages on which the gate renders the slots of a release: recorded results, the
 * same with extreme values, with a failing upstream, and one page of each other
 * kind. `record.ts` records the results pages.
 */
export function recordedPages(): readonly GatePage[] {
  const page = recordedPageSchema.parse(ordinary);
  const pages: readonly RecordedPage[] = [
    recordedPageSchema.parse(empty),
    page,
    { ...page, name: 'odd', state: oddPage(page.state) },
    { ...page, name: 'calls-fail', answers: {} },
    ...slotPages(page),
  ];
  // The other results pages are extremes.
  return pages.map((one) => ({
    ...one,
    isShown: one.name === 'ordinary' || one.state.page.kind !== 'results',
  }));
}
