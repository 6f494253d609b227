import { BRANDS } from '@forecourt/shared-contracts/brands';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import type { ListingCardProps } from './ListingCard.tsx';

/** What brand and flags say about every card of the page. */
export function useCardOptions(): Pick<ListingCardProps, 'hasPayments' | 'hasShareAndReport' | 'compare'> {
  const brand = usePageState(({ session }) => session.brand);
  const hasPayments = usePageState(selectFlag('paymentsPopover'));
  const hasCompare = usePageState(selectFlag('compare'));
  const hasSmallCompare = usePageState(selectFlag('compareSmallScreen'));
  return {
    hasPayments,
    hasShareAndReport: BRANDS[brand].hasShareAndReport,
    // A second flag counts on small screens (AMB-116).
    compare: hasCompare ? (hasSmallCompare ? 'all' : 'large') : 'off',
  };
}
