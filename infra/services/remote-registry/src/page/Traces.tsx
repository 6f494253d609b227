import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Button, Skeleton } from '@forecourt/shared-contracts/ui';
import type { RoomSpan, RoomTrace, RoomTraceSummary } from '../room/roomView.ts';
import { readTrace, readTraces } from './api.ts';
import { percent, Tag, Time } from './format.tsx';
import { RoomLink, TRACES } from './route.tsx';
import styles from './room.module.css';

const milliseconds = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;

/** 'shell' of 'forecourt-shell' */
const shortName = (service: string): string => service.replace(/^forecourt-/, '');

/** What `read` returned last, what went wrong, and a function that reads again. */
function useRead<T>(read: () => Promise<T>): readonly [T | undefined, string | undefined, () => void] {
  const [found, setFound] = useState<T>();
  const [problem, setProblem] = useState<string>();
  const load = useCallback(() => {
    read().then(
      (result) => {
        setFound(result);
        setProblem(undefined);
      },
      (error: Error) => setProblem(error.message),
    );
  }, [read]);
  useEffect(load, [load]);
  return [found, problem, load];
}

function TraceRow({ trace }: { readonly trace: RoomTraceSummary }): ReactNode {
  const { traceId, name, service, at, ms, spans, isFailed } = trace;
  return (
    <tr>
      <th scope="row">
        <RoomLink to={`${TRACES}/${traceId}`}>{name}</RoomLink>
      </th>
      <td data-label="Service">{shortName(service)}</td>
      <td data-label="When">
        <Time at={at} />
      </td>
      <td data-label="Time">{milliseconds(ms)}</td>
      <td data-label="Steps">
        {spans} {isFailed && <Tag look="bad">Failed steps</Tag>}
      </td>
    </tr>
  );
}

/** The latest traces, slowest or newest first. */
export function Traces(): ReactNode {
  const [found, problem, load] = useRead(readTraces);
  const [order, setOrder] = useState<'newest' | 'slowest'>('newest');
  const traces = order === 'slowest' ? found?.traces.toSorted((a, b) => b.ms - a.ms) : found?.traces;
  return (
    <section className={styles['card']} aria-labelledby="traces" aria-busy={!found && !problem}>
      <h1 id="traces" tabIndex={-1}>
        Traces
      </h1>
      <p className={styles['quiet']}>Of the latest 200 requests that services have recorded and sent here.</p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <p>
        <Button look="secondary" onClick={load}>
          Refresh
        </Button>{' '}
        <Button look="quiet" onClick={() => setOrder(order === 'newest' ? 'slowest' : 'newest')}>
          {order === 'newest' ? 'Slowest first' : 'Newest first'}
        </Button>
      </p>
      {traces?.length === 0 && <p>No service has sent a trace yet.</p>}
      {traces !== undefined && traces.length > 0 && (
        <Table labelId="traces" columns={['Request', 'Service', 'When', 'Time', 'Steps']}>
          {traces.map((trace) => (
            <TraceRow key={trace.traceId} trace={trace} />
          ))}
        </Table>
      )}
    </section>
  );
}

function Table(props: {
  readonly labelId: string;
  readonly columns: readonly string[];
  readonly children: ReactNode;
}): ReactNode {
  return (
    <table className={styles['table']} aria-labelledby={props.labelId}>
      <thead>
        <tr>
          {props.columns.map((label) => (
            <th scope="col" key={label}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}

/** Units of a bar's width. */
const WIDTH = 1000;
/** First part of the names of the services' own attributes. */
const OWN = 'forecourt.';
/** Narrower bars can't be seen. */
const MIN_WIDTH = 2;

function Step({
  span,
  fromMs,
  lengthMs,
}: {
  readonly span: RoomSpan;
  readonly fromMs: number;
  readonly lengthMs: number;
}): ReactNode {
  const { name, service, startMs, ms, depth, isFailed, attributes } = span;
  const details = Object.entries(attributes)
    .filter(([key]) => key.startsWith(OWN))
    .map(([key, value]) => `${key.slice(OWN.length)}: ${value}`);
  const x = ((startMs - fromMs) / lengthMs) * WIDTH;
  const width = Math.max(MIN_WIDTH, (ms / lengthMs) * WIDTH);
  return (
    <tr>
      <th scope="row" className={styles['step']} data-depth={Math.min(depth, 6)}>
        {name} {isFailed && <Tag look="bad">Failed</Tag>}
      </th>
      <td data-label="Service">{shortName(service)}</td>
      <td data-label="Starts at">{milliseconds(startMs)}</td>
      <td data-label="Time">{milliseconds(ms)}</td>
      <td className={styles['waterfall']}>
        <svg viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden="true" data-failed={isFailed}>
          {details.length > 0 && <title>{details.join(', ')}</title>}
          <rect x={Math.min(x, WIDTH - MIN_WIDTH)} width={width} height="10" />
        </svg>
      </td>
    </tr>
  );
}

function Waterfall({ trace }: { readonly trace: RoomTrace }): ReactNode {
  const { steps } = trace;
  // A browser's steps begin before and end after the request.
  const fromMs = Math.min(0, ...steps.map(({ startMs }) => startMs));
  const untilMs = Math.max(...steps.map(({ startMs, ms }) => startMs + ms));
  return (
    <Table labelId="trace" columns={['Step', 'Service', 'Starts at', 'Time', 'When it ran']}>
      {steps.map((span) => (
        <Step key={span.id} span={span} fromMs={fromMs} lengthMs={Math.max(untilMs - fromMs, 0.001)} />
      ))}
    </Table>
  );
}

/** One request, step by step. */
export function Trace({ traceId }: { readonly traceId: string }): ReactNode {
  const read = useCallback(() => readTrace(traceId), [traceId]);
  const [trace, problem] = useRead(read);
  return (
    <section className={styles['card']} aria-labelledby="trace" aria-busy={!trace && !problem}>
      <h1 id="trace" tabIndex={-1}>
        {trace?.name ?? 'Trace'}
      </h1>
      <RoomLink to={TRACES}>All traces</RoomLink>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {!trace && !problem && <Skeleton height="40vh" />}
      {trace && (
        <>
          <p>
            {milliseconds(trace.ms)}, of which steps explain {percent(trace.explained)}.{' '}
            {trace.requestId !== undefined && (
              <>
                Request <code>{trace.requestId}</code>.{' '}
              </>
            )}
            Trace <code>{trace.traceId}</code>.
          </p>
          <Waterfall trace={trace} />
        </>
      )}
    </section>
  );
}
