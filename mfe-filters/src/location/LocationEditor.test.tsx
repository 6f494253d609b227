/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { type RootState, marketplaceState } from '@forecourt/search/state';
import { createTestEnvironment } from '@forecourt/search/testing';
import type { Call } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import { renderSlot } from '@forecourt/slots/server';
import { formFields, mountSearchSlot, searchState } from '../testing/mountSearchSlot.ts';
import locationEditor from '../slots/location-editor.tsx';

const CHICAGO = { zip: '60601', city: 'Chicago', state: 'IL' };
const IN_CHICAGO = { filters: { zip: ['60601'], searchRadius: ['25'] } };
const ATLANTA = { success: true, city: 'Atlanta', state: 'GA' };

const mount = (
  parts: Partial<SearchCriteria> = IN_CHICAGO,
  lookupResponse: () => unknown = () => ATLANTA,
) => {
  const zipLookup = jest.fn(lookupResponse);
  return {
    zipLookup,
    ...mountSearchSlot(locationEditor, { criteria: parts, data: CHICAGO, calls: { zipLookup } }),
  };
};
/** What is shown while the form is closed. */
const summary = () => document.querySelector('details > summary')!;
const zip = () => screen.getByRole('textbox', { name: 'ZIP Code' });
const save = () => screen.getByRole('button', { name: 'Save' });
async function open() {
  await userEvent.click(summary());
}

/** Hydrates server HTML that was rendered without the city. */
async function hydrateWithoutCity(zipLookup: () => unknown) {
  const { store, environment } = createTestEnvironment(locationEditor, {
    state: searchState({ criteria: IN_CHICAGO }),
    calls: { zipLookup },
  });
  const state = store.getState() as RootState;
  const failing = (() => Promise.resolve({ success: false })) as Call;
  const { html, data, isPartial } = await renderSlot(marketplaceState, locationEditor, {
    slot: 'test',
    state,
    call: failing,
    signal: new AbortController().signal,
  });
  expect(isPartial).toBe(true);
  const element = document.body.appendChild(document.createElement('div'));
  element.innerHTML = html;
  const { unmount } = await act(async () =>
    mountSlot({
      module: locationEditor,
      element,
      store,
      environment,
      server: { state, data },
      onReady: () => {},
      onError: (phase, error) => {
        throw new Error(phase, { cause: error });
      },
    }),
  );
  return { element, leave: () => (act(unmount), element.remove()) };
}

