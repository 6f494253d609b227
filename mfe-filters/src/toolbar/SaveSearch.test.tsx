/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS, resolveFlags } from '@forecourt/search/brands';
import { searchStarted } from '@forecourt/search/state';
import type { SlotModule } from '@forecourt/slots';
import { buildChips } from '../testing/builders.ts';
import { buildCriteria, mountSearchSlot } from '../testing/mountSearchSlot.ts';
import toolbar from '../slots/toolbar.tsx';
import { isSaveSearchShown, type SaveSearchConditions } from './SaveSearch.tsx';

const MET: SaveSearchConditions = {
  isSwitchedOff: false,
  hasRequestValues: true,
  signedIn: false,
  savedTitle: undefined,
  hasPersonalization: true,
  hasChips: true,
};

type Options = NonNullable<Parameters<typeof mountSearchSlot>[1]>;
function mount(module: SlotModule = toolbar, { criteria, ...options }: Options = {}) {
  const pageCriteria = buildCriteria(criteria ?? { filters: { makeCode: ['FORD'] } });
  return mountSearchSlot(module, {
    ...options,
    criteria: pageCriteria,
    search: { chips: buildChips(pageCriteria), requestParams: { makeCode: 'FORD' }, ...options.search },
  });
}
const flags = (flagOverrides: Parameters<typeof resolveFlags>[1]) => ({
  session: { flags: resolveFlags(BRANDS.atc, flagOverrides) },
});
const button = () => screen.queryByRole('button', { name: 'Save Search' });
const saved = (title: string) => ({
  search: {
    pageData: { suggestedModels: [], saveSearchData: { saveSearchString: '', title, subscribed: true } },
  },
});

describe('Save Search', () => {
  // rows: A4-SAVE-10, A4-SAVE-11, A4-SAVE-13, A4-SAVE-14
  it('shows Save Search exactly when all its conditions are met', () => {
    expect(isSaveSearchShown(MET)).toBe(true);
    for (const missing of [
      { isSwitchedOff: true },
      { hasRequestValues: false },
      { hasPersonalization: false },
      { hasChips: false },
    ])
      expect(isSaveSearchShown({ ...MET, ...missing })).toBe(false);
  });

  // rows: A4-SAVE-12
  it('hides Save Search for a signed-in visitor whose search is saved', () => {
    const isShown = (signedIn: boolean, savedTitle?: string) =>
      isSaveSearchShown({ ...MET, signedIn, savedTitle });
    expect(isShown(true, 'Fords')).toBe(false);
    expect(isShown(true)).toBe(true);
    expect(isShown(false, 'Fords')).toBe(true);
    expect(isShown(false)).toBe(true);
  });

  // rows: B2-TOOL-09, B2-BOX-01
  it('shows Save Search in Your Search, once', () => {
    mount(toolbar);
    const box = screen.getByRole('region', { name: 'Your Search' });
    expect(within(box).getByRole('button', { name: 'Save Search' })).toBeInTheDocument();
  });

  // rows: A4-SAVE-10, A4-SAVE-11, A4-SAVE-12, A4-SAVE-13, A4-SAVE-14
  it.each([
    ['its off flag is on', flags({ saveSearchOff: true })],
    ['personalization is off', flags({ personalization: false })],
    ['the upstream request had no parameters', { search: { requestParams: {} } }],
    ['only a place is selected', { criteria: { filters: { zip: ['60601'] } } }],
    [
      'the search is already saved',
      { ...saved('Fords'), session: { signedIn: true, flags: resolveFlags(BRANDS.atc) } },
    ],
  ] as const)('hides Save Search when %s', (_, options) => {
    mount(toolbar, options);
    expect(button()).not.toBeInTheDocument();
  });

  // rows: A4-SAVE-12
  it.each([
    ['the visitor is signed out', saved('Fords')],
    [
      'the saved search has no title',
      { ...saved(''), session: { signedIn: true, flags: resolveFlags(BRANDS.atc) } },
    ],
  ] as const)('shows Save Search when %s', (_, options) => {
    mount(toolbar, options);
    expect(button()).toBeInTheDocument();
  });

  // rows: A1-SCOPE-03
  it('requests saving and then shows the title of the saved search', async () => {
    const { events, bus } = mount(toolbar, {
      session: { signedIn: true, flags: resolveFlags(BRANDS.atc) },
    });
    await userEvent.click(button()!);
    expect(events.at(-1)).toMatchObject({ type: 'search.saveRequested', payload: {} });
    act(() => bus.emit('search.saved', { via: 'account', title: 'Fords near me' }, 'leads'));
    expect(screen.getByText('Saved: Fords near me').closest('p')).toHaveFocus();
    expect(button()).not.toBeInTheDocument();
  });

  // rows: A2-UI-14
  it('replaces Save Search with the inline email capture until the next search', () => {
    const { bus, container, store } = mount(toolbar);
    const capture = () => container.querySelector('[data-outlet="email-capture"][data-inline]');
    expect(capture()).toBeNull();
    act(() => bus.emit('search.captureRequested', {}, 'leads'));
    expect(capture()).not.toBeNull();
    expect(button()).not.toBeInTheDocument();
    const { criteria, url } = store.getState().search;
    act(() => void store.dispatch(searchStarted({ requestId: 'next', criteria, url })));
    expect(capture()).toBeNull();
    expect(button()).toBeInTheDocument();
  });

  // rows: A4-SAVE-15
  it('keeps Save Search visible while results load', () => {
    const { store } = mount(toolbar);
    const { criteria, url } = store.getState().search;
    act(() => void store.dispatch(searchStarted({ requestId: 'next', criteria, url })));
    expect(button()).toBeInTheDocument();
  });
});
