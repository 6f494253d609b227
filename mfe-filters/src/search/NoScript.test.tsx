/** @jest-environment jest-fixed-jsdom */
import { decodeQuery } from '@forecourt/search/decode';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { type SearchCriteria } from '@forecourt/search/criteria';
import { createStore, marketplaceState } from '@forecourt/search/state';
import type { SlotModule } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import { renderSlot } from '@forecourt/slots/server';
import { buildChips, buildFilters, VEHICLE_FILTERS } from '../testing/builders.ts';
import { formFields, buildCriteria, searchState } from '../testing/mountSearchSlot.ts';
import filters from '../slots/filters.tsx';
import locationEditor from '../slots/location-editor.tsx';
import toolbar from '../slots/toolbar.tsx';

const CHOSEN: SearchCriteria = buildCriteria({
  filters: {
    zip: ['60601'],
    searchRadius: ['50'],
    marketExtension: ['include'],
    startYear: ['2018'],
    makeCode: ['FORD', 'HONDA'],
    modelCode: ['F150'],
    trimCode: ['F150|XLT'],
    maxPrice: ['40000'],
    monthlyPayment: ['400-3000-60-5.9'],
    mileage: ['75000'],
    vehicleStyleCode: ['TRUCKS'],
    fuelTypeGroup: ['ELE', 'GSL'],
    featureCode: ['FEATURE29'],
    bodyStyleSubtypeCode: ['CREWCAB', 'CREWMAX'],
    state: ['IL'],
    keyword: ['tow, hitch'],
  },
  sortBy: 'mileageASC',
});
const call = (async () => ({ success: true, city: 'Chicago', state: 'IL' })) as never;
const stateOf = (criteria: SearchCriteria) =>
  searchState({ criteria, search: { filters: buildFilters(VEHICLE_FILTERS), chips: buildChips(criteria) } });
const serverHtml = (module: SlotModule, slot: string, criteria: SearchCriteria) =>
  renderSlot(marketplaceState, module, {
    slot,
    state: stateOf(criteria),
    call,
    signal: new AbortController().signal,
  });

/** The document as a browser without JavaScript parses it, with the content of `noscript`. */
const withoutScripting = (html: string) =>
  new DOMParser().parseFromString(html.replaceAll(/<\/?noscript>/g, ''), 'text/html');

const submitted = (form: HTMLFormElement) => {
  const query = new URLSearchParams();
  for (const [name, value] of formFields(form)) query.append(name, value);
  return decodeQuery(query);
};

describe('panel without JavaScript', () => {
  it('submits exactly the criteria that it shows', async () => {
    const { html } = await serverHtml(filters, 'filters', CHOSEN);
    const form = withoutScripting(html).querySelector('form')!;
    expect(form.method).toBe('get');
    expect(submitted(form)).toEqual(CHOSEN);
  });

  const formOf = async (criteria: SearchCriteria) =>
    withoutScripting((await serverHtml(filters, 'filters', criteria)).html).querySelector('form')!;
  /** The panel of the page that a link leads to. */
  const follow = (form: HTMLFormElement, text: string) => {
    const link = [...form.querySelectorAll('a')].find(({ textContent }) => textContent === text)!;
    return formOf(decodeQuery(new URL(link.href).searchParams));
  };

  it('leads from a panel with closed sections to one with every option once', async () => {
    const panel = await formOf(buildCriteria());
    expect(panel.querySelector('details:not([open])')).not.toBeNull();
    const all = await follow(panel, 'Show all options');
    expect(all.querySelector('details:not([open])')).toBeNull();
    expect(all.textContent).not.toContain('Show all options');
    for (const { name, options } of buildFilters())
      for (const { value } of options) {
        if (['yearRange', 'bodyStyleSubtypeCode', 'searchRadius'].includes(name)) continue;
        expect([name, value, all.querySelector(`[value="${value}"]`) !== null]).toEqual([name, value, true]);
      }
    expect(all.querySelectorAll('[name="featureCode"]')).toHaveLength(30);
  });

  it('leads to a panel with a group for another make', async () => {
    const panel = await formOf(buildCriteria({ filters: { makeCode: ['FORD'] } }));
    expect(panel.querySelectorAll('[name="makeCode"]')).toHaveLength(1);
    const wider = await follow(panel, 'Add another make');
    const [, added] = wider.querySelectorAll<HTMLSelectElement>('[name="makeCode"]');
    added!.value = 'HONDA';
    expect(submitted(wider).filters['makeCode']).toEqual(['FORD', 'HONDA']);
  });

  it('submits a filter of the section that a link has opened, and not the link', async () => {
    const { html } = await serverHtml(filters, 'filters', { ...CHOSEN, openSection: 'doorCode' });
    const form = withoutScripting(html).querySelector('form')!;
    expect(submitted(form)).toEqual(CHOSEN);
    form.querySelector<HTMLInputElement>('[name="doorCode"]')!.checked = true;
    expect(submitted(form).filters['doorCode']).toHaveLength(1);
  });

  // rows: B5-PINPUT-01
  it('accepts a price with dollar sign and commas, and no other text', async () => {
    const { html } = await serverHtml(filters, 'filters', buildCriteria());
    const form = withoutScripting(html).querySelector('form')!;
    const price = form.querySelector<HTMLInputElement>('[name="minPrice"]')!;
    price.value = '12a';
    expect(price.validity.patternMismatch).toBe(true);
    price.value = '$12,000';
    expect(form.checkValidity()).toBe(true);
    expect(submitted(form).filters).toMatchObject({ minPrice: ['12000'] });
  });

  it('renders the panel once', async () => {
    const { html } = await serverHtml(filters, 'filters', CHOSEN);
    expect(html.match(/<form/g)).toHaveLength(1);
  });
});

describe('hydration', () => {
  afterEach(() => document.body.replaceChildren());

  it.each([
    ['filters', filters],
    ['toolbar', toolbar],
    ['location-editor', locationEditor],
  ] as const)('hydrates the HTML of %s without mismatch', async (slot, module) => {
    const { html, data } = await serverHtml(module, slot, CHOSEN);
    const element = document.createElement('div');
    document.body.append(element);
    // With JavaScript, the content of noscript is not parsed as elements.
    element.innerHTML = html.replaceAll(/<noscript>.*?<\/noscript>/gs, '<noscript></noscript>');
    const before = element.querySelectorAll('*').length;
    const onError = jest.fn();
    const state = stateOf(CHOSEN);
    const mounted = await act(async () =>
      mountSlot({
        module: module,
        element,
        store: createStore(state),
        environment: {
          slot,
          emit: () => {},
          listen: () => () => {},
          call,
          attachOutlet: () => () => {},
        },
        server: { state, data },
        onReady: () => {},
        onError,
      }),
    );
    expect(onError).not.toHaveBeenCalled();
    expect(element.querySelectorAll('*')).toHaveLength(before);
    await act(async () => mounted.unmount());
  });
});
