import type { ReactNode } from 'react';
import type { RoomBoard } from '../room/roomView.ts';
import { intervalOf, rateOf, slotsOf, totalOf, type SlotHealth } from '../room/evidence.ts';
import { count, percent, Time, Tag } from './format.tsx';
import styles from './room.module.css';

function Slot({ slot }: { readonly slot: SlotHealth }): ReactNode {
  const { low, high } = intervalOf(slot);
  const failure = slot.lastFailure;
  return (
    <li>
      <p>
        <strong>{slot.slot}</strong>{' '}
        {slot.bad === 0 ? (
          <Tag look="good">No failures</Tag>
        ) : (
          <Tag look="bad">{percent(rateOf(slot))} of renders fail</Tag>
        )}{' '}
        <span className={styles['quiet']}>
          {count(slot.bad)} of {count(totalOf(slot))}
          {slot.bad > 0 && `, 95 % interval ${percent(low)} to ${percent(high)}`}
        </span>
      </p>
      {failure && slot.bad > 0 && (
        <details>
          <summary>
            Last failure <Time at={failure.at} />: {failure.code} {failure.message}
          </summary>
          <pre className={styles['stack']}>{failure.stack ?? 'The release gave no stack.'}</pre>
        </details>
      )}
    </li>
  );
}

/** How often each slot of a release failed on the servers, with the last failure. */
export function Slots({
  board,
  release,
}: {
  readonly board: RoomBoard;
  readonly release: string;
}): ReactNode {
  const slots = slotsOf(board, release);
  const minutes = board.shells.find(({ report }) => report)?.report?.windowMinutes ?? 10;
  return (
    <section className={styles['card']} aria-labelledby={`slots-${release}`}>
      <h2 id={`slots-${release}`}>Slots of {release}</h2>
      <p className={styles['quiet']}>Renders on all servers within {minutes} minutes.</p>
      {slots.length === 0 && <p>No renders lately.</p>}
      <ul className={styles['slots']}>
        {slots.map((slot) => (
          <Slot key={slot.slot} slot={slot} />
        ))}
      </ul>
    </section>
  );
}
