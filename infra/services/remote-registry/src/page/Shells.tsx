import type { ReactNode } from 'react';
import type { RoomBoard, RoomShell } from '../room/roomView.ts';
import { Time } from './format.tsx';
import { Tag } from './Tag.tsx';
import styles from './room.module.css';

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
export function Shells({ board }: { readonly board: RoomBoard }): ReactNode {
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
