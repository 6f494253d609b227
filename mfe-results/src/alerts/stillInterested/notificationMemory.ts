import { keptFlag } from '@forecourt/shared-contracts/store';

/** The wallet's notification was closed or followed in this visit. */
export const notificationDone = keptFlag('session', 'walletNotificationDone');
