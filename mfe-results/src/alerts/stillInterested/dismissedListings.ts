import { storedIds } from '@forecourt/shared-contracts/store';
import { STILL_INTERESTED_REMEMBERED } from '../../constants.ts';

/** Vehicles for which the alert was dismissed, newest first (B4-ALERT-08, AMB-147). */
export const dismissedListings = storedIds('local', 'stillInterestedDismissed', STILL_INTERESTED_REMEMBERED);
