import type { ReactNode } from 'react';
import type { RoomRemote } from '../room/roomView.ts';
import {
  badShareOf,
  CANARY_STATES,
  intervalOf,
  measureName,
  type Outcomes,
  totalOf,
} from '@forecourt/releases/canaryRule';
import {
  canaryEvidence,
  canaryMinutes,
  COMPARED_MINUTES,
  type Measure,
  measuresOf,
} from '../room/evidence.ts';
import { count, percent, Time, useNow, Tag } from './format.tsx';
import { Move } from './Move.tsx';
import type { RoomProps } from './Overview.tsx';
import { RoomLink, releasePath } from './route.tsx';
import styles from './ControlRoom.module.css';

/** The words for a measure. */
interface Words {
  /** Of what the rate is the share. */
  readonly units: string;
  readonly bad: string;
}

const WORDS: Readonly<Record<Measure['kind'], Words>> = {
  server: { units: 'renders', bad: 'failed' },
  browser: { units: 'views', bad: 'failed' },
  vital: { units: 'measurements', bad: 'were slow' },
};

const LOOKS = { worse: 'bad', suspect: 'attention', undecided: 'plain', fine: 'good' } as const;

/** The state in the words of the rule, with the time until there is enough evidence. */
function stateText({ verdict: { kind, minutesLeft } }: Measure): string {
  const { text, advice } = CANARY_STATES[kind];
  const left = minutesLeft === undefined ? '' : `, about ${Math.max(1, Math.ceil(minutesLeft))} min left`;
  return `${text}${left}: ${advice}`;
}

/** The rate with its interval, as a bar on the scale that both releases share. */
function Rate({
  label,
  health,
  scale,
  words: { units, bad },
}: {
  readonly label: string;
  readonly health: Outcomes;
  /** Rate at the end of the bar. */
  readonly scale: number;
  readonly words: Words;
}): ReactNode {
  const { low, high } = intervalOf(health);
  const isEmpty = totalOf(health) === 0;
  const position = (rate: number) => `${(100 * Math.min(rate, scale)) / scale}%`;
  return (
    <div className={styles['rate']}>
      <dt>{label}</dt>
      <dd>
        {isEmpty ? `no ${units}` : percent(badShareOf(health))}
        <span className={styles['quiet']}>
          {!isEmpty &&
            ` ${count(health.bad)} of ${count(totalOf(health))} ${units} ${bad}; 95 % interval ${percent(low)} to ${percent(high)}`}
        </span>
        <span className={styles['scale']} aria-hidden="true">
          {!isEmpty && (
            <>
              <span
                style={{ insetInlineStart: position(low), insetInlineEnd: `calc(100% - ${position(high)})` }}
              />
              <i style={{ insetInlineStart: position(badShareOf(health)) }} />
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

/** One measure of the canary and of the live release, with what it says. */
function Comparison({
  measure,
  pointer: { live, canary },
}: {
  readonly measure: Measure;
  readonly pointer: RoomRemote['pointer'];
}): ReactNode {
  const words = WORDS[measure.kind];
  const highest = Math.max(intervalOf(measure.canary).high, intervalOf(measure.live).high);
  const isEmpty = totalOf(measure.canary) + totalOf(measure.live) === 0;
  const scale = isEmpty ? 1 : Math.min(1, highest * 1.1);
  return (
    <>
      <h3>
        {measureName(measure)} <Tag look={LOOKS[measure.verdict.kind]}>{stateText(measure)}</Tag>
      </h3>
      <dl className={styles['rates']}>
        <Rate label={`Canary ${canary?.version}`} health={measure.canary} scale={scale} words={words} />
        <Rate label={`Live ${live}`} health={measure.live} scale={scale} words={words} />
      </dl>
    </>
  );
}

/** The canary with its evidence, and what to do with it. */
export function Canary({ board, caller, remote }: RoomProps & { readonly remote: RoomRemote }): ReactNode {
  const { name, pointer, canarySince } = remote;
  const { live, canary } = pointer;
  const now = useNow();
  if (!canary) return null;
  const measures = measuresOf(canaryEvidence(board, remote), canaryMinutes(remote, now));
  const move = { caller, remote: name, revision: board.revision };
  return (
    <section className={styles['card']} aria-labelledby="canary">
      <h2 id="canary">
        Canary <RoomLink to={releasePath(name, canary.version)}>{canary.version}</RoomLink>
      </h2>
      <p>
        <strong>{percent(canary.weight / 100)}</strong> of visitors
        {canarySince !== undefined && (
          <>
            , set <Time at={canarySince} />
          </>
        )}
      </p>
      {measures.map((measure) => (
        <Comparison key={`${measure.kind} ${measure.name}`} measure={measure} pointer={pointer} />
      ))}
      {measures.length === 0 && <p>No shell has reported this canary yet.</p>}
      <p className={styles['quiet']}>
        Outcomes of the last {COMPARED_MINUTES} minutes. A shell ends the canary by itself if one of these is
        worse.
      </p>
      <div className={styles['buttons']}>
        <Move
          {...move}
          verb="promote"
          body={{ version: canary.version }}
          label="Promote"
          look="primary"
          title={`Promote ${canary.version}?`}
        >
          <p>
            Everyone gets <strong>{canary.version}</strong> instead of {live} within two seconds.
          </p>
        </Move>
        <Move
          {...move}
          verb="canary"
          body={{ version: canary.version }}
          share={canary.weight}
          label="Change share"
          title={`Change the share of ${canary.version}?`}
        >
          <p>A higher share keeps the visitors who have the canary and adds others.</p>
        </Move>
        <Move
          {...move}
          verb="canary"
          action="end-canary"
          body={{ version: canary.version, weight: 0 }}
          label="End canary"
          title={`End the canary ${canary.version}?`}
        >
          <p>Everyone gets {live}. The release stays published.</p>
        </Move>
      </div>
    </section>
  );
}
