import '../pages.css';
import '../vehicle/vehicle.css';
import '../vehicle/gallery.css';
import '../vehicleCard.css';
import '../compare/compare.css';
import '../buildYourPrice/build.css';
import '../saved/saved.css';
import '../../accounts/account.css';
import type { EventBus } from '@forecourt/shared-contracts/events';
import type { AppStore } from '@forecourt/shared-contracts/store';
import { enhanceGallery } from './gallery.ts';
import { followSaved, listenToIntents } from './intents.ts';
import { followPaymentForm } from './paymentForms.ts';

/** Brings the shell's own pages to life; without it their links and forms work all the same. */
export function enhancePage(page: { readonly store: AppStore; readonly bus: EventBus }): void {
  listenToIntents(page.bus);
  followSaved(page.store);
  for (const gallery of document.querySelectorAll<HTMLElement>('[data-gallery]')) enhanceGallery(gallery);
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-payment-price]'))
    followPaymentForm(form);
}
