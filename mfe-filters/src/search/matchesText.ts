import { formatCount } from '@forecourt/search/format';

/** '1 Match', '1,234 Matches' */
export const matchesText = (total: number): string => formatCount(total, 'Match', 'Matches');
