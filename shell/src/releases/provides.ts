import { providesOf, slotsByRemote, type Provides } from '@forecourt/shared-contracts/slots/gate';
import { LAYOUT, type SlotPlacement } from '../page/layout.ts';
import { providedVersions } from '../rendering/sharedScope.ts';

/** What this shell shares with releases, and what its page asks of them. */
export function shellProvides(layout: readonly SlotPlacement[] = LAYOUT): Provides {
  const shared = providedVersions();
  return providesOf({
    shared,
    contract: shared['@forecourt/shared-contracts/slots'],
    placed: slotsByRemote(layout),
  });
}
