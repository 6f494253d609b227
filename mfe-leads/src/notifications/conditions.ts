import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { browserStorage } from '@forecourt/shared-contracts/store';
import { NOTIFICATION_WINDOW_MS } from '../constants.ts';

interface Situation {
  readonly wasPrompted: boolean;
  readonly recentInventory: ReturnType<(typeof browserStorage)['recentInventory']['read']>;
  readonly criteria: Pick<SearchCriteria, 'filters'>;
  /** ms since 1970. */
  readonly now: number;
}

/**
 * May the notification prompt show: once, to somebody who looked at a vehicle
 * within the last 24 hours and searches for a model or a body style
 * (A4-NOTIF-01..03, AMB-125)?
 */
export function mayPrompt({ wasPrompted, recentInventory, criteria, now }: Situation): boolean {
  if (wasPrompted) return false;
  const newest = Math.max(...recentInventory.map(({ viewedAt }) => viewedAt));
  if (!(now - newest <= NOTIFICATION_WINDOW_MS)) return false;
  const { modelCode = [], vehicleStyleCode = [] } = criteria.filters;
  return modelCode.length > 0 || vehicleStyleCode.length > 0;
}
