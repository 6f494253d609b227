import { createElement as h } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { App } from './instantSearchApp.mjs';

// Hydrates the app, whose widgets search by the page's server from then on.

const { serverState, refined, labels } = window.__DATA__;
const client = {
  labels: new Map(labels),
  async search(requests) {
    const response = await fetch(`/search${window.location.search}`, {
      method: 'POST',
      body: JSON.stringify(requests),
    });
    const found = await response.json();
    for (const [value, label] of found.labels) client.labels.set(value, label);
    return found;
  },
};
hydrateRoot(document.getElementById('root'), h(App, { client, refined, serverState }));
