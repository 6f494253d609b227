import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useSlotEnvironment } from '@forecourt/slots';
import { Button, Dialog, Skeleton } from '@forecourt/slots/ui';
import type { CallResponses } from '@forecourt/upstream/calls';
import styles from './SpinDialog.later.module.css';
import { viewName, loadingOrder, nearestLoaded, remainder } from './turn.ts';

type Spin = NonNullable<CallResponses['spin']>;

export interface SpinVehicle {
  readonly listingId: string;
  readonly title: string;
}

/** The 360° view of a vehicle. It never turns automatically. */
export function SpinDialog(props: { vehicle: SpinVehicle | undefined; onClose: () => void }): ReactNode {
  const { vehicle, onClose } = props;
  return (
    <Dialog open={vehicle !== undefined} title={vehicle?.title ?? ''} onClose={onClose} wide>
      {vehicle && <SpinContent key={vehicle.listingId} {...vehicle} />}
    </Dialog>
  );
}

function SpinContent({ listingId, title }: SpinVehicle): ReactNode {
  const [attempt, setAttempt] = useState(0);
  const state = useFrames(listingId, attempt);
  if (state === 'failed')
    return (
      <div className={styles['failed']} role="alert">
        <p>The 360° view could not be loaded.</p>
        <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>
      </div>
    );
  if (state === 'loading')
    return (
      <div className={styles['waiting']} role="status" aria-label="Loading the 360° view">
        <Skeleton height="100%" />
      </div>
    );
  return <SpinStage title={title} {...state} />;
}

/** Maximum number of parallel downloads. */
const PARALLEL_DOWNLOADS = 4;
/** Degrees of the first picture, the same view as the card's. */
const FIRST_DEGREES = 45;

interface Frames {
  readonly frames: Spin['frames'];
  /** Index of the first picture shown. */
  readonly first: number;
  /** Indexes of the loaded pictures. */
  readonly loaded: ReadonlySet<number>;
}

type FramesState = 'loading' | 'failed' | Frames;

/** Downloads and decodes a picture, so that it appears without flicker. */
async function fetchPicture(src: string): Promise<void> {
  const image = new Image();
  image.src = src;
  await image.decode();
}

/**
 * The pictures of a 360° view. 'failed' when the list or every picture fails to load; a new `attempt` retries.
 * Single failures are skipped.
 */
function useFrames(listingId: string, attempt: number): FramesState {
  const { call } = useSlotEnvironment();
  const key = `${listingId} ${attempt}`;
  const [state, setState] = useState<{ key: string; frames: FramesState }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (frames: FramesState) => {
      if (!signal.aborted) setState({ key, frames });
    };
    const load = async () => {
      const spin = await call('spin', { id: listingId }, { signal });
      if (!spin) return show('failed');
      const { frames } = spin;
      const first = Math.max(
        frames.findIndex(({ degrees }) => degrees >= FIRST_DEGREES),
        0,
      );
      const queue = loadingOrder(frames.length, first);
      const loadedFrames = new Set<number>();
      const fetchNext = async (): Promise<void> => {
        const index = queue.shift();
        const frame = index === undefined ? undefined : frames[index];
        if (index === undefined || !frame || signal.aborted) return;
        await fetchPicture(frame.src).then(
          () => {
            loadedFrames.add(index);
            show({ frames, first, loaded: new Set(loadedFrames) });
          },
          () => {},
        );
        await fetchNext();
      };
      await Promise.all(Array.from({ length: PARALLEL_DOWNLOADS }, fetchNext));
      if (loadedFrames.size === 0) show('failed');
    };
    load().catch(() => show('failed'));
    return () => controller.abort();
  }, [call, listingId, key]);
  return state?.key === key ? state.frames : 'loading';
}

/** Drag distance of a full turn, in widths of the picture. */
const WIDTHS_PER_TURN = 1.25;

/** Keys that wrap around at the ends of the slider. */
const WRAP_KEYS: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
};

/** The pictures stacked with one visible; turned by drag, swipe or slider. */
function SpinStage({ title, frames, first, loaded }: Frames & { readonly title: string }): ReactNode {
  const [requestedIndex, setWanted] = useState(first);
  const drag = useRef<{ pointer: number; x: number; index: number }>(undefined);
  const hintId = useId();
  const slider = useRef<HTMLInputElement>(null);
  // The dialog opened before the pictures were loaded, with the focus on Close.
  useEffect(() => slider.current?.focus({ preventScroll: true }), []);
  const count = frames.length;
  const degrees = frames[requestedIndex]?.degrees ?? 0;
  const shownIndex = nearestLoaded(loaded, requestedIndex, count);

  const startDrag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { pointer: event.pointerId, x: event.clientX, index: requestedIndex };
  };
  const turn = (event: PointerEvent<HTMLDivElement>) => {
    const dragStart = drag.current;
    if (!dragStart || dragStart.pointer !== event.pointerId) return;
    const share = (event.clientX - dragStart.x) / (event.currentTarget.clientWidth * WIDTHS_PER_TURN);
    setWanted(remainder(dragStart.index + Math.round(share * count), count));
  };
  const endDrag = () => {
    drag.current = undefined;
  };
  const wrapAround = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = WRAP_KEYS[event.key];
    if (step === undefined || remainder(requestedIndex + step, count) === requestedIndex + step) return;
    event.preventDefault();
    setWanted(remainder(requestedIndex + step, count));
  };
  return (
    <div className={styles['spin']}>
      {/* Keyboard and screen readers use the slider. */}
      <div
        className={styles['stage']}
        role="img"
        aria-label={`${title}, ${viewName(degrees)}`}
        onPointerDown={startDrag}
        onPointerMove={turn}
        onPointerUp={endDrag}
        onPointerCancel={endDrag}
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
              data-shown={index === shownIndex || undefined}
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
        value={requestedIndex}
        aria-label="Turn the vehicle"
        aria-valuetext={`${degrees} degrees of 360, ${viewName(degrees)}`}
        aria-describedby={hintId}
        onChange={(event) => setWanted(Number(event.currentTarget.value))}
        onKeyDown={wrapAround}
      />
      <p id={hintId} className={styles['hint']}>
        <span>Drag the picture or the slider to turn the vehicle.</span>
        <span className={styles['degrees']} aria-hidden="true">{`${degrees}°`}</span>
      </p>
    </div>
  );
}
