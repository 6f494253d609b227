/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { decodeQuery, type SearchCriteria } from '@forecourt/search/criteria';
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

  it('contains every option of open sections once, and a link to a page with each closed section open', async () => {
    const formOf = async (criteria: SearchCriteria) =>
      withoutScripting((await serverHtml(filters, 'filters', criteria)).html).querySelector('form')!;
    const panel = await formOf(buildCriteria());
    const links = [...panel.querySelectorAll<HTMLAnchorElement>('details:not([open]) > a')];
    expect(links.length).toBe(panel.querySelectorAll('details:not([open])').length);
    const pages = await Promise.all(links.map(({ href }) => formOf(decodeQuery(new URL(href).searchParams))));
    for (const { name, options } of buildFilters())
      for (const { value } of options) {
        if (['yearRange', 'bodyStyleSubtypeCode', 'searchRadius'].includes(name)) continue;
        const withOption = [panel, ...pages].filter((form) => form.querySelector(`[value="${value}"]`));
        expect([name, value, withOption.length > 0]).toEqual([name, value, true]);
      }
    const features = pages.map((form) => form.querySelectorAll('[name="featureCode"]').length);
    expect(features.filter((count) => count > 0)).toEqual([30]);
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
