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
 * Trace categories for `tasksOf`. Not the devtools timeline, with which the browser counts all elements of the page in
 * every frame: a third of a frame's time with 30,000 elements.
 */
export const TASK_CATEGORIES: readonly string[] = ['blink.user_timing', 'toplevel'];
const TASK = 'ThreadControllerImpl::RunTask';

/**
 * CPU milliseconds of each task that started between two marks, on their thread. Throws without both marks or any task.
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
