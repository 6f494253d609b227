/** One event of a trace in the Chrome trace event format; times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
}

/**
 * Processor time of each task, ms, that the thread of the two marks has begun
 * between them. A mark that is missing is an error: nothing was measured.
 */
export function tasksOf(events: readonly TraceEvent[], startMark: string, endMark: string): number[] {
  const start = events.find(({ name }) => name === startMark);
  const end = events.find(({ name }) => name === endMark);
  if (!start || !end) throw new Error(`the trace lacks ${startMark} or ${endMark}`);
  return events
    .filter(
      ({ name, pid, tid, ts }) =>
        name === 'RunTask' && pid === start.pid && tid === start.tid && ts > start.ts && ts < end.ts,
    )
    .map(({ tdur = 0 }) => tdur / 1000);
}
