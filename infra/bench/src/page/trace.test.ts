import { describe, expect, it } from '@jest/globals';
import { tasksOf } from './trace.ts';

const event = (name: string, ts: number, rest: object = {}) => ({ name, ts, pid: 1, tid: 2, ...rest });

describe('tasksOf', () => {
  const marks = [event('start', 100), event('end', 900)];

  it('takes the tasks of the marked thread between the marks', () => {
    const events = [
      event('RunTask', 50, { tdur: 1000 }),
      event('RunTask', 200, { tdur: 4000 }),
      event('Layout', 210, { tdur: 3000 }),
      event('RunTask', 300, { tdur: 500 }),
      event('RunTask', 400, { tdur: 7000, tid: 3 }),
      event('RunTask', 950, { tdur: 9000 }),
    ];
    expect(tasksOf([...marks, ...events], 'start', 'end')).toEqual([4, 0.5]);
  });

  it('fails where a mark is missing', () => {
    expect(() => tasksOf(marks, 'start', 'other')).toThrow('other');
  });
});
