import type { ReactNode } from 'react';
import type { RoomBoard, RoomRemote, RoomShell } from '../room/roomView.ts';
import { Changes } from './Evidence.tsx';
import { badShareOf, CANARY_STATES, measureName, totalOf } from '@forecourt/releases/canaryRule';
import {
  canaryEvidence,
  canaryMinutes,
  healthOf,
  measuresOf,
  viewsOf,
  worseThanPrevious,
} from '../room/evidence.ts';
import { count, percent, useNow, Tag, Time } from './format.tsx';
import { RollBack, type SignedIn } from './Move.tsx';
import { RoomLink, releasePath, remotePath } from './route.tsx';
import styles from './ControlRoom.module.css';

/** Remotes of which this replica serves something else than the pointers say. */
function differences({ remotes }: RoomBoard, { report }: RoomShell): string[] {
  if (!report) return [];
  return remotes.flatMap(({ name, pointer }) => {
    const served = report.remotes[name];
    if (!served) return [`${name} is missing`];
    const parts: string[] = [];
    if (served.live !== pointer.live) parts.push(`${name} ${served.live} instead of ${pointer.live}`);
    if (served.canary?.version !== pointer.canary?.version)
      parts.push(
        `${name} canary ${served.canary?.version ?? 'none'} instead of ${pointer.canary?.version ?? 'none'}`,
      );
    return parts;
  });
}

