import { useState, type ReactNode, useSyncExternalStore } from 'react';
import type { PageRecord, RecordedEvent } from './recorder.ts';
import type { AppStore } from '@forecourt/shared-contracts/store';

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
export function StoreTab({ store }: { readonly store: AppStore }): ReactNode {
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
