import { createSlugReference, type SlugData } from '@forecourt/search/criteria';
import type { RootState } from '@forecourt/search/state';
import { CALLS, type CallName } from '@forecourt/upstream/calls';
import type { Listing } from '@forecourt/upstream/entities';
import ordinary from './ordinary.json' with { type: 'json' };
import { recordedPageSchema, type RecordedPage } from './schema.ts';

// Pages by which a shell compiles its code before visitors come: searches of the recorded results page, each with another
// maximum price, so that no cache has them. The upstream's responses are made of what the page shows.

const ZIP = '60601';
const LEAST_PRICE = 20_000;

/** The response to the listing call of the recorded page. */
const searchResponse = ({ search }: RootState) => {
  const {
    filters: suggestedFilters,
    strongAttributes: strongAttributesFilters,
    nearMisses,
  } = search.suggestions;
  return {
    ...search.editorial,
    editorialReviews: search.editorial?.editorialReviews ?? [],
    listings: search.listings,
    owners: Object.values(search.owners),
    totalResultCount: search.totalResultCount,
    filters: search.filters,
    filterGroups: search.filterGroups,
    stats: search.stats,
    suggestedFilters,
    strongAttributesFilters,
    nearMisses,
    ...(search.alpha && { alpha: search.alpha }),
    pageData: search.pageData,
  };
};

/** The recorded responses by call. */
function responsesOf({ state, answers }: RecordedPage): Partial<Record<CallName, unknown>> {
  const {
    owners: byId,
    spotlights: [tiers],
    vehicleHighlight,
    boost,
  } = state.search;
  const owners = Object.values(byId);
  const listings = (list: readonly Listing[] = []) => ({ listings: list, owners });
  return {
    ...answers,
    search: searchResponse(state),
    premiumSpotlights: listings(tiers?.premium),
    spotlights: listings(tiers?.featured),
    vehicleHighlight: listings(vehicleHighlight ? [vehicleHighlight] : []),
    newCarBoost: listings(boost),
  };
}

/** The make and model of the recorded page. */
function slugsOf({ state }: RecordedPage): SlugData {
  const [listing] = state.search.listings;
  const [, , , make = '', model = ''] = state.search.url.split('/');
  if (!listing) throw new Error('the recorded results page has no vehicles');
  return {
    makes: [
      {
        code: listing.makeCode,
        name: listing.make.name,
        slug: make,
        models: [{ code: listing.modelCode, name: listing.model.name, slug: model }],
      },
    ],
  } as SlugData;
}

/** What a shell warms up with; `reference` has the makes and models of its pages. */
export function warmUpPages() {
  const page = recordedPageSchema.parse(ordinary);
  const routes = Object.entries(responsesOf(page)).map(([call, response]) => ({
    path: new RegExp(`^${CALLS[call as CallName].path.replace(/\{\w+\}/g, '[^/]+')}$`),
    response: response as object,
  }));
  const data = slugsOf(page);
  const reference = createSlugReference(data);
  return {
    pathOf: (number: number): string =>
      `${page.url}?maxPrice=${LEAST_PRICE + number}&searchRadius=50&zip=${ZIP}`,
    responseAt: (pathname: string) => routes.find(({ path }) => path.test(pathname))?.response,
    reference: {
      current: () => reference,
      data: () => data,
      renew: () => Promise.resolve(false),
      start: () => Promise.resolve(),
      stop: () => {},
    },
  };
}
