import type { ReactNode } from 'react';
import type { PointerChange, RoomBoard } from '../room/roomView.ts';
import { Time, Tag, count, percent } from './format.tsx';
import styles from './ControlRoom.module.css';
import { badShareOf, intervalOf, totalOf } from '@forecourt/releases/canaryRule';
import type { SlotFigure, SlotFigures } from '@forecourt/releases/slotFigures';
import { type PlaceHealth, slotsOf, type SlotHealth } from '../room/evidence.ts';

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

/** How often a slot failed on servers or in browsers. */
function Place({
  health,
  units,
  phases = {},
}: {
  readonly health: PlaceHealth;
  readonly units: string;
  readonly phases?: SlotHealth['browser']['phases'];
}): ReactNode {
  const { low, high } = intervalOf(health);
  const { bad, lastFailure: failure } = health;
  const byPhase = Object.entries(phases)
    .map(([phase, failures]) => `${phase} ${count(failures)}`)
    .join(', ');
  return (
    <>
      <p>
        {bad === 0 ? (
          <Tag look="good">No failures</Tag>
        ) : (
          <Tag look="bad">
            {percent(badShareOf(health))} of {units} fail
          </Tag>
        )}{' '}
        <span className={styles['quiet']}>
          {count(bad)} of {count(totalOf(health))} {units}
          {bad > 0 && `, 95 % interval ${percent(low)} to ${percent(high)}`}
          {byPhase !== '' && `; by phase: ${byPhase}`}
        </span>
      </p>
      {failure && (bad > 0 || byPhase !== '') && (
        <details>
          <summary>
            Last failure <Time at={failure.at} />: {failure.code} {failure.message}
          </summary>
          <pre className={styles['stack']}>{failure.stack ?? 'No stack was reported.'}</pre>
        </details>
      )}
    </>
  );
}

const whole = (value: number): string => count(Math.round(value));

/** The figures in the order of the page, each with its unit. */
const FIGURES: readonly (readonly [figure: SlotFigure, text: (value: number) => string])[] = [
  ['lcpMs', (value) => `LCP ${whole(value)} ms`],
  ['inpMs', (value) => `INP ${whole(value)} ms`],
  ['eventsPerMinute', (value) => `${whole(value)} events a minute`],
  ['callsPerMinute', (value) => `${whole(value)} calls a minute`],
  ['elements', (value) => `${whole(value)} elements`],
  ['busyMsPerMinute', (value) => `${whole(value)} ms of the main thread a minute`],
];

/** What a slot costs its pages; a quarter of the views is above these. */
function Figures({ figures }: { readonly figures: SlotFigures }): ReactNode {
  const shown = FIGURES.flatMap(([figure, text]) => {
    const measured = figures[figure];
    return measured ? [{ text: text(measured.p75), views: measured.views }] : [];
  });
  if (shown.length === 0) return null;
  const views = Math.max(...shown.map((one) => one.views));
  return (
    <p className={styles['quiet']}>
      {shown.map(({ text }) => text).join(', ')} (75th percentile of {count(views)}{' '}
      {views === 1 ? 'view' : 'views'})
    </p>
  );
}

const Slot = ({ slot: { slot, server, browser } }: { readonly slot: SlotHealth }): ReactNode => (
  <li>
    <p>
      <strong>{slot}</strong>
    </p>
    <Place health={server} units="renders" />
    {(totalOf(browser) > 0 || Object.keys(browser.phases).length > 0) && (
      <Place health={browser} units="views in browsers" phases={browser.phases} />
    )}
    <Figures figures={browser.figures} />
  </li>
);

/** How often each slot of a release failed on servers and in browsers, with the last failures. */
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
      <p className={styles['quiet']}>
        Renders on all servers and views in all browsers within {minutes} minutes.
      </p>
      {slots.length === 0 && <p>No renders lately.</p>}
      <ul className={styles['slots']}>
        {slots.map((slot) => (
          <Slot key={slot.slot} slot={slot} />
        ))}
      </ul>
    </section>
  );
}
