/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { marketplaceState } from '@forecourt/search/state';
import { buildState, createTestEnvironment } from '@forecourt/search/testing';
import type { PageHead } from '@forecourt/slots';
import { mountSlot } from '@forecourt/slots/browser';
import { renderSlot } from '@forecourt/slots/server';
import type { TestCalls } from '@forecourt/slots/testing';
import type { CallParams } from '@forecourt/upstream/calls';
import type { Trim } from '@forecourt/upstream/entities';
import { buildPageUrl, newTrims, slugReference, trim, yearsForSale } from '../testing/sampleData.ts';
import buildYourPrice from './build-your-price.tsx';

const PAGE = buildPageUrl('makeCode=FORD&modelCode=F150');

/** Renders the page on the server; `failing` names a call that fails. */
async function render(
  url: string,
  { items = newTrims, failing }: { items?: readonly Trim[]; failing?: string } = {},
) {
  const requests: [name: string, params: CallParams][] = [];
  const responses: TestCalls = {
    slugReference: () => slugReference,
    newModelYears: () => ({ links: yearsForSale }),
    referenceVehicles: () => ({ items }),
  };
  const state = buildState({}, {}, { kind: 'build-your-price', url });
  const { store, environment } = createTestEnvironment(buildYourPrice, { state, calls: responses });
  const serverSlot = await renderSlot(marketplaceState, buildYourPrice, {
    slot: 'build-your-price',
    state,
    call: (name, params, options) => {
      requests.push([name, params]);
      return name === failing ? Promise.reject(new Error('down')) : environment.call(name, params, options);
    },
    signal: new AbortController().signal,
  });
  return { ...serverSlot, page: serverSlot.page as PageHead, sent: requests, store, environment, state };
}

