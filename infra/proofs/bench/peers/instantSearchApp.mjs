import { createElement as h, useEffect } from 'react';
import {
  Configure,
  CurrentRefinements,
  Hits,
  InstantSearch,
  InstantSearchSSRProvider,
  Pagination,
  RefinementList,
  SearchBox,
  SortBy,
  Stats,
} from 'react-instantsearch';
import { FILTERS, MAX_OPTIONS } from './cards.mjs';

// The app of React InstantSearch, the same on the server and in the browser.

export const INDEX = 'listings';
export const PER_PAGE = 30;

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

const SORTS = [
  { label: 'Relevance', value: INDEX },
  { label: 'Price - Lowest', value: `${INDEX}_price_asc` },
  { label: 'Price - Highest', value: `${INDEX}_price_desc` },
  { label: 'Mileage - Lowest', value: `${INDEX}_mileage_asc` },
];

/** Marks when the browser has hydrated it. */
function Ready() {
  useEffect(() => void performance.mark('hydrated'), []);
  return null;
}

export function App({ client, refined, serverState }) {
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
      h(Ready),
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
