/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { buildState, createTestEnvironment } from '@forecourt/search/testing';
import { mountSlot } from '@forecourt/slots/browser';
import leads from '../slots/leads.tsx';
import { dialog, mountLeads } from '../testing/mountLeads.tsx';

const opener = () => screen.getByRole('button', { name: /shopping assistant/ });
const popover = () => screen.queryByRole('dialog', { name: 'Shopping assistant' });
const use = async (label: string) => {
  await userEvent.click(opener());
  await userEvent.click(screen.getByRole('button', { name: label }));
};

afterEach(() => window.sessionStorage.clear());

describe('shopping assistant', () => {
  // rows: A1-SCOPE-11, A2-UI-11
  it('opens the assistant with its heading, takes the focus and returns it on close', async () => {
    mountLeads();
    expect(popover()).toBeNull();
    await userEvent.click(opener());
    expect(within(popover()!).getByRole('heading')).toHaveTextContent(/^Need help\? Try these\.$/);
    expect(screen.getByRole('button', { name: 'Show me the best deals' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(popover()).toBeNull();
    expect(opener()).toHaveFocus();
    expect(opener()).not.toHaveAttribute('aria-controls');
    await userEvent.click(opener());
    await userEvent.click(document.body);
    expect(popover()).toBeNull();
  });

  // rows: A1-SCOPE-11
  it('closes on Back, which it takes only while it is open', async () => {
    const closers = new Set<() => void>();
    const interceptBack = (close: () => void) => {
      closers.add(close);
      return () => void closers.delete(close);
    };
    const texts = { heading: 'Cars for Sale', title: '', description: '', canonicalUrl: '' };
    const state = buildState({ texts }, { flags: FLAGS });
    const { store, environment } = createTestEnvironment(leads, { state });
    const element = document.body.appendChild(document.createElement('div'));
    const { unmount } = await act(() =>
      mountSlot({
        module: leads,
        element,
        store,
        environment: { ...environment, interceptBack },
        onReady() {},
        onError: (_, error) => expect(error).toBeUndefined(),
      }),
    );
    expect(closers.size).toBe(0);
    await userEvent.click(opener());
    expect(popover()).toBeVisible();
    act(() => closers.forEach((close) => close()));
    expect(popover()).toBeNull();
    expect(opener()).toHaveFocus();
    expect(closers.size).toBe(0);
    act(unmount);
    element.remove();
  });

  // rows: B6-FLAG-07
  it('renders no assistant with its flag off', () => {
    mountLeads({ session: { flags: { ...FLAGS, shoppingAssistant: false } } });
    expect(screen.queryByRole('button', { name: /assistant/ })).toBeNull();
  });

  it('renders no assistant on pages without a search', () => {
    mountLeads({ search: { texts: { heading: '', title: '', description: '', canonicalUrl: '' } } });
    expect(screen.queryByRole('button', { name: /assistant/ })).toBeNull();
  });

  it.each<[string, Partial<SearchCriteria>]>([
    [
      'Show me the best deals',
      { categorySearch: 'best-deals', filters: { dealType: ['goodprice', 'greatprice'] } },
    ],
    ['Only electric cars', { filters: { fuelTypeGroup: ['ELE'] } }],
    ['Cars under $20,000', { filters: { maxPrice: ['20000'] } }],
  ])('changes the search for the prompt ‘%s’', async (label, expected) => {
    const shell = mountLeads();
    await use(label);
    expect(shell.eventsOf('search.changeRequested')).toEqual([
      expect.objectContaining({ criteria: expect.objectContaining(expected), cause: 'assistant' }),
    ]);
    expect(popover()).toBeNull();
  });

  it('searches for the described car in the place of the search', async () => {
    const criteria = {
      filters: { makeCode: ['FORD'], zip: ['60601'], searchRadius: ['25'] },
      categorySearch: 'certified' as const,
      sortBy: 'relevance' as const,
      firstRecord: 30,
      numRecords: 30,
      unknown: [],
    };
    const shell = mountLeads({ search: { criteria } });
    await userEvent.click(opener());
    const field = screen.getByRole('searchbox', { name: 'Or describe the car you want' });
    await userEvent.type(field, '  {Enter}');
    expect(shell.eventsOf('search.changeRequested')).toEqual([]);
    await userEvent.type(field, 'red SUV under 20k{Enter}');
    const [{ criteria: requested } = {}] = shell.eventsOf('search.changeRequested') as never as [
      { criteria: SearchCriteria }?,
    ];
    expect(requested).toMatchObject({ firstRecord: 0, filters: { keyword: ['red SUV under 20k'] } });
    expect(requested?.filters).toEqual({
      keyword: ['red SUV under 20k'],
      zip: ['60601'],
      searchRadius: ['25'],
    });
    expect(requested?.categorySearch).toBeUndefined();
    expect(popover()).toBeNull();
  });

  it('drops a minimum price above the new maximum', async () => {
    const criteria = {
      filters: { minPrice: ['30000'] },
      sortBy: 'relevance' as const,
      firstRecord: 0,
      numRecords: 30,
      unknown: [],
    };
    const shell = mountLeads({ search: { criteria } });
    await use('Cars under $20,000');
    expect(shell.eventsOf('search.changeRequested')).toMatchObject([
      { criteria: { filters: { maxPrice: ['20000'] } } },
    ]);
    expect(JSON.stringify(shell.eventsOf('search.changeRequested'))).not.toContain('minPrice');
  });

  it('opens the wallet, and the email form of the nearest dealer, for prompts', async () => {
    mountLeads();
    await use('Estimate my monthly payment');
    await userEvent.click(within(await dialog('Your budget')).getByRole('button', { name: 'Close' }));
    await use('Contact a dealer nearby');
    expect(await within(await dialog('Email the seller')).findByText('Lakeside Ford')).toBeVisible();
  });

  it('shows a toast when there is no dealer in the results', async () => {
    mountLeads({ search: { listings: [] } });
    await use('Contact a dealer nearby');
    expect(await screen.findByText('There are no dealers in these results.')).toBeVisible();
  });

  // rows: B6-FLAG-02
  it('hides the payment prompt when the wallet is off', async () => {
    mountLeads({ session: { flags: { ...FLAGS, wallet: false } } });
    await userEvent.click(opener());
    expect(screen.queryByRole('button', { name: 'Estimate my monthly payment' })).toBeNull();
  });
});
