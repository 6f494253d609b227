import { useMemo } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { selectSession, usePageState } from '@forecourt/shared-contracts/store';
import type { ListingCardProps } from './ListingCard.tsx';

export type CardOptions = Pick<
  ListingCardProps,
  'hasPayments' | 'hasPaymentsPopover' | 'hasShareAndReport' | 'maySave' | 'mayReport' | 'compare' | 'wallet'
>;

/** What brand, flags and visitor say about every card of the page; the same object while they say the same. */
export function useCardOptions(): CardOptions {
  const { brand, flags, showsPayments, wallet } = usePageState(selectSession);
  return useMemo(() => {
    const isOn = (flag: string) => flags[flag] ?? false;
    return {
      // Who once switched them on may come back to a page without the wallet (B6-FLAG-02).
      hasPayments: showsPayments && isOn('wallet'),
      wallet,
      hasPaymentsPopover: isOn('paymentsPopover'),
      hasShareAndReport: BRANDS[brand].hasShareAndReport,
      maySave: isOn('saveListing'),
      mayReport: isOn('reportListing'),
      // A second flag counts on small screens (AMB-116).
      compare: isOn('compare') ? (isOn('compareSmallScreen') ? 'all' : 'large') : 'off',
    };
  }, [brand, flags, showsPayments, wallet]);
}
