import type { ReactNode } from 'react';
import type { RoomRemote } from '../room/roomView.ts';
import { canaryEvidence, intervalOf, judge, rateOf, totalOf, type Health, type Verdict } from './evidence.ts';
import { count, percent, Time, useNow, Tag } from './format.tsx';
import { Move } from './Move.tsx';
import type { RoomProps } from './Overview.tsx';
import { RoomLink, releasePath } from './route.tsx';
import styles from './room.module.css';

const MINUTE_MS = 60_000;

function verdictText(
  verdict: Verdict,
  difference: string,
): { look: 'good' | 'bad' | 'attention' | 'plain'; text: string } {
  switch (verdict.kind) {
    case 'worse':
      return { look: 'bad', text: 'Fails more often than the live release' };
    case 'suspect':
      return { look: 'attention', text: 'Fails more often so far, which could be chance' };
    case 'fine':
      return { look: 'good', text: `Not ${difference} worse than the live release` };
    case 'share-too-small':
      return { look: 'plain', text: 'Too few visitors to tell: raise the share' };
    case 'undecided': {
      const minutes = verdict.minutesLeft;
      if (minutes === undefined) return { look: 'plain', text: 'No renders yet' };
      return {
        look: 'plain',
        text: `About ${Math.max(1, Math.ceil(minutes))} min until there is enough evidence`,
      };
    }
  }
}

/** The failure rate with its interval, as a bar on the scale that both releases share. */
function Rate({
  label,
  health,
  scale,
}: {
  readonly label: string;
  readonly health: Health;
  /** Failure rate at the end of the bar. */
  readonly scale: number;
}): ReactNode {
  const { low, high } = intervalOf(health);
  const isEmpty = totalOf(health) === 0;
  const position = (rate: number) => `${(100 * Math.min(rate, scale)) / scale}%`;
  return (
    <div className={styles['rate']}>
      <dt>{label}</dt>
      <dd>
        {isEmpty ? 'no renders' : percent(rateOf(health))}
        <span className={styles['quiet']}>
          {!isEmpty &&
            ` ${count(health.bad)} of ${count(totalOf(health))} renders failed; 95 % interval ${percent(low)} to ${percent(high)}`}
        </span>
        <span className={styles['scale']} aria-hidden="true">
          {!isEmpty && (
            <>
              <span
                style={{ insetInlineStart: position(low), insetInlineEnd: `calc(100% - ${position(high)})` }}
              />
              <i style={{ insetInlineStart: position(rateOf(health)) }} />
            </>
          )}
        </span>
      </dd>
    </div>
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
  const minutes =
    canarySince === undefined ? evidence.windowMinutes : (now - Date.parse(canarySince)) / MINUTE_MS;
  const points = `${(rule?.minDifference ?? 0.02) * 100} points`;
  const { look, text } = verdictText(judge(evidence, minutes), points);
  const highest = Math.max(intervalOf(evidence.canary).high, intervalOf(evidence.live).high);
  const scale = totalOf(evidence.canary) + totalOf(evidence.live) === 0 ? 1 : Math.min(1, highest * 1.1);
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
        )}{' '}
        <Tag look={look}>{text}</Tag>
      </p>
      <dl className={styles['rates']}>
        <Rate label={`Canary ${canary.version}`} health={evidence.canary} scale={scale} />
        <Rate label={`Live ${live}`} health={evidence.live} scale={scale} />
      </dl>
      {rule && (
        <p className={styles['quiet']}>
          A shell ends the canary by itself after {rule.minFailures} failures within {evidence.windowMinutes}{' '}
          minutes, if they are {points} more than the live release’s and {rule.minZ} standard errors away from
          chance.
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
