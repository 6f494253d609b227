import { loadRemote, registerRemotes } from '@module-federation/runtime';
import { createStore } from '@forecourt/search/state';
import { mountSlot } from '@forecourt/slots/browser';
// What the slot shares with its page, and this page does not use itself.
import '@forecourt/search/catalog';
import '@forecourt/search/criteria';
import '@forecourt/search/query';
import '@forecourt/search/url';
import '@forecourt/slots';
import '@forecourt/slots/ui';
import 'react';
import 'react-dom';
import 'react-dom/client';
import 'react-redux';
import 'react/jsx-runtime';

const { manifest, remote, slot, state, data } = JSON.parse(document.getElementById('page').textContent);

registerRemotes([{ name: remote, entry: manifest }]);
const { exposes } = await (await fetch(manifest)).json();
for (const path of exposes.find(({ name }) => name === slot).assets.css.sync)
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'stylesheet', href: new URL(path, manifest).href }),
  );
const { default: module } = await loadRemote(`${remote}/${slot}`);
mountSlot({
  module,
  element: document.getElementById('slot'),
  store: createStore(state),
  server: { state, data },
  environment: {
    slot,
    emit() {},
    listen: () => () => {},
    call: () => Promise.reject(new Error('this host makes no calls')),
    attachOutlet: () => () => {},
  },
  onReady: () => document.body.setAttribute('data-ready', ''),
  onError: (_, error) => reportError(error),
});
