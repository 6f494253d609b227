import { useEffect, useState } from 'react';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { loadingOrder } from './turn.ts';
import type { Spin } from '../callTypes.ts';

/** Pictures fetched side by side. */
const AT_ONCE = 4;
/** Degrees of the first picture: what the card shows. */
const FIRST = 45;

export interface Frames {
  readonly frames: Spin['frames'];
  /** Index of the picture to begin with. */
  readonly first: number;
  /** Indices of the pictures that can be shown. */
  readonly loaded: ReadonlySet<number>;
}

export type FramesState = 'loading' | 'failed' | Frames;

/** Fetches and decodes a picture, so that it shows without a flicker. */
async function fetchPicture(src: string): Promise<void> {
  const image = new Image();
  image.src = src;
  await image.decode();
}

/**
 * The pictures of a vehicle's turn. 'failed' when there is no list of them, or
 * when not one of them came; a new `attempt` starts anew. Single ones that do
 * not come are left out.
 */
export function useFrames(listingId: string, attempt: number): FramesState {
  const { call } = useSlotEnvironment();
  const key = `${listingId} ${attempt}`;
  const [state, setState] = useState<{ key: string; is: FramesState }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (is: FramesState) => {
      if (!signal.aborted) setState({ key, is });
    };
    const load = async () => {
      const spin = await call('spin', { id: listingId }, { signal });
      if (!spin) return show('failed');
      const { frames } = spin;
      const first = Math.max(
        frames.findIndex(({ degrees }) => degrees >= FIRST),
        0,
      );
      const waiting = loadingOrder(frames.length, first);
      const loaded = new Set<number>();
      const fetchNext = async (): Promise<void> => {
        const index = waiting.shift();
        const frame = index === undefined ? undefined : frames[index];
        if (index === undefined || !frame || signal.aborted) return;
        await fetchPicture(frame.src).then(
          () => {
            loaded.add(index);
            show({ frames, first, loaded: new Set(loaded) });
          },
          () => {},
        );
        await fetchNext();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
      if (loaded.size === 0) show('failed');
    };
    load().catch(() => show('failed'));
    return () => controller.abort();
  }, [call, listingId, key]);
  return state?.key === key ? state.is : 'loading';
}
