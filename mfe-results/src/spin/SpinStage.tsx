import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import styles from './SpinDialog.later.module.css';
import { nearestLoaded, viewName, wrapped } from './turn.ts';
import type { Frames } from './useFrames.ts';

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