/** Shows the server's HTML, as without JavaScript, until `hydrate` is called. */
async function show(...args: Parameters<typeof render>) {
  const { html, data, page, sent, store, environment, state } = await render(...args);
  const element = document.body.appendChild(document.createElement('div'));
  element.innerHTML = html;
  const hydrate = () =>
    act(async () =>
      mountSlot({
        module: buildYourPrice,
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
  return { page, sent, hydrate };
}

const price = () => screen.getByRole('definition').textContent;
const monthly = () => within(screen.getByRole('status')).getByText(/^\$/).textContent;

afterEach(() => document.body.replaceChildren());

describe('the build-your-price page', () => {
  // rows: B2-ROUTE-05
  it('shows the trims of the newest year for the make and model in the URL', async () => {
    const { sent, page } = await show(PAGE);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Build your price: new Ford F-150');
    expect(
      screen.getByText('Choose a model year and trim to see the price and monthly payment.'),
    ).toBeVisible();
    expect(sent).toContainEqual([
      'referenceVehicles',
      { yearId: '2027', atcMakeCode: 'FORD', atcModelCode: 'F150' },
    ]);
    expect(page).toEqual({
      title: 'Build your price: new 2027 Ford F-150',
      description: 'Trims and prices of the new 2027 Ford F-150, with monthly payments.',
      canonical: PAGE,
      isIndexed: true,
    });
  });

  it('prices the cheapest trim when the query names none', async () => {
    await show(PAGE);
    expect(price()).toBe('$40,000');
    expect(screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).value)).toEqual([
      'xl',
      'raptor',
    ]);
    expect(screen.getByRole('radio', { name: /^XL/ })).toBeChecked();
  });

  it('prices the trim, down payment, term and rate of the query', async () => {
    await show(`${PAGE}&trim=raptor&down=8000&term=72&apr=0`);
    expect(price()).toBe('$80,000');
    expect(monthly()).toBe('$1,000');
    expect(screen.getByText('Raptor <R>')).toBeVisible();
    expect(screen.getByText(/^72 months at 0% APR, \$8,000 down\. Total with interest/)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Down payment ($)' })).toHaveValue('8000');
    expect(screen.getByRole('combobox', { name: 'Term' })).toHaveDisplayValue('72 months');
  });

  it('repaints the payment as the shopper types or chooses a trim', async () => {
    const { hydrate } = await show(`${PAGE}&down=4000&term=36&apr=0`);
    await hydrate();
    expect(monthly()).toBe('$1,000');
    await userEvent.click(screen.getByRole('radio', { name: /^Raptor/ }));
    expect(price()).toBe('$80,000');
    expect(monthly()).toBe('$2,111');
    const down = screen.getByRole('textbox', { name: 'Down payment ($)' });
    await userEvent.clear(down);
    await userEvent.type(down, '44,000');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Term' }), '60 months');
    expect(monthly()).toBe('$600');
    expect(screen.getByText(/^60 months at 0% APR, \$44,000 down\./)).toBeVisible();
  });

  it('starts from what the browser restored into the form before a reload', async () => {
    const { hydrate } = await show(`${PAGE}&down=4000&term=36&apr=0`);
    screen.getByRole<HTMLInputElement>('radio', { name: /^Raptor/ }).checked = true;
    screen.getByRole<HTMLInputElement>('textbox', { name: 'Down payment ($)' }).value = '8000';
    await hydrate();
    expect(price()).toBe('$80,000');
    expect(monthly()).toBe('$2,000');
  });

  it('sends the whole choice as a GET form without JavaScript', async () => {
    await show(`${PAGE}&year=2026&trim=raptor`);
    const form = screen.getByRole('radio', { name: /^XL/ }).closest('form')!;
    expect(form).toHaveAttribute('method', 'get');
    expect(form).toHaveAttribute('action', '/cars-for-sale/build-your-price');
    const formData = [...form.elements]
      .filter((control) => control.matches('input:not([type="radio"]), select, :checked'))
      .map((control) => control as HTMLInputElement)
      .map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(formData)).toEqual({
      makeCode: 'FORD',
      modelCode: 'F150',
      year: '2026',
      trim: 'raptor',
      down: '8000',
      term: '72',
      apr: '6.99',
    });
  });

  it('links to the new vehicles of the chosen year for sale', async () => {
    await show(`${PAGE}&year=2026`);
    expect(
      screen.getByRole('link', { name: 'See 81 new 2026 Ford F-150 for sale from $36,848' }),
    ).toHaveAttribute('href', '/cars-for-sale/new/2026/ford/f150');
  });

  it('offers the newest year when the query names none that is for sale', async () => {
    const { sent } = await show(`${PAGE}&year=1908`);
    expect(sent.at(-1)?.[1]).toMatchObject({ yearId: '2027' });
    expect(screen.getByRole('combobox', { name: 'Model year' })).toHaveValue('2027');
  });

  it.each(['', 'makeCode=FORD', 'makeCode=NOPE&modelCode=F150', 'makeCode=FORD&modelCode=NOPE'])(
    'lets the shopper choose a model for the query %j',
    async (query) => {
      const { page, sent } = await show(buildPageUrl(query));
      expect(screen.getByRole('combobox', { name: 'Make' })).toHaveAttribute('name', 'makeCode');
      expect(screen.queryByRole('combobox', { name: 'Model' }) !== null).toBe(query.includes('FORD'));
      expect(page).toMatchObject({ canonical: '/cars-for-sale/build-your-price', isIndexed: true });
      expect(sent.map(([name]) => name)).toEqual(['slugReference']);
    },
  );

  it('asks for another model when the chosen one has no price', async () => {
    const { page } = await show(PAGE, { items: [trim('xl', 'XL', { nationalMSRP: undefined })] });
    expect(screen.getByRole('status')).toHaveTextContent(
      'There’s no new Ford F-150 to price right now. Choose another model.',
    );
    expect(screen.getByRole('combobox', { name: 'Make' })).toHaveValue('FORD');
    expect(page.isIndexed).toBe(false);
  });

  it.each(['slugReference', 'newModelYears', 'referenceVehicles'])(
    'fails the page when %s fails',
    async (failing) => {
      await expect(render(PAGE, { failing })).rejects.toThrow('down');
    },
  );
});
