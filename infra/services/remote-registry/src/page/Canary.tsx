import type { ReactNode } from 'react';
import type { RoomRemote } from '../room/roomView.ts';
import { badShareOf, CANARY_RULE, intervalOf, type Outcomes, totalOf } from '@forecourt/releases/canaryRule';
import { canaryEvidence, canaryMinutes, type Measure, measuresOf, type Verdict } from '../room/evidence.ts';
import { count, percent, Time, useNow, Tag } from './format.tsx';
import { Move } from './Move.tsx';
import type { RoomProps } from './Overview.tsx';
import { RoomLink, releasePath } from './route.tsx';
import styles from './ControlRoom.module.css';

/** '2.5 s' */
const formatMs = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

/** The words for a measure. */
interface Words {
  readonly title: string;
  /** Of what the rate is the share. */
  readonly units: string;
  readonly bad: string;
  readonly worse: string;
}

const wordsOf = ({ name, goodMs }: Measure): Words =>
  goodMs === undefined
    ? { title: 'Failures', units: 'renders', bad: 'failed', worse: 'Fails more often' }
    : {
        title: `${name}, slow above ${formatMs(goodMs)}`,
        units: 'measurements',
        bad: 'were slow',
        worse: 'Slow more often',
      };

function verdictText(
  verdict: Verdict,
  { worse, units }: Words,
  difference: string,
): { look: 'good' | 'bad' | 'attention' | 'plain'; text: string } {
  switch (verdict.kind) {
    case 'worse':
      return { look: 'bad', text: `${worse} than the live release` };
    case 'suspect':
      return { look: 'attention', text: `${worse} so far, which could be chance` };
    case 'fine':
      return { look: 'good', text: `Not ${difference} worse than the live release` };
    case 'share-too-small':
      return { look: 'plain', text: 'Too few visitors to tell: raise the share' };
    case 'undecided': {
      const minutes = verdict.minutesLeft;
      if (minutes === undefined) return { look: 'plain', text: `No ${units} yet` };
      return {
        look: 'plain',
        text: `About ${Math.max(1, Math.ceil(minutes))} min until there is enough evidence`,
      };
    }
  }
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
  difference,
  pointer: { live, canary },
}: {
  readonly measure: Measure;
  /** The difference that counts, e.g. '2 points'. */
  readonly difference: string;
  readonly pointer: RoomRemote['pointer'];
}): ReactNode {
  const words = wordsOf(measure);
  const { look, text } = verdictText(measure.verdict, words, difference);
  const highest = Math.max(intervalOf(measure.canary).high, intervalOf(measure.live).high);
  const isEmpty = totalOf(measure.canary) + totalOf(measure.live) === 0;
  const scale = isEmpty ? 1 : Math.min(1, highest * 1.1);
  return (
    <>
      <h3>
        {words.title} <Tag look={look}>{text}</Tag>
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
  const evidence = canaryEvidence(board, remote);
  const { rule } = evidence;
  const measures = measuresOf(evidence, canaryMinutes(remote, evidence, now));
  const points = `${(rule ?? CANARY_RULE).minDifference * 100} points`;
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
        <Comparison key={measure.name} measure={measure} difference={points} pointer={pointer} />
      ))}
      {rule && (
        <p className={styles['quiet']}>
          A shell ends the canary by itself after {rule.minFailures} failures or slow measurements of one kind
          within {evidence.windowMinutes} minutes, if they are {points} more than the live release’s and{' '}
          {rule.minZ} standard errors away from chance.
        </p>
      )}
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
