import { STILL_INTERESTED_REMEMBERED } from '@forecourt/shared-contracts/rules';
import { idList } from '../../memory/idList.ts';

/** Vehicles for which the alert was dismissed (B4-ALERT-08, AMB-147). */
export const dismissedListings = idList(
  () => localStorage,
  'stillInterestedDismissed',
  STILL_INTERESTED_REMEMBERED,
);