function Shell({ board, shell }: { readonly board: RoomBoard; readonly shell: RoomShell }): ReactNode {
  const { url, report, problem } = shell;
  const others = differences(board, shell);
  return (
    <li>
      <p>
        <strong className={styles['url']}>{url}</strong> {!report && <Tag look="bad">Does not respond</Tag>}
        {report && report.status !== 'ready' && <Tag look="attention">{report.status}</Tag>}
        {report && others.length === 0 && <Tag look="good">Serves what is live</Tag>}
        {others.length > 0 && <Tag look="attention">Differs</Tag>}
      </p>
      {problem !== undefined && <p className={styles['quiet']}>{problem}</p>}
      {others.length > 0 && (
        <ul className={styles['list']}>
          {others.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {report && (
        <details>
          <summary>
            Started <Time at={report.startedAt} />, at revision {report.revision ?? 'none'}
          </summary>
          <ul className={styles['list']}>
            {Object.entries(report.remotes).map(([name, { live, canary }]) => (
              <li key={name}>
                {name} {live}
                {canary && `, canary ${canary.version} at ${canary.weight} %`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** What every replica serves at the moment. */
function Shells({ board }: { readonly board: RoomBoard }): ReactNode {
  return (
    <section className={styles['card']} aria-labelledby="shells">
      <h2 id="shells">Shells</h2>
      {board.shells.length === 0 ? (
        <p className={styles['quiet']}>
          The registry knows no shell. Name them in <code>WATCHED_SHELLS</code> or <code>SHELL_URLS</code>.
        </p>
      ) : (
        <ul className={styles['shells']}>
          {board.shells.map((shell) => (
            <Shell key={shell.url} board={board} shell={shell} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Everything of the room reads the same board as the same caller. */
export interface RoomProps {
  readonly board: RoomBoard;
  readonly caller: SignedIn;
}

/** A live release that fails more often is marked. */
const NOTABLE_RATE = 0.01;

/** What needs attention at this remote, or that nothing does. */
function State({ board, remote }: { readonly board: RoomBoard; readonly remote: RoomRemote }): ReactNode {
  const { name, pointer, hold } = remote;
  const now = useNow();
  const health = healthOf(board, `${name}@${pointer.live}`);
  const isRefused = (version: string) =>
    board.shells.some(({ report }) => report && Object.hasOwn(report.refused, `${name}@${version}`));
  const views = viewsOf(board, `${name}@${pointer.live}`);
  const worse = measuresOf(canaryEvidence(board, remote), canaryMinutes(remote, now)).filter(
    ({ verdict }) => verdict.kind === 'worse',
  );
  const previous = worseThanPrevious(board, remote);
  const isFailing = badShareOf(health) >= NOTABLE_RATE;
  const isFailingInBrowsers = badShareOf(views) >= NOTABLE_RATE;
  const isLiveRefused = isRefused(pointer.live);
  return (
    <>
      {isFailing && <Tag look="bad">{percent(badShareOf(health))} of renders fail</Tag>}
      {isFailingInBrowsers && <Tag look="bad">{percent(badShareOf(views))} of views fail in browsers</Tag>}
      {previous && <Tag look="bad">Worse than {previous.previous}: roll back?</Tag>}
      {isLiveRefused && <Tag look="bad">Refused by a shell</Tag>}
      {worse.map((measure) => (
        <Tag key={`${measure.kind} ${measure.name}`} look="bad">
          Canary: {measureName(measure)} {CANARY_STATES.worse.text}
        </Tag>
      ))}
      {hold && <Tag look="attention">Held</Tag>}
      {!isFailing && !isFailingInBrowsers && !previous && !isLiveRefused && worse.length === 0 && (
        <span className={styles['quiet']}>
          {totalOf(health) === 0
            ? 'No renders lately'
            : `${count(totalOf(health))} ${totalOf(health) === 1 ? 'render' : 'renders'}, ${count(health.bad)} failed`}
          {totalOf(views) > 0 && `; ${count(views.bad)} of ${count(totalOf(views))} views failed in browsers`}
        </span>
      )}
    </>
  );
}

function RemoteRow({ board, caller, remote }: RoomProps & { readonly remote: RoomRemote }): ReactNode {
  const { name, pointer, previous } = remote;
  const { live, canary } = pointer;
  return (
    <tr>
      <th scope="row">
        <RoomLink to={remotePath(name)}>{name}</RoomLink>
      </th>
      <td data-label="Live">
        <RoomLink to={releasePath(name, live)}>{live}</RoomLink>
      </td>
      <td data-label="Canary">
        {canary ? (
          <div>
            <RoomLink to={releasePath(name, canary.version)}>{canary.version}</RoomLink>{' '}
            <span className={styles['quiet']}>
              {percent(canary.weight / 100)} of visitors,{' '}
              {percent(badShareOf(healthOf(board, `${name}@${canary.version}`)))} of renders fail
            </span>
          </div>
        ) : (
          <span className={styles['quiet']}>none</span>
        )}
      </td>
      <td data-label="Previous">
        {previous === undefined ? (
          <span className={styles['quiet']}>none</span>
        ) : (
          <RoomLink to={releasePath(name, previous)}>{previous}</RoomLink>
        )}
      </td>
      <td data-label="Last 10 minutes">
        <div className={styles['buttons']}>
          <State board={board} remote={remote} />
        </div>
      </td>
      <td className={styles['actions']}>
        <RollBack caller={caller} remote={remote} revision={board.revision} />
      </td>
    </tr>
  );
}

/** All remotes with their releases, the shells, and the latest changes. */
export function Overview({
  board,
  caller,
  children,
}: RoomProps & { readonly children?: ReactNode }): ReactNode {
  return (
    <>
      <h1 tabIndex={-1}>Remotes</h1>
      <section className={styles['card']} aria-label="Remotes">
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Remote</th>
              <th scope="col">Live</th>
              <th scope="col">Canary</th>
              <th scope="col">Previous</th>
              <th scope="col">Last 10 minutes</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {board.remotes.map((remote) => (
              <RemoteRow key={remote.name} board={board} caller={caller} remote={remote} />
            ))}
          </tbody>
        </table>
        {board.remotes.length === 0 && <p>No remote has a live release yet. Publish and promote one.</p>}
      </section>
      <Shells board={board} />
      {children}
      <Changes changes={board.changes} showsRemote />
    </>
  );
}
