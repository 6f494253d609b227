import { useEffect, useState, type ReactNode } from 'react';
import type { CallParams } from '@forecourt/shared-contracts/calls';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePageState } from '@forecourt/shared-contracts/store';
import { adRequest, loadAd, type LoadedAd, TrackedAdFrame } from './AdFrame.tsx';
import styles from './AdFrame.later.module.css';
import { TILE_AD_SIZE, leaderboardSize, type LeaderboardKind, useScreen } from './adSizes.ts';

export interface AdCreativeProps {
  /** Slot name at the ad service. */
  readonly slot: string;
  readonly size: LeaderboardKind | 'tile';
  /** px that the place offers; undefined until it is measured. */
  readonly width: number | undefined;
}

/** The labeled ad for a slot and the current search; renders nothing when there is none or it fails to load. */
export function AdCreative({ slot, size, width }: AdCreativeProps): ReactNode {
  const { call, emit } = useSlotEnvironment();
  const pageData = usePageState(({ search }) => search.pageData);
  const screen = useScreen();
  const adSize = size === 'tile' ? TILE_AD_SIZE : leaderboardSize(size, screen, width);
  const [ad, setAd] = useState<LoadedAd>();
  // Serialized, so that only changed targeting requests a new ad.
  const request = JSON.stringify(adRequest(slot, adSize, 0, pageData));
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    loadAd(call, JSON.parse(request) as CallParams, signal).then(
      (nextAd) => !signal.aborted && setAd(nextAd),
      (error: unknown) => {
        if (signal.aborted) return;
        setAd(undefined);
        emit('problem.reported', { code: 'AD_NOT_LOADED', message: String(error) });
      },
    );
    return () => controller.abort();
  }, [call, emit, request]);
  // A new frame per ad: navigating an existing one would add a history entry.
  return (
    ad && (
      <>
        <p className={styles['label']}>Advertisement</p>
        <TrackedAdFrame key={ad.src} ad={ad} slot={slot} />
      </>
    )
  );
}
