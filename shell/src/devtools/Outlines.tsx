import { useEffect, useState, type ReactNode } from 'react';
import type { MeasuredSlot } from '../overrides/testerBoot.ts';
import { slotElementId } from '../page/bootData.ts';
import type { PageRecord } from './record.ts';

interface Box {
  readonly slot: MeasuredSlot;
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Where the slots are on the screen now; those without a size are left out. */
const boxesOf = (slots: readonly MeasuredSlot[]): Box[] =>
  slots.flatMap((slot) => {
    const { top, left, width, height } =
      document.getElementById(slotElementId(slot.slot))?.getBoundingClientRect() ?? new DOMRect();
    return width > 0 && height > 0 ? [{ slot, top, left, width, height }] : [];
  });

/** Draws a frame over each slot. It lies above the page and takes no clicks, so nothing moves. */
export function Outlines({
  slots,
  record,
}: {
  readonly slots: readonly MeasuredSlot[];
  readonly record: PageRecord;
}): ReactNode {
  const [boxes, setBoxes] = useState(() => boxesOf(slots));
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setBoxes(boxesOf(slots)));
    };
    const sizes = new ResizeObserver(draw);
    for (const { slot } of slots) {
      const element = document.getElementById(slotElementId(slot));
      if (element) sizes.observe(element);
    }
    window.addEventListener('scroll', draw, { capture: true, passive: true });
    window.addEventListener('resize', draw);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      window.removeEventListener('scroll', draw, { capture: true });
      window.removeEventListener('resize', draw);
    };
  }, [slots]);
  return (
    <div className="outlines" aria-hidden="true">
      {boxes.map(({ slot, ...box }) => {
        const isBad = slot.failure !== undefined || record.failures.has(slot.slot);
        return (
          <div key={slot.slot} className={isBad ? 'outline bad' : `outline ${slot.criticality}`} style={box}>
            <span>
              {slot.slot} · {slot.remote === null ? 'shell' : `${slot.remote} ${slot.version ?? '(none)'}`}
            </span>
          </div>
        );
      })}
    </div>
  );
}
