/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { DEFAULT_PATH, type SearchCriteria } from '@forecourt/search/criteria';
import { searchLoaded, searchStarted } from '@forecourt/search/state';
import { defineSlot } from '@forecourt/slots';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import { toggleValue } from './criteriaChanges.ts';
import {
  SearchEditsProvider,
  useCriteria,
  useEdit,
  useExpectEdit,
  useSelectedValues,
} from './searchEdits.tsx';

function Doors() {
  const doors = useSelectedValues('doorCode');
  const edit = useEdit();
  const expectEdit = useExpectEdit();
  const toggle = (value: string) => (current: SearchCriteria) => toggleValue(current, 'doorCode', value);
  return ['2', '3', '4'].map((value) => (
    <button
      key={value}
      aria-pressed={doors.includes(value)}
      onPointerDown={() => expectEdit(toggle(value))}
      onClick={() => edit(toggle(value), 'filter:doorCode')}
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
const door = (name: string) => screen.getByRole('button', { name });
const pressed = () =>
  screen
    .getAllByRole('button', { pressed: true })
    .map(({ textContent }) => textContent)
    .join();
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

  it('shows the clicked control at once, and paints it only once for its search and an equal response', () => {
    const paint = jest.fn();
    function Sort() {
      return <p>{useCriteria().sortBy}</p>;
    }
    const { store, searches } = mountSearchSlot(
      defineSlot({
        reads: ['search.criteria'],
        view: () => (
          <SearchEditsProvider>
            <Profiler id="controls" onRender={paint}>
              <Doors />
              <Sort />
            </Profiler>
          </SearchEditsProvider>
        ),
      }),
    );
    paint.mockClear();
    fireEvent.click(door('2'));
    expect(pressed()).toBe('2');
    expect(searches()).toHaveLength(0);
    act(() => jest.advanceTimersByTime(100));
    expect(searches()).toHaveLength(1);
    const { status: _, requestId, ...page } = store.getState().search;
    act(() => {
      store.dispatch(searchLoaded({ requestId, page: { ...page, criteria: { ...page.criteria } } }));
    });
    expect(pressed()).toBe('2');
    expect(paint).toHaveBeenCalledTimes(1);
  });

  it('shows what the response made of the criteria', () => {
    const { store } = mountSearchSlot(doorsSlot());
    fireEvent.click(door('2'));
    act(() => jest.advanceTimersByTime(100));
    const { status: _, requestId, ...page } = store.getState().search;
    const criteria = buildCriteria({ filters: { doorCode: ['4'] } });
    act(() => void store.dispatch(searchLoaded({ requestId, page: { ...page, criteria } })));
    expect(pressed()).toBe('4');
  });

  it('follows Back, and keeps an edit that Back comes before the search of', () => {
    const { store, searches } = mountSearchSlot(doorsSlot());
    const goBack = (doorCode: string[]) =>
      act(() => {
        const criteria = buildCriteria({ filters: { doorCode } });
        store.dispatch(searchStarted({ requestId: 'back', criteria, url: DEFAULT_PATH }));
      });
    goBack(['3']);
    expect(pressed()).toBe('3');
    fireEvent.click(door('2'));
    goBack(['4']);
    expect(pressed()).toBe('2,3');
    act(() => jest.advanceTimersByTime(100));
    expect(searches().map(({ filters }) => filters.doorCode)).toEqual([['2', '3']]);
    expect(pressed()).toBe('2,3');
    goBack(['4']);
    expect(pressed()).toBe('4');
  });

  it('keeps the controls as clicked while a slow response of an earlier search arrives', () => {
    const { store } = mountSearchSlot(doorsSlot());
    fireEvent.click(door('2'));
    act(() => jest.advanceTimersByTime(100));
    const { status: _, requestId, ...page } = store.getState().search;
    fireEvent.click(door('3'));
    // Before the second search is requested, and after.
    act(() => void store.dispatch(searchLoaded({ requestId, page })));
    expect(pressed()).toBe('2,3');
    act(() => jest.advanceTimersByTime(100));
    act(() => void store.dispatch(searchLoaded({ requestId, page })));
    expect(pressed()).toBe('2,3');
  });

  it('discards pending edits when the slot unmounts', () => {
    const shell = mountSearchSlot(doorsSlot(200));
    clickAll();
    shell.unmount();
    act(() => jest.advanceTimersByTime(500));
    expect(shell.searches()).toHaveLength(0);
  });
});
