import { type ReactNode, useEffect, useState } from 'react';
import type { MeasuredSlot } from '../both/testerBoot.ts';
import { slotElementId } from '../../../both/bootData.ts';
import type { PageRecord } from './recorder.ts';

const ms = (value: number | undefined) =>
  value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const size = (bytes: number) => (bytes === 0 ? '–' : `${(bytes / 1024).toFixed(1)} KB`);

/** Each slot of the page: its release, server time, size, time to interactive and errors. */
export function SlotsTab({
  slots,
  record,
}: {
  readonly slots: readonly MeasuredSlot[];
  readonly record: PageRecord;
}): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Slot</th>
          <th scope="col">Release</th>
          <th scope="col">Criticality</th>
          <th scope="col">Server</th>
          <th scope="col">HTML</th>
          <th scope="col">Interactive at</th>
          <th scope="col">Errors</th>
        </tr>
      </thead>
      <tbody>
        {slots.map(({ slot, remote, version, criticality, failure, ...measured }) => {
          const errors = [
            ...(failure === undefined ? [] : [`server: ${failure}`]),
            ...(record.failures.get(slot) ?? []),
          ];
          return (
            <tr key={slot}>
              <th scope="row">
                <button
                  className="link"
                  onClick={() =>
                    document.getElementById(slotElementId(slot))?.scrollIntoView({ block: 'start' })
                  }
                >
                  {slot}
                </button>
              </th>
              <td data-label="Release">
                {remote === null ? 'the shell' : `${remote} ${version ?? '(no release)'}`}
              </td>
              <td data-label="Criticality">{criticality}</td>
              <td data-label="Server" className="number">
                {ms(measured.ms)}
              </td>
              <td data-label="HTML" className="number">
                {size(measured.bytes)}
              </td>
              <td data-label="Interactive at" className="number">
                {ms(record.interactiveAt.get(slot))}
              </td>
              <td data-label="Errors" className={errors.length > 0 ? 'bad' : undefined}>
                {errors.length === 0 ? 'none' : errors.map((text, at) => <div key={at}>{text}</div>)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface Box {
  readonly slot: MeasuredSlot;
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The slots' current positions in the viewport, without empty slots. */
const boxesOf = (slots: readonly MeasuredSlot[]): Box[] =>
  slots.flatMap((slot) => {
    const { top, left, width, height } =
      document.getElementById(slotElementId(slot.slot))?.getBoundingClientRect() ?? new DOMRect();
    return width > 0 && height > 0 ? [{ slot, top, left, width, height }] : [];
  });

/** Outlines each slot in an overlay that takes no clicks and does not affect the layout. */
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
