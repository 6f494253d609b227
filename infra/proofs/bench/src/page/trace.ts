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
 * What a trace must hold for `tasksOf`. Not the timeline of the developer tools,
 * which names tasks too: with it the browser counts the page's elements in every
 * frame, which takes a third as long as a frame itself where there are 30,000.
 */
export const TASK_CATEGORIES: readonly string[] = ['blink.user_timing', 'toplevel'];
const TASK = 'ThreadControllerImpl::RunTask';

/**
 * Processor time of each task, ms, that the thread of the two marks has begun
 * between them. A missing mark is an error, and so are no tasks: nothing was
 * measured.
 */
export function tasksOf(events: readonly TraceEvent[], startMark: string, endMark: string): number[] {
  const start = events.find(({ name }) => name === startMark);
  const end = events.find(({ name }) => name === endMark);
  if (!start || !end) throw new Error(`the trace lacks ${startMark} or ${endMark}`);
  const tasks = events.filter(
    ({ name, pid, tid, ts }) =>
      name === TASK && pid === start.pid && tid === start.tid && ts > start.ts && ts < end.ts,
  );
  if (tasks.length === 0) throw new Error(`the trace has no task between ${startMark} and ${endMark}`);
  return tasks.map(({ tdur = 0 }) => tdur / 1000);
}
