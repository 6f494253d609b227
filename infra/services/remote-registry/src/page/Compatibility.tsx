import { useEffect, useState, type ReactNode } from 'react';
import type { RoomCompatibility } from '../room/roomView.ts';
import { readCompatibility } from './api.ts';
import { Tag } from './format.tsx';
import { RefusalList } from './RemotePage.tsx';
import { releasePath, RoomLink } from './route.tsx';
import styles from './ControlRoom.module.css';

type Host = RoomCompatibility['hosts'][number];
type Release = RoomCompatibility['releases'][number];

const ROLES: Readonly<Record<Release['role'], string>> = {
  live: 'Live',
  canary: 'Canary',
  previous: 'Previous, for a rollback',
};

/** 'Contract 1.2.0 (2 shells)' */
const hostLabel = ({ contract, urls }: Host): string =>
  `Contract ${contract} (${urls.length} ${urls.length === 1 ? 'shell' : 'shells'})`;

function Row({ release, hosts }: { readonly release: Release; readonly hosts: readonly Host[] }): ReactNode {
  const { name, version, role, contract, refusals } = release;
  return (
    <tr>
      <th scope="row">
        <RoomLink to={releasePath(name, version)}>
          {name}@{version}
        </RoomLink>
      </th>
      <td data-label="Role">{ROLES[role]}</td>
      <td data-label="Built for">{contract}</td>
      {hosts.map((host, at) => (
        <td key={host.urls.join()} data-label={hostLabel(host)}>
          {refusals[at]?.length === 0 ? (
            <Tag look="good">Fits</Tag>
          ) : (
            <details>
              <summary>
                <Tag look="bad">Refused</Tag> {refusals[at]?.map(({ rule }) => rule).join(', ')}
              </summary>
              <RefusalList refusals={refusals[at] ?? []} />
            </details>
          )}
        </td>
      ))}
    </tr>
  );
}

function Matrix({ found: { hosts, problems, releases } }: { readonly found: RoomCompatibility }): ReactNode {
  return (
    <>
      {problems.map(({ url, problem }) => (
        <p key={url}>
          <strong className={styles['url']}>{url}</strong> <Tag look="attention">Unknown</Tag> {problem}
        </p>
      ))}
      {hosts.length === 0 ? (
        <p>No shell says what it provides.</p>
      ) : (
        <table className={styles['table']} aria-labelledby="compatibility">
          <thead>
            <tr>
              <th scope="col">Release</th>
              <th scope="col">Role</th>
              <th scope="col">Built for</th>
              {hosts.map((host) => (
                <th scope="col" key={host.urls.join()} title={host.urls.join(', ')}>
                  {hostLabel(host)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {releases.map((release) => (
              <Row key={release.name + release.role} release={release} hosts={hosts} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** Live, canary and previous releases against the contract of every shell; read again when a pointer moves. */
export function Compatibility({ revision }: { readonly revision: number }): ReactNode {
  const [found, setFound] = useState<RoomCompatibility>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    readCompatibility().then(
      (result) => {
        if (!isCurrent) return;
        setFound(result);
        setProblem(undefined);
      },
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [revision]);
  return (
    <section className={styles['card']} aria-labelledby="compatibility" aria-busy={!found && !problem}>
      <h2 id="compatibility">Compatibility</h2>
      <p className={styles['quiet']}>By the checks of the gate that don’t run a release.</p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {found && <Matrix found={found} />}
    </section>
  );
}
