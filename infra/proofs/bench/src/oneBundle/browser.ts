import '../../../../../shell/src/server/compose/page.css';
import '../../../../../shell/src/server/compose/page.later.css';
import type { FederationHost } from '../../../../../shell/src/browser/remoteLoader.ts';
import { startPage } from '../../../../../shell/src/browser/startPage.ts';
import { BOOT_ELEMENT_ID, type BootData } from '../../../../../shell/src/both/bootData.ts';
import { FIRST_VIEW_SLOTS, type SlotTable } from './slots.ts';

/** Nothing is loaded at run time. */
const noFederation: FederationHost = {
  registerPlugins: () => {},
  registerRemotes: () => {},
  loadRemote: () => Promise.reject(new Error('this page has no remotes')),
};

/** Later slots are split off here too, for a fair comparison. The page awaits modules, so promises work as well. */
const slots = Object.defineProperties({ ...FIRST_VIEW_SLOTS } as object, {
  'model-reference': {
    get: () =>
      import('../../../../../mfe-model-reference/src/slots/model-reference.tsx').then((late) => late.default),
  },
  'footer-ad': {
    get: () => import('../../../../../mfe-results/src/slots/footer-ad.tsx').then((late) => late.default),
  },
  spin: {
    get: () => import('../../../../../mfe-results/src/slots/spin.tsx').then((late) => late.default),
  },
  'lead-widget': {
    get: () => import('../../../../../mfe-leads/src/slots/lead-widget.tsx').then((late) => late.default),
  },
  'email-capture': {
    get: () => import('../../../../../mfe-leads/src/slots/email-capture.tsx').then((late) => late.default),
  },
  leads: {
    get: () => import('../../../../../mfe-leads/src/slots/leads.tsx').then((late) => late.default),
  },
}) as SlotTable;

const boot = document.getElementById(BOOT_ELEMENT_ID)?.textContent;
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
if (boot) startPage(JSON.parse(boot) as BootData, noFederation, nonce, slots);
