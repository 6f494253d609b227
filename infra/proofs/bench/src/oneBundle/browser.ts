import '../../../../../shell/src/engine/browser/slots.css';
import '../../../../../shell/src/marketplace/frame/page.css';
import '../../../../../shell/src/marketplace/frame/page.later.css';
import type { FederationHost } from '../../../../../shell/src/engine/browser/remoteLoader.ts';
import { readBootData } from '../../../../../shell/src/engine/browser/readBootData.ts';
import { browserSite, startPage } from '../../../../../shell/src/marketplace/browser/startPage.ts';
import { FIRST_VIEW_SLOTS, type SlotTable } from './slots.ts';

/** Nothing is loaded at run time. */
const noFederation: FederationHost = {
  registerPlugins: () => {},
  registerRemotes: () => {},
  loadRemote: () => Promise.reject(new Error('this page has no remotes')),
};

/** Slots of later views and of other pages, which are split off here too, for a fair comparison. */
const LATER_SLOTS = {
  'model-reference': () => import('../../../../../mfe-model-reference/src/slots/model-reference.tsx'),
  'footer-ad': () => import('../../../../../mfe-results/src/slots/footer-ad.tsx'),
  spin: () => import('../../../../../mfe-results/src/slots/spin.tsx'),
  'lead-widget': () => import('../../../../../mfe-leads/src/slots/lead-widget.tsx'),
  'email-capture': () => import('../../../../../mfe-leads/src/slots/email-capture.tsx'),
  leads: () => import('../../../../../mfe-leads/src/slots/leads.tsx'),
  map: () => import('../../../../../mfe-results/src/slots/map.tsx'),
  vehicle: () => import('../../../../../mfe-results/src/slots/vehicle.tsx'),
  compare: () => import('../../../../../mfe-results/src/slots/compare.tsx'),
  'saved-searches': () => import('../../../../../mfe-leads/src/slots/saved-searches.tsx'),
  'saved-vehicles': () => import('../../../../../mfe-leads/src/slots/saved-vehicles.tsx'),
  'build-your-price': () => import('../../../../../mfe-model-reference/src/slots/build-your-price.tsx'),
};

/** The page awaits modules, so promises work as well. */
const slots = Object.defineProperties(
  { ...FIRST_VIEW_SLOTS } as object,
  Object.fromEntries(
    Object.entries(LATER_SLOTS).map(([slot, load]) => [
      slot,
      { get: () => load().then((module) => module.default as unknown) },
    ]),
  ),
) as SlotTable;

void readBootData(browserSite).then((boot) => boot && startPage(boot, noFederation, slots));
