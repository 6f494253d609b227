import type { SlotStore } from '@forecourt/slots/state';
import { followSignedIn } from '../accounts/browser/followSignedIn.ts';
import { followSaved } from '../frame/browser/followSaved.ts';

/** Only browsers that offer to install the page read it, so its request must not compete with the first view. */
function linkManifest(): void {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/manifest.webmanifest' }),
  );
}

/** What pages start once they are idle. */
export function startLate(store: SlotStore): void {
  linkManifest();
  followSignedIn(store);
  followSaved(store);
}
