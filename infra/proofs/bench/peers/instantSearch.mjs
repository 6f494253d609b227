import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import {
  Configure,
  CurrentRefinements,
  getServerState,
  Hits,
  InstantSearch,
  InstantSearchSSRProvider,
  Pagination,
  RefinementList,
  SearchBox,
  SortBy,
  Stats,
} from 'react-instantsearch';
import { cardOf, FILTERS, findListings, MAX_OPTIONS, serve } from './listings.mjs';

// React InstantSearch as its guide renders it on the server: the app is rendered once to collect the searches of its
// widgets, and once with their results, which the browser gets as JSON for hydration.

const INDEX = 'listings';
const PER_PAGE = 30;

const Card = ({ hit }) =>
  h(
    'article',
    null,
    h('img', { src: hit.picture.src, alt: hit.picture.alt, width: 640, height: 480, loading: 'lazy' }),
    h('p', null, hit.type, hit.deal && h('b', null, hit.deal)),
    h('h3', null, h('a', { href: hit.url }, hit.title)),
    h('p', null, h('strong', null, hit.price)),
    h('p', null, hit.facts.join(' · ')),
    h('p', null, hit.seller, hit.rating && ` ${hit.rating.value} (${hit.rating.count})`),
    h('p', null, `${hit.distance ?? 0} mi away · ${hit.place ?? ''}`),
    h('a', { href: `tel:${hit.phone}` }, 'Call Seller'),
    h('button', { type: 'button' }, 'Save'),
    h('button', { type: 'button' }, 'Share'),
    h('button', { type: 'button' }, 'Compare'),
  );

const facetsOf = (filters) =>
  Object.fromEntries(
    filters
      .filter(({ name }) => FILTERS.includes(name))
      .map(({ name, options }) => [
        name,
        Object.fromEntries(options.map(({ value, count }) => [value, count])),
      ]),
  );

/** A search client over the marketplace API: one call answers all searches of the widgets, with the counts of each filter. */
function createClient(query) {
  const labels = new Map();
  const search = async (requests) => {
    const { listings, owners, totalResultCount, filters } = await findListings(query);
    const byId = new Map(owners.map((owner) => [owner.id, owner]));
    for (const { options } of filters) for (const { value, label } of options) labels.set(value, label);
    const facets = facetsOf(filters);
    return {
      results: requests.map(({ indexName, params = {} }) => ({
        index: indexName,
        hits:
          params.hitsPerPage === 0 ? [] : listings.slice(0, PER_PAGE).map((listing) => cardOf(listing, byId)),
        nbHits: totalResultCount,
        page: 0,
        nbPages: Math.ceil(totalResultCount / PER_PAGE),
        hitsPerPage: PER_PAGE,
        processingTimeMS: 1,
        exhaustiveNbHits: true,
        query: '',
        params: '',
        facets,
      })),
    };
  };
  return { search, labels };
}

const SORTS = [
  { label: 'Relevance', value: INDEX },
  { label: 'Price - Lowest', value: `${INDEX}_price_asc` },
  { label: 'Price - Highest', value: `${INDEX}_price_desc` },
  { label: 'Mileage - Lowest', value: `${INDEX}_mileage_asc` },
];

function App({ client, refined, serverState }) {
  const withLabels = (items) =>
    items.map((item) => ({ ...item, label: client.labels.get(item.value) ?? item.label }));
  return h(
    InstantSearchSSRProvider,
    serverState,
    h(
      InstantSearch,
      {
        indexName: INDEX,
        searchClient: client,
        initialUiState: { [INDEX]: { refinementList: refined } },
        future: { preserveSharedStateOnUnmount: true },
      },
      h(Configure, { hitsPerPage: PER_PAGE }),
      h(SearchBox),
      h(SortBy, { items: SORTS }),
      h(Stats),
      h(CurrentRefinements),
      h(
        'aside',
        null,
        FILTERS.map((attribute) =>
          h(RefinementList, { key: attribute, attribute, limit: MAX_OPTIONS, transformItems: withLabels }),
        ),
      ),
      h('main', null, h(Hits, { hitComponent: Card }), h(Pagination)),
    ),
  );
}

serve(async (query) => {
  const client = createClient(query);
  const refined = Object.fromEntries(
    [...new URLSearchParams(query)]
      .filter(([name]) => FILTERS.includes(name))
      .map(([name, value]) => [name, value.split(',')]),
  );
  const serverState = await getServerState(h(App, { client, refined }), { renderToString });
  const html = renderToString(h(App, { client, refined, serverState }));
  const state = JSON.stringify(serverState).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Cars for sale</title></head><body><div id="root">${html}</div><script>window.__SERVER_STATE__=${state}</script></body></html>`;
});
