import { useState, type ReactNode } from 'react';
import type { PageRecord, RecordedEvent } from './record.ts';

const isWanted = ({ event }: RecordedEvent, filter: string) =>
  `${event.type} ${event.sender} ${JSON.stringify(event.payload)}`
    .toLowerCase()
    .includes(filter.toLowerCase());

/** The bus as it runs, the newest first. */
export function BusTab({
  record,
  onClear,
}: {
  readonly record: PageRecord;
  readonly onClear: () => void;
}): ReactNode {
  const [filter, setFilter] = useState('');
  const [held, setHeld] = useState<readonly RecordedEvent[]>();
  const events = held ?? record.events;
  const shown = events.filter((entry) => isWanted(entry, filter)).reverse();
  return (
    <>
      <div className="tools">
        <label>
          Filter <input type="search" value={filter} onChange={({ target }) => setFilter(target.value)} />
        </label>
        <button aria-pressed={held !== undefined} onClick={() => setHeld(held ? undefined : record.events)}>
          Pause
        </button>
        <button
          onClick={() => {
            onClear();
            if (held) setHeld([]);
          }}
        >
          Clear
        </button>
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
