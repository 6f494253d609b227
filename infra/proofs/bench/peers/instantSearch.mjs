import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { getServerState } from 'react-instantsearch';
import { App, PER_PAGE } from './instantSearchApp.mjs';
import { cardOf, FILTERS } from './cards.mjs';
import { findListings, serve } from './listings.mjs';

// React InstantSearch as its guide renders it on the server: the app is rendered once to collect the searches of its
// widgets, and once with their results, which the browser gets as JSON for hydration.

const facetsOf = (filters) =>
  Object.fromEntries(
    filters
      .filter(({ name }) => FILTERS.includes(name))
      .map(({ name, options }) => [
        name,
        Object.fromEntries(options.map(({ value, count }) => [value, count])),
      ]),
  );

/** The page's search, with the filters that a widget's request asks for. */
function queryOf(query, { params: { facetFilters = [] } = {} }) {
  const parameters = new URLSearchParams(query);
  if (facetFilters.length > 0) for (const name of FILTERS) parameters.delete(name);
  for (const group of facetFilters) {
    const pairs = [group].flat().map((pair) => pair.split(':'));
    if (pairs.length > 0) parameters.set(pairs[0][0], pairs.map(([, value]) => value).join(','));
  }
  return parameters.toString();
}

/** Answers all searches of the widgets by one call of the API, which has the counts of each filter. */
async function answer(query, requests) {
  const { listings, owners, totalResultCount, filters } = await findListings(queryOf(query, requests[0]));
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  const facets = facetsOf(filters);
  return {
    labels: filters.flatMap(({ name, options }) =>
      FILTERS.includes(name) ? options.map(({ value, label }) => [value, label]) : [],
    ),
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
}

const inlineJson = (value) => JSON.stringify(value).replaceAll('<', '\\u003c');

async function render(query) {
  const labels = new Map();
  const client = {
    labels,
    async search(requests) {
      const found = await answer(query, requests);
      for (const [value, label] of found.labels) labels.set(value, label);
      return found;
    },
  };
  const refined = Object.fromEntries(
    [...new URLSearchParams(query)]
      .filter(([name]) => FILTERS.includes(name))
      .map(([name, value]) => [name, value.split(',')]),
  );
  const serverState = await getServerState(h(App, { client, refined }), { renderToString });
  const html = renderToString(h(App, { client, refined, serverState }));
  const data = inlineJson({ serverState, refined, labels: [...labels] });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cars for sale</title><script src="/app.js" defer></script></head><body><div id="root">${html}</div><script>window.__DATA__=${data}</script></body></html>`;
}

serve({ render, answer });
