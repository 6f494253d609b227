import { useEffect, useState, type ReactNode } from 'react';
import type { CallParams } from '@forecourt/shared-contracts/calls';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { adRequest, loadAd, type FilledAd } from './loadAd.ts';
import { TILE_AD_SIZE, leaderboardSize, type LeaderboardKind, useScreen } from './adSizes.ts';
import { TrackedAdFrame } from './AdFrame.tsx';

export interface AdCreativeProps {
  /** Name of the slot at the ad service. */
  readonly slot: string;
  readonly size: LeaderboardKind | 'tile';
}

/** The ad for a slot and the current search; nothing where the service has none, or it or the creative fails. */
export function AdCreative({ slot, size }: AdCreativeProps): ReactNode {
  const { call, emit } = useSlotEnvironment();
  const pageData = usePageState(({ search }) => search.pageData);
  const screen = useScreen();
  const adSize = size === 'tile' ? TILE_AD_SIZE : leaderboardSize(size, screen);
  const [ad, setAd] = useState<FilledAd>();
  // A tile's creative is as wide as the tile; a new search asks anew, a new object with the same words does not.
  const request = JSON.stringify(adRequest(slot, adSize, 0, pageData));
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    loadAd(call, JSON.parse(request) as CallParams, signal).then(
      (filled) => !signal.aborted && setAd(filled),
      (error: unknown) => {
        if (signal.aborted) return;
        setAd(undefined);
        emit('problem.reported', { code: 'AD_NOT_LOADED', message: String(error) });
      },
    );
    return () => controller.abort();
  }, [call, emit, request]);
  // A frame that is sent elsewhere would be a step of the browser's Back.
  return ad ? <TrackedAdFrame key={ad.src} ad={ad} slot={slot} /> : null;
}
