import { useEffect, useState, type ReactNode } from 'react';
import { Button, Skeleton } from '@forecourt/slots/ui';
import type { RoomRelease, RoomRemote, ShellGateResult } from '../room/roomView.ts';
import { picturePath, readRelease, tryRelease } from './api.ts';
import { count, kilobytes, Time, Tag } from './format.tsx';
import type { RoomProps } from './Overview.tsx';
import { RefusalList, StartRelease } from './RemotePage.tsx';
import { OVERVIEW, remotePath, RoomLink } from './route.tsx';
import { Slots } from './Evidence.tsx';
import styles from './ControlRoom.module.css';

/** The size budget as a bar; the numbers say the same. */
function Budget({ bytes, budget, reason }: { bytes: number; budget: number; reason: string }): ReactNode {
  return (
    <>
      {kilobytes(bytes)} of {kilobytes(budget)}{' '}
      <meter
        className={styles['meter']}
        aria-label="First files against the budget"
        min={0}
        max={budget}
        high={budget * 0.95}
        value={Math.min(bytes, budget)}
      />
      <span className={styles['quiet']}> {reason}</span>
    </>
  );
}

function Facts({ release }: { readonly release: RoomRelease }): ReactNode {
  const { manifest, contract, publishedAt, by, commit, keyId, check } = release;
  const facts: [label: string, value: ReactNode][] = [
    [
      'Published',
      <>
        <Time at={publishedAt} />
        {by !== undefined && ` by ${by}`}
      </>,
    ],
    ['Commit', commit === undefined ? 'not recorded' : <code>{commit}</code>],
    ['Signature', keyId === undefined ? 'not signed' : <code>{keyId}</code>],
    ['Contract', `${contract}${check ? `; shells have ${check.contract}` : ''}`],
    ['First files', check ? <Budget {...check.firstView} /> : 'no shell says what the budget is'],
    [
      'Shared modules',
      Object.entries(manifest.shared)
        .map(([module, range]) => `${module} ${range}`)
        .join(', ') || 'none',
    ],
  ];
  return (
    <section className={styles['card']} aria-label="Facts">
      <dl className={styles['facts']}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ManifestSlots({ release }: { readonly release: RoomRelease }): ReactNode {
  const { slots, files } = release.manifest;
  const size = (paths: readonly string[]) =>
    kilobytes(paths.reduce((sum, path) => sum + (files[path]?.bytes ?? 0), 0));
  return (
    <section className={styles['card']} aria-labelledby="slots">
      <h2 id="slots">Slots</h2>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Slot</th>
            <th scope="col">Own files</th>
            <th scope="col">Loads data</th>
            <th scope="col">Reads</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(slots).map(([slot, { scripts, styles: sheets, loads, reads }]) => (
            <tr key={slot}>
              <th scope="row">{slot}</th>
              <td data-label="Own files" className={styles['fit']}>
                {size([...scripts, ...sheets])}
              </td>
              <td data-label="Loads data" className={styles['fit']}>
                {loads ? 'yes' : 'no'}
              </td>
              <td data-label="Reads">{reads.join(', ') || 'nothing'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Files({ release: { manifest, brotli } }: { readonly release: RoomRelease }): ReactNode {
  const files = Object.entries(manifest.files).sort(([, a], [, b]) => b.bytes - a.bytes);
  return (
    <section className={styles['card']} aria-labelledby="files">
      <details>
        <summary>
          <h2 id="files">{count(files.length)} files</h2>
        </summary>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Size</th>
              <th scope="col">Brotli</th>
            </tr>
          </thead>
          <tbody>
            {files.map(([path, { bytes }]) => (
              <tr key={path}>
                <th scope="row" className={styles['path']}>
                  {path}
                </th>
                <td data-label="Size" className={styles['fit']}>
                  {kilobytes(bytes)}
                </td>
                <td data-label="Brotli" className={styles['fit']}>
                  {brotli[path] === undefined ? '–' : kilobytes(brotli[path])}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function GateResultOfShell({
  gateResult: { url, result, problem },
}: {
  readonly gateResult: ShellGateResult;
}): ReactNode {
  const slowest = result?.renders.reduce<(typeof result.renders)[number] | undefined>(
    (most, render) => (most && most.ms >= render.ms ? most : render),
    undefined,
  );
  return (
    <li>
      <p>
        <strong className={styles['url']}>{url}</strong>{' '}
        {result && (result.isAccepted ? <Tag look="good">Accepted</Tag> : <Tag look="bad">Refused</Tag>)}
        {problem !== undefined && <Tag look="attention">Not tried</Tag>}
      </p>
      {problem !== undefined && <p className={styles['quiet']}>{problem}</p>}
      {result && <RefusalList refusals={result.refusals} />}
      {slowest && (
        <p className={styles['quiet']}>
          {count(result?.renders.length ?? 0)} renders over recorded pages, the slowest {slowest.slot} over{' '}
          {slowest.context} in {count(Math.round(slowest.ms))} ms
        </p>
      )}
    </li>
  );
}

/** What each slot looks like over a recorded page, drawn by this browser from the HTML that a shell has rendered. */
function Pictures({
  gateResults,
  pathOf,
}: {
  readonly gateResults: readonly ShellGateResult[];
  readonly pathOf: (slot: string) => string;
}): ReactNode {
  const renders = gateResults
    .flatMap(({ result }) => result?.renders ?? [])
    .filter(({ html }) => html !== undefined);
  const shown = new Map(renders.map(({ slot, context }) => [slot, context]));
  if (shown.size === 0)
    return <p className={styles['quiet']}>No slot could be rendered, so there are no pictures.</p>;
  return (
    <>
      <h3>Pictures</h3>
      <p className={styles['quiet']}>As the server renders it, without scripts and photos.</p>
      <ul className={styles['pictures']}>
        {[...shown].map(([slot, context]) => (
          <li key={slot}>
            <p>
              <strong>{slot}</strong> over {context}
            </p>
            <iframe
              title={`Picture of ${slot}`}
              src={pathOf(slot)}
              sandbox="allow-same-origin"
              loading="lazy"
              tabIndex={-1}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The gate: what can be said without running the release, and on request what every shell finds when it runs it. */
function Gate({ release }: { readonly release: RoomRelease }): ReactNode {
  const { name, version } = release.manifest;
  const [gateResults, setGateResults] = useState<readonly ShellGateResult[] | 'running' | undefined>();
  const [problem, setProblem] = useState<string>();
  const run = () => {
    setGateResults('running');
    setProblem(undefined);
    tryRelease(name, version).then(
      (result) => setGateResults(result.gateResults),
      (error: Error) => {
        setGateResults(undefined);
        setProblem(error.message);
      },
    );
  };
  const refusals = release.check?.refusals;
  return (
    <section className={styles['card']} aria-labelledby="gate">
      <h2 id="gate">Gate</h2>
      {refusals &&
        (refusals.length === 0 ? (
          <p>
            <Tag look="good">Accepted</Tag> by the checks that don’t run it.
          </p>
        ) : (
          <RefusalList refusals={refusals} />
        ))}
      <div aria-live="polite">
        {Array.isArray(gateResults) && (
          <ul className={styles['shells']}>
            {gateResults.map((gateResult: ShellGateResult) => (
              <GateResultOfShell key={gateResult.url} gateResult={gateResult} />
            ))}
          </ul>
        )}
        {problem !== undefined && <p className={styles['problem']}>{problem}</p>}
      </div>
      {Array.isArray(gateResults) && (
        <Pictures gateResults={gateResults} pathOf={(slot) => picturePath(name, version, slot)} />
      )}
      <Button disabled={gateResults === 'running'} onClick={run}>
        {gateResults === 'running' ? 'Rendering every slot …' : 'Try it in every shell'}
      </Button>
    </section>
  );
}

/** One release: where it comes from, what it needs, and whether shells accept it. */
export function ReleasePage({
  remote,
  version,
  ...room
}: RoomProps & { readonly remote: RoomRemote; readonly version: string }): ReactNode {
  const { name, pointer } = remote;
  const [release, setRelease] = useState<RoomRelease>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    readRelease(name, version).then(
      (result) => isCurrent && setRelease(result),
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [name, version]);
  return (
    <>
      <p className={styles['trail']}>
        <RoomLink to={OVERVIEW}>Remotes</RoomLink> / <RoomLink to={remotePath(name)}>{name}</RoomLink>
      </p>
      <div className={styles['head']}>
        <h1 tabIndex={-1}>
          {name}@{version} {version === pointer.live && <Tag look="good">Live</Tag>}
          {version === pointer.canary?.version && <Tag look="attention">Canary</Tag>}
        </h1>
        <div className={styles['buttons']}>
          <StartRelease {...room} remote={remote} version={version} />
        </div>
      </div>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {!release && problem === undefined && <Skeleton height="40vh" />}
      {release && (
        <>
          <Facts release={release} />
          <Gate release={release} />
          <ManifestSlots release={release} />
          <Slots board={room.board} release={`${name}@${version}`} />
          <Files release={release} />
        </>
      )}
    </>
  );
}
