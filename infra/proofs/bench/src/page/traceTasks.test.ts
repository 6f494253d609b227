import { describe, expect, it } from '@jest/globals';
import { tasksOf } from './traceTasks.ts';

const TASK = 'ThreadControllerImpl::RunTask';
const event = (name: string, ts: number, rest: object = {}) => ({ name, ts, pid: 1, tid: 2, ...rest });

describe('tasksOf', () => {
  const marks = [event('start', 100), event('end', 900)];

  it('returns the tasks of the marked thread between the marks', () => {
    const events = [
      event(TASK, 50, { tdur: 1000 }),
      event(TASK, 200, { tdur: 4000 }),
      event('Layout', 210, { tdur: 3000 }),
      event(TASK, 300, { tdur: 500 }),
      event(TASK, 400, { tdur: 7000, tid: 3 }),
      event(TASK, 950, { tdur: 9000 }),
    ];
    expect(tasksOf([...marks, ...events], 'start', 'end')).toEqual([4, 0.5]);
  });

  it('throws when a mark is missing', () => {
    expect(() => tasksOf(marks, 'start', 'other')).toThrow('other');
  });

  it('throws when the trace has no tasks', () => {
    expect(() => tasksOf([...marks, event('RunTask', 200)], 'start', 'end')).toThrow('no task');
  });
});
