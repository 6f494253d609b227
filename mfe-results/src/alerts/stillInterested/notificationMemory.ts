import { storedFlag } from '@forecourt/shared-contracts/store';

/** The wallet's notification was closed or followed in this visit. */
export const notificationDone = storedFlag('session', 'walletNotificationDone');
