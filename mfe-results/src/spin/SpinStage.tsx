import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import type { Spin } from '../callTypes.ts';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import styles from './SpinDialog.later.module.css';
import { loadingOrder, nearestLoaded, viewName, wrapped } from './turn.ts';

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

/** Widths of the picture that a finger moves for a whole turn. */
const WIDTHS_PER_TURN = 1.25;

/** Keys that lead over the ends of the slider: a turn has none. */
const OVER_THE_END: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
};

/** The pictures on one another, one of them visible; turned by a drag, a swipe or the slider. */
export function SpinStage({ title, frames, first, loaded }: Frames & { readonly title: string }): ReactNode {
  const [wanted, setWanted] = useState(first);
  const grip = useRef<{ pointer: number; x: number; index: number }>(undefined);
  const hintId = useId();
  const slider = useRef<HTMLInputElement>(null);
  // The dialog opened before the pictures were there, with the focus on Close.
  useEffect(() => slider.current?.focus({ preventScroll: true }), []);
  const count = frames.length;
  const degrees = frames[wanted]?.degrees ?? 0;
  const shown = nearestLoaded(loaded, wanted, count);

  const take = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { pointer: event.pointerId, x: event.clientX, index: wanted };
  };
  const turn = (event: PointerEvent<HTMLDivElement>) => {
    const held = grip.current;
    if (!held || held.pointer !== event.pointerId) return;
    const share = (event.clientX - held.x) / (event.currentTarget.clientWidth * WIDTHS_PER_TURN);
    setWanted(wrapped(held.index + Math.round(share * count), count));
  };
  const leave = () => {
    grip.current = undefined;
  };
  const turnOver = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = OVER_THE_END[event.key];
    if (step === undefined || wrapped(wanted + step, count) === wanted + step) return;
    event.preventDefault();
    setWanted(wrapped(wanted + step, count));
  };
  return (
    <div className={styles['spin']}>
      {/* Whoever uses no pointer turns by the slider. */}
      <div
        className={styles['stage']}
        role="img"
        aria-label={`${title}, ${viewName(degrees)}`}
        onPointerDown={take}
        onPointerMove={turn}
        onPointerUp={leave}
        onPointerCancel={leave}
      >
        {frames.map(({ src }, index) =>
          loaded.has(index) ? (
            <img
              key={src}
              className={styles['frame']}
              src={src}
              alt=""
              width={800}
              height={600}
              draggable={false}
              data-shown={index === shown || undefined}
            />
          ) : null,
        )}
      </div>
      <input
        ref={slider}
        type="range"
        className={styles['slider']}
        min={0}
        max={count - 1}
        step={1}
        value={wanted}
        aria-label="Turn the vehicle"
        aria-valuetext={`${degrees} degrees of 360, ${viewName(degrees)}`}
        aria-describedby={hintId}
        onChange={(event) => setWanted(Number(event.currentTarget.value))}
        onKeyDown={turnOver}
      />
      <p id={hintId} className={styles['hint']}>
        <span>Drag the picture or the slider to turn the vehicle.</span>
        <span className={styles['degrees']} aria-hidden="true">{`${degrees}°`}</span>
      </p>
    </div>
  );
}
