import { type Outcomes, totalOf } from '@forecourt/releases/canaryRule';
import type { ReactNode } from 'react';
import { worseThanPrevious } from '../room/evidence.ts';
import type { RoomRemote } from '../room/roomView.ts';
import { Canary } from './Canary.tsx';
import { Changes, Slots } from './Evidence.tsx';
import { count, kilobytes, Time, Tag } from './format.tsx';
import { Move, RollBack } from './Move.tsx';
import type { RoomProps } from './Overview.tsx';
import { OVERVIEW, releasePath, RoomLink } from './route.tsx';
import styles from './ControlRoom.module.css';

type RemoteProps = RoomProps & { readonly remote: RoomRemote };

/** Holds the remote, or says who holds it. */
function Hold({ board, caller, remote }: RemoteProps): ReactNode {
  const { name, hold } = remote;
  const move = { caller, remote: name, revision: board.revision };
  if (!hold)
    return (
      <Move {...move} verb="hold" label="Hold" title={`Hold ${name}?`} isReasonRequired>
        <p>Until it is resumed, no release can be promoted or given to visitors. Rolling back still works.</p>
      </Move>
    );
  return (
    <Move {...move} verb="resume" label="Resume" title={`Resume ${name}?`}>
      <p>Releases can be promoted again.</p>
    </Move>
  );
}

/** Promotes a release, or gives it to a share of visitors. */
export function StartRelease({
  board,
  caller,
  remote,
  version,
}: RemoteProps & { readonly version: string }): ReactNode {
  const { name, pointer } = remote;
  if (version === pointer.live || version === pointer.canary?.version) return null;
  const move = { caller, remote: name, revision: board.revision };
  return (
    <>
      <Move
        {...move}
        verb="canary"
        body={{ version }}
        share={5}
        label="Start canary"
        title={`Start ${version} as a canary?`}
      >
        <p>
          A share of visitors gets {version} instead of {pointer.live}
          {pointer.canary && `; the canary ${pointer.canary.version} ends`}. It is ended by itself if it fails
          more often.
        </p>
      </Move>
      <Move
        {...move}
        verb="promote"
        body={{ version }}
        look="quiet"
        label="Make live"
        title={`Make ${version} live?`}
      >
        <p>
          Everyone gets <strong>{version}</strong> instead of {pointer.live} within two seconds.
        </p>
      </Move>
    </>
  );
}

function Releases({ remote, ...room }: RemoteProps): ReactNode {
  const { name, pointer, previous, releases } = remote;
  return (
    <section className={styles['card']} aria-labelledby="releases">
      <h2 id="releases">Releases</h2>
      <ul className={styles['releases']}>
        {releases.map(({ version, publishedAt, by, commit, files, bytes, development }) => (
          <li key={version}>
            <div>
              <p>
                <RoomLink to={releasePath(name, version)}>{version}</RoomLink>{' '}
                {version === pointer.live && <Tag look="good">Live</Tag>}
                {version === pointer.canary?.version && <Tag look="attention">Canary</Tag>}
                {version === previous && <Tag look="plain">Previous</Tag>}
                {development && <Tag look="attention">Development build: shells of visitors refuse it</Tag>}
              </p>
              <p className={styles['quiet']}>
                <Time at={publishedAt} />
                {by !== undefined && ` by ${by}`}
                {commit !== undefined && (
                  <>
                    {' from '}
                    <code title={commit}>{commit.slice(0, 8)}</code>
                  </>
                )}
                , {count(files)} files, {kilobytes(bytes)}
              </p>
            </div>
            <div className={styles['buttons']}>
              <StartRelease {...room} remote={remote} version={version} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reasons for which shells refuse what the pointers name. */
function Refusals({ board, remote }: RemoteProps): ReactNode {
  const refusals = board.shells.flatMap(({ url, report }) =>
    Object.entries(report?.refused ?? {})
      .filter(([release]) => release.startsWith(`${remote.name}@`))
      .map(([release, refusals]) => ({ url, release, refusals })),
  );
  if (refusals.length === 0) return null;
  return (
    <section className={styles['card']} aria-labelledby="refused">
      <h2 id="refused">Refused by shells</h2>
      {refusals.map(({ url, release, refusals: reasons }) => (
        <div key={url + release}>
          <p>
            {url} keeps its previous release instead of <strong>{release}</strong>:
          </p>
          <RefusalList refusals={reasons} />
        </div>
      ))}
    </section>
  );
}

/** What the gate found, with the remedy of each rule. */
export function RefusalList({
  refusals,
}: {
  readonly refusals: readonly {
    readonly rule: string;
    readonly expected: string;
    readonly found: string;
    readonly remedy: string;
  }[];
}): ReactNode {
  return (
    <ul className={styles['refusals']}>
      {refusals.map(({ rule, expected, found, remedy }) => (
        <li key={rule + found}>
          <Tag look="bad">{rule}</Tag>
          <dl>
            <dt>Expected</dt>
            <dd>{expected}</dd>
            <dt>Found</dt>
            <dd>{found}</dd>
            <dt>Do</dt>
            <dd>{remedy}</dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** Proposes a rollback if the live release got worse than the one before it. */
function WorseThanPrevious({ board, caller, remote }: RemoteProps): ReactNode {
  const worse = worseThanPrevious(board, remote);
  if (!worse) return null;
  const { slot, where, version, previous, outcomes } = worse;
  const rate = (outcome: Outcomes) => `${count(outcome.bad)} of ${count(totalOf(outcome))}`;
  return (
    <div className={styles['notice']} role="alert">
      <p>
        <strong>{slot}</strong> fails more often {where === 'server' ? 'on servers' : 'in browsers'} since{' '}
        {version} is live: {rate(outcomes.now)}, before {rate(outcomes.before)} in {previous}. What else has
        changed in that hour counts as well.
      </p>
      <RollBack caller={caller} remote={remote} revision={board.revision} look="primary" />
    </div>
  );
}

/** One remote: what is live, its canary, how its slots fare, its releases and its history. */
export function RemotePage(props: RemoteProps): ReactNode {
  const { board, caller, remote } = props;
  const { name, pointer, hold } = remote;
  return (
    <>
      <p className={styles['trail']}>
        <RoomLink to={OVERVIEW}>Remotes</RoomLink>
      </p>
      <div className={styles['head']}>
        <div>
          <h1 tabIndex={-1}>{name}</h1>
          <p>
            Live <RoomLink to={releasePath(name, pointer.live)}>{pointer.live}</RoomLink>
          </p>
        </div>
        <div className={styles['buttons']}>
          <Hold {...props} />
          <RollBack caller={caller} remote={remote} revision={board.revision} look="primary" />
        </div>
      </div>
      {hold && (
        <p className={styles['notice']}>
          <strong>{hold.by}</strong> holds {name} since <Time at={hold.at} />
          {hold.why !== undefined && `: ${hold.why}`}. Only a rollback or the end of the canary is possible.
        </p>
      )}
      <WorseThanPrevious {...props} />
      <Refusals {...props} />
      <Canary {...props} />
      <Slots board={board} release={`${name}@${pointer.live}`} />
      {pointer.canary && <Slots board={board} release={`${name}@${pointer.canary.version}`} />}
      <Releases {...props} />
      <Changes changes={board.changes.filter((change) => change.remote === name)} />
    </>
  );
}
