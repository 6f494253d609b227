/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { toggleValue } from './criteriaChanges.ts';
import { defineSlot } from '@forecourt/slots';
import { mountSearchSlot } from '../testing/mountSearchSlot.ts';
import { SearchEditsProvider, useExpectEdit, useSelectedValues, useEdit } from './searchEdits.tsx';

function Doors() {
  const doors = useSelectedValues('doorCode');
  const edit = useEdit();
  const expectEdit = useExpectEdit();
  const toggle = (value: string) =>
    edit((current) => toggleValue(current, 'doorCode', value), 'filter:doorCode');
  return ['2', '3', '4'].map((value) => (
    <button
      key={value}
      aria-pressed={doors.includes(value)}
      onPointerDown={() => expectEdit(() => toggle(value))}
      onClick={() => toggle(value)}
    >
      {value}
    </button>
  ));
}
const doorsSlot = (debounceMs?: number) =>
  defineSlot({
    reads: ['search.criteria'],
    view: () => (
      <SearchEditsProvider debounceMs={debounceMs}>
        <Doors />
      </SearchEditsProvider>
    ),
  });
const clickAll = () => {
  for (const name of ['2', '3', '4']) fireEvent.click(screen.getByRole('button', { name }));
};

describe('search edits', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  // rows: B4-PANEL-08
  it('runs one search for three changes within the debounce, three without a debounce', () => {
    const debounced = mountSearchSlot(doorsSlot(200));
    clickAll();
    expect(debounced.searches()).toHaveLength(0);
    for (const button of screen.getAllByRole('button'))
      expect(button.getAttribute('aria-pressed')).toBe('true');
    act(() => jest.advanceTimersByTime(199));
    expect(debounced.searches()).toHaveLength(0);
    act(() => jest.advanceTimersByTime(1));
    expect(debounced.searches().map(({ filters }) => filters.doorCode)).toEqual([['2', '3', '4']]);
    debounced.unmount();

    const immediate = mountSearchSlot(doorsSlot());
    clickAll();
    act(() => jest.advanceTimersByTime(100));
    expect(immediate.searches().map(({ filters }) => filters.doorCode)).toEqual([
      ['2'],
      ['2', '3'],
      ['2', '3', '4'],
    ]);
  });

  it('starts a search after the next paint, or soon in a tab that paints nothing', () => {
    const { searches } = mountSearchSlot(doorsSlot());
    let paint = () => {};
    window.requestAnimationFrame = (run) => {
      paint = () => run(0);
      return 0;
    };
    fireEvent.click(screen.getByRole('button', { name: '2' }));
    act(() => jest.advanceTimersByTime(50));
    expect(searches()).toHaveLength(0);
    paint();
    act(() => jest.advanceTimersByTime(1));
    expect(searches()).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: '3' }));
    act(() => jest.advanceTimersByTime(100));
    expect(searches()).toHaveLength(2);
  });

  it('announces the criteria of a pressed control without changing anything', () => {
    const { bus, searches } = mountSearchSlot(doorsSlot());
    const expected: unknown[] = [];
    bus.on('search.changeExpected').subscribe(({ criteria }) => expected.push(criteria));
    const button = screen.getByRole('button', { name: '3' });
    fireEvent.pointerDown(button);
    act(() => jest.advanceTimersByTime(500));
    expect(expected).toMatchObject([{ filters: { doorCode: ['3'] } }]);
    expect(button).toHaveAttribute('aria-pressed', 'false');
    expect(searches()).toHaveLength(0);
    fireEvent.click(button);
    act(() => jest.advanceTimersByTime(100));
    expect(searches()).toEqual(expected);
  });

  it('discards pending edits when the slot unmounts', () => {
    const shell = mountSearchSlot(doorsSlot(200));
    clickAll();
    shell.unmount();
    act(() => jest.advanceTimersByTime(500));
    expect(shell.searches()).toHaveLength(0);
  });
});