describe('location editor', () => {
  it('looks the city up in the browser when the server could not', async () => {
    const { element, leave } = await hydrateWithoutCity(() => ({
      success: true,
      city: 'Chicago',
      state: 'IL',
    }));
    expect(await within(element).findByText(/^Chicago, IL/)).toBeInTheDocument();
    leave();
  });

  // rows: B2-HERO-03
  it('shows place and distance, and the ZIP and radius of the search', async () => {
    mount();
    expect(summary()).toHaveTextContent('Chicago, IL · 25 miles');
    await open();
    expect(zip()).toHaveValue('60601');
    expect(screen.getByRole('combobox', { name: 'Distance' })).toHaveValue('25');
  });

  // rows: B4-LOC-02, B4-LOC-03
  it('applies ZIP code and radius with one search from the first record', async () => {
    const { searches } = mount({ ...IN_CHICAGO, firstRecord: 30 });
    await open();
    await userEvent.clear(zip());
    await userEvent.type(zip(), '30303');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Distance' }), '50 miles');
    await userEvent.click(save());
    expect(searches()).toHaveLength(1);
    expect(searches()[0]).toMatchObject({
      filters: { zip: ['30303'], searchRadius: ['50'] },
      firstRecord: 0,
    });
    expect(summary()).toHaveTextContent('30303 · 50 miles');
    expect(summary().closest('details')).not.toHaveAttribute('open');
    expect(summary()).toHaveFocus();
  });

  // rows: B5-ZIP-01, B5-ZIP-03, B8-ERR-01
  it('rejects fewer than five digits without a lookup', async () => {
    const { zipLookup, searches } = mount();
    await open();
    await userEvent.clear(zip());
    await userEvent.type(zip(), '3030{Enter}');
    expect(await screen.findByText('Enter a valid ZIP Code')).toBeInTheDocument();
    expect(zip()).toHaveFocus();
    expect(zip()).toBeInvalid();
    expect(zipLookup).not.toHaveBeenCalled();
    expect(searches()).toHaveLength(0);
  });

  // rows: B5-ZIP-02
  it.each([
    ['finds nothing', () => ({ success: false })],
    ['fails', () => Promise.reject(new Error('no network'))],
  ])('rejects a ZIP code when its lookup %s', async (_, lookupResponse) => {
    const { searches } = mount(IN_CHICAGO, lookupResponse);
    await open();
    await userEvent.clear(zip());
    await userEvent.type(zip(), '00000');
    await userEvent.click(save());
    expect(await screen.findByText('Enter a valid ZIP Code')).toBeInTheDocument();
    expect(searches()).toHaveLength(0);
  });

  // rows: B4-LOC-01
  it('clears the message when the ZIP code has five digits', async () => {
    mount();
    await open();
    await userEvent.clear(zip());
    await userEvent.type(zip(), '3030{Enter}');
    await screen.findByText('Enter a valid ZIP Code');
    await userEvent.type(zip(), '{Backspace}0');
    expect(screen.getByText('Enter a valid ZIP Code')).toBeInTheDocument();
    await userEvent.type(zip(), '3');
    expect(screen.queryByText('Enter a valid ZIP Code')).not.toBeInTheDocument();
  });

  it('closes the location form on Escape and restores the focus', async () => {
    mount();
    await open();
    await userEvent.type(zip(), '{Escape}');
    expect(summary()).toHaveTextContent('Chicago, IL · 25 miles');
    expect(summary().closest('details')).not.toHaveAttribute('open');
    expect(summary()).toHaveFocus();
  });

  it('cancels a lookup on Escape without a search', async () => {
    let resolveLookup = (_: unknown) => {};
    const { searches, zipLookup } = mount(
      IN_CHICAGO,
      () => new Promise((resolve) => (resolveLookup = resolve)),
    );
    await open();
    await userEvent.clear(zip());
    await userEvent.type(zip(), '30303{Enter}');
    expect(zipLookup).toHaveBeenCalledTimes(1);
    await userEvent.keyboard('{Escape}');
    await act(async () => resolveLookup(ATLANTA));
    expect(searches()).toHaveLength(0);
    await open();
    expect(zip()).toHaveValue('60601');
  });

  it.each([
    ['a whole ZIP+4 code, which is rejected,', '30303-1234', '30303-1234'],
    ['a ZIP without the blanks around it', ' 30303 ', '30303'],
  ])('accepts %s when pasted', async (_, pasted, expectedZip) => {
    mount();
    await open();
    await userEvent.clear(zip());
    await userEvent.click(zip());
    await userEvent.paste(pasted);
    expect(zip()).toHaveValue(expectedZip);
  });

  it('sends the other filters as hidden fields', () => {
    const { container } = mount({
      filters: { ...IN_CHICAGO.filters, makeCode: ['FORD'] },
      sortBy: 'yearDESC',
    });
    const fields = formFields(container.querySelector('form')!);
    expect(fields).toEqual([
      ['makeCode', 'FORD'],
      ['sortBy', 'yearDESC'],
      ['zip', '60601'],
      ['searchRadius', '25'],
    ]);
  });

  it('looks up the place by the search’s ZIP code, otherwise the visitor’s', async () => {
    const call = jest.fn(async () => ATLANTA) as never;
    const { signal } = new AbortController();
    const own = searchState({ criteria: IN_CHICAGO, session: { visitorZip: '30303' } });
    expect(await locationEditor.load?.({ state: own, call, signal })).toMatchObject({ zip: '60601' });
    const visitor = searchState({ session: { visitorZip: '30303' } });
    expect(await locationEditor.load?.({ state: visitor, call, signal })).toMatchObject({ zip: '30303' });
    expect(await locationEditor.load?.({ state: searchState({}), call, signal })).toBeNull();
  });
});
