import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import type { MeasuredSlot } from '../universal/testerBoot.ts';
import { slotElementId } from '../../universal/slotElements.ts';
import type { PageRecord, RecordedEvent } from './recorder.ts';
import type { SlotUses } from '../../browser/slotUse.ts';
import type { SlotStore } from '@forecourt/slots/state';

const ms = (value: number | undefined) =>
  value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const size = (bytes: number) => (bytes === 0 ? '–' : `${(bytes / 1024).toFixed(1)} KB`);

const SHOW_USE_EVERY_MS = 1_000;

/** Shows again what slots have done, which changes all the time. */
function useSeconds(): void {
  const [, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((seconds) => seconds + 1), SHOW_USE_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}

function textOf({ events, calls, elements, busyMs }: ReturnType<SlotUses['of']>): string {
  return `${events} events, ${calls} calls, ${elements} elements, ${Math.round(busyMs)} ms busy`;
}

/** Each slot of the page: its release, server time, size, time to interactive, what it does since, and errors. */
export function SlotsTab({
  slots,
  record,
  uses,
}: {
  readonly slots: readonly MeasuredSlot[];
  readonly record: PageRecord;
  readonly uses: SlotUses;
}): ReactNode {
  useSeconds();
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
          <th scope="col">Since</th>
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
              <td data-label="Since">{textOf(uses.of(slot))}</td>
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

const matches = ({ event }: RecordedEvent, filter: string) =>
  `${event.type} ${event.sender} ${JSON.stringify(event.payload)}`
    .toLowerCase()
    .includes(filter.toLowerCase());

/** Downloads a recording, for `forecourt gate --recording`. */
function save(recording: object): void {
  const url = URL.createObjectURL(
    new Blob([JSON.stringify(recording, null, 2)], { type: 'application/json' }),
  );
  const link = Object.assign(document.createElement('a'), { href: url, download: 'page.recording.json' });
  link.click();
  URL.revokeObjectURL(url);
}

/** Events of the bus, newest first. */
export function BusTab({
  record,
  onClear,
  recordingOf,
}: {
  readonly record: PageRecord;
  readonly onClear: () => void;
  /** What a recording of the page contains. */
  readonly recordingOf: (record: PageRecord) => object;
}): ReactNode {
  const [filter, setFilter] = useState('');
  const [paused, setPaused] = useState<readonly RecordedEvent[]>();
  const events = paused ?? record.events;
  const shown = events.filter((entry) => matches(entry, filter)).reverse();
  return (
    <>
      <div className="tools">
        <label>
          Filter <input type="search" value={filter} onChange={({ target }) => setFilter(target.value)} />
        </label>
        <button
          aria-pressed={paused !== undefined}
          onClick={() => setPaused(paused ? undefined : record.events)}
        >
          Pause
        </button>
        <button
          onClick={() => {
            onClear();
            if (paused) setPaused([]);
          }}
        >
          Clear
        </button>
        <button onClick={() => save(recordingOf(record))}>Save recording</button>
        <span>
          {shown.length} of {events.length} events
        </span>
      </div>
      <ol className="events">
        {shown.map(({ id, at, event }) => (
          <li key={id}>
            <details>
              <summary>
                <span className="number">{Math.round(at)} ms</span> <b>{event.type}</b> from {event.sender}
              </summary>
              <pre>{JSON.stringify(event.payload, null, 2)}</pre>
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

const entriesOf = (value: object) => Object.entries(value) as [string, unknown][];

function summaryOf(value: object): string {
  if (Array.isArray(value)) return `${value.length} entries`;
  const keys = Object.keys(value);
  return keys.length === 0 ? 'empty' : keys.slice(0, 4).join(', ') + (keys.length > 4 ? ', …' : '');
}

/** One branch of the tree; its children render when it is opened. */
function Branch({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!isBranch(value))
    return (
      <div className="leaf">
        <b>{name}</b> {JSON.stringify(value) ?? 'undefined'}
      </div>
    );
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <b>{name}</b> <span className="quiet">{summaryOf(value)}</span>
      </summary>
      {isOpen && entriesOf(value).map(([key, inner]) => <Branch key={key} name={key} value={inner} />)}
    </details>
  );
}

/** The store's current state. */
export function StoreTab({ store }: { readonly store: SlotStore }): ReactNode {
  const state = useSyncExternalStore(
    (changed) => store.subscribe(changed),
    () => store.getState(),
  );
  return (
    <div className="tree">
      {entriesOf(state).map(([slice, parts]) =>
        entriesOf(parts as object).map(([name, value]) => (
          <Branch key={`${slice}.${name}`} name={`${slice}.${name}`} value={value} />
        )),
      )}
    </div>
  );
}
