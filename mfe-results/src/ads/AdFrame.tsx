import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import styles from './AdFrame.later.module.css';
import { type Call, useSlotEnvironment, usePageState } from '@forecourt/slots';
import type { CallParams, CallResponses } from '@forecourt/upstream/calls';
import type { SearchPageData } from '@forecourt/upstream/entities';
import { useImpressionTracker } from '../browser/resultCards.ts';
import { type AdSize, TILE_AD_SIZE, leaderboardSize, type LeaderboardKind, useScreen } from './adSizes.ts';

type Ad = CallResponses['ad'];

export type LoadedAd = Extract<Ad, { src: string }>;

/**
 * Loads the ad of a slot; undefined when the service has none, rejects when the service or the creative fails.
 * A frame fires `load` for error pages too and a sandboxed one cannot be inspected, so the creative is checked
 * first.
 */
export async function loadAd(
  call: Call,
  request: CallParams,
  signal: AbortSignal,
): Promise<LoadedAd | undefined> {
  const ad = await call('ad', request, { signal });
  if (!('src' in ad)) return undefined;
  const { ok, status } = await fetch(ad.src, { method: 'HEAD', signal });
  if (!ok) throw new Error(`the ad creative responded ${status}`);
  return ad;
}

const PAGE = 'results';

/** Request parameters of a slot, including its refresh count and the search's targeting. */
export function adRequest(
  slot: string,
  size: AdSize,
  refresh: number,
  { ad = {} }: Pick<SearchPageData, 'ad'>,
): CallParams {
  const targeting = Object.entries(ad).map(([name, value]): [string, string] => [`t.${name}`, value]);
  return {
    ...Object.fromEntries(targeting),
    slot,
    size: size.join('x'),
    't.page': PAGE,
    n: String(refresh),
  };
}

/** Creatives run no scripts and cannot access the page; their links open new tabs. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

/** A creative in a sandboxed frame; one frame shows one creative. */
export function AdFrame({
  ad,
  onLoad,
  ref,
}: {
  ad: LoadedAd;
  onLoad: () => void;
  ref?: Ref<HTMLIFrameElement>;
}): ReactNode {
  const { src, width, height, advertiser } = ad;
  return (
    <iframe
      ref={ref}
      className={styles['frame']}
      title={`Advertisement of ${advertiser}`}
      src={src}
      width={width}
      height={height}
      sandbox={SANDBOX}
      referrerPolicy="no-referrer"
      onLoad={onLoad}
    />
  );
}

/** A creative that reports one impression, once it has loaded and half of it is in view. */
function TrackedAdFrame({ ad, slot }: { ad: LoadedAd; slot: string }): ReactNode {
  const tracker = useImpressionTracker();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(
    () =>
      isLoaded && frame.current
        ? tracker.watch(frame.current, { kind: 'impression', name: 'ad', tile: slot })
        : undefined,
    [isLoaded, tracker, slot],
  );
  return <AdFrame ref={frame} ad={ad} onLoad={() => setLoaded(true)} />;
}

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
