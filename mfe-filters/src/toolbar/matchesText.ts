import { formatNumber } from '@forecourt/shared-contracts/ui';

/** '1 Match', '1,234 Matches'. */
export const matchesText = (total: number): string =>
  `${formatNumber(total)} ${total === 1 ? 'Match' : 'Matches'}`;
