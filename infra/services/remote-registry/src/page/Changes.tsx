import type { ReactNode } from 'react';
import type { PointerChange } from '../room/roomView.ts';
import { Time, Tag } from './format.tsx';
import styles from './room.module.css';

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
