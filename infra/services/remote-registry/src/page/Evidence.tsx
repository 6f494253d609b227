import type { ReactNode } from 'react';
import type { PointerChange, RoomBoard } from '../room/roomView.ts';
import { Time, Tag, count, percent } from './format.tsx';
import styles from './ControlRoom.module.css';
import { badShareOf, intervalOf, totalOf } from '@forecourt/releases/canaryRule';
import { slotsOf, type SlotHealth } from '../room/evidence.ts';

const pointerText = ({ live, canary }: PointerChange['after']): string =>
  canary ? `${live}, canary ${canary.version} at ${canary.weight} %` : live;

/** 'rolled back from 1.4.0 to 1.3.0' */
function describe({ verb, before, after }: PointerChange): string {
  if (verb === 'hold') return 'started a hold';
  if (verb === 'resume') return 'ended the hold';
  if (verb === 'rollback') return `rolled back from ${before?.live ?? 'nothing'} to ${after.live}`;
  if (verb === 'promote') return `made ${after.live} live`;
  if (verb === 'pointer') return `set ${pointerText(after)}`;
  if (after.canary) return `gave ${after.canary.version} to ${after.canary.weight} % of visitors`;
  return `ended the canary ${before?.canary?.version ?? ''}`;
}

/** Who moved which pointer, when and why; newest first. */
export function Changes({
  changes,
  showsRemote = false,
}: {
  readonly changes: readonly PointerChange[];
  readonly showsRemote?: boolean;
}): ReactNode {
  return (
    <section className={styles['card']} aria-labelledby="changes">
      <h2 id="changes">History</h2>
      {changes.length === 0 && <p className={styles['quiet']}>No changes yet.</p>}
      <ol className={styles['changes']}>
        {changes.map((change) => (
          <li key={change.revision}>
            <span>
              <strong>{change.by}</strong> {describe(change)}
              {showsRemote && <span className={styles['quiet']}> · {change.remote}</span>}
              {change.skipGate && <Tag look="attention">Without the gate</Tag>}
            </span>
            {change.why !== undefined && <q>{change.why}</q>}
            <span className={styles['quiet']}>
              <Time at={change.at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

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
          <Tag look="bad">{percent(badShareOf(slot))} of renders fail</Tag>
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
