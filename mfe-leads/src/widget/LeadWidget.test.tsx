/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import { type RootState, marketplaceState } from '@forecourt/search/state';
import {
  buildListing,
  buildOwner,
  buildState,
  createTestEnvironment,
  mountInTestShell,
} from '@forecourt/search/testing';
import { mountSlot } from '@forecourt/slots/browser';
import { renderSlot } from '@forecourt/slots/server';
import leadWidget from '../slots/lead-widget.tsx';
import { ADA, field, fillIn } from '../testing/mountLeads.tsx';

/** A page with a far dealer, a near dealer (d1) and a nearer private seller; records the messages to sellers. */
function dealerPage() {
  const messages: unknown[] = [];
  const emailOwner = (_: unknown, body: unknown) => {
    messages.push(body);
    return { status: 'SUCCESS' };
  };
  const owners = {
    far: buildOwner({ id: 'far', name: 'Far Ford', distanceFromSearch: 40 }),
    d1: buildOwner({ distanceFromSearch: 12 }),
    private: buildOwner({ id: 'private', privateSeller: true, distanceFromSearch: 1 }),
  };
  const listings = [
    buildListing({ id: '2001', ownerId: 'far' }),
    buildListing(),
    buildListing({ id: '3001', ownerId: 'private' }),
  ];
  return { messages, state: buildState({ listings, owners }, { flags: FLAGS }), calls: { emailOwner } };
}
function mount() {
  const page = dealerPage();
  mountInTestShell(leadWidget, page);
  return page;
}
const send = () => userEvent.click(screen.getByRole('button', { name: 'Get help' }));

afterEach(() => window.localStorage.clear());

describe('lead widget', () => {
  it('says why it names this dealer', () => {
    mount();
    expect(screen.getByText(/, the closest dealer in these results, has a Ford F-150\./)).toBeVisible();
  });

  it.each(['abc', '6060'])('refuses the invalid ZIP %s', async (zip) => {
    const { messages } = mount();
    await fillIn({ ...ADA, 'ZIP Code': zip });
    await send();
    await waitFor(() => expect(field(/^ZIP Code/)).toHaveFocus());
    expect(field(/^ZIP Code/)).toHaveAccessibleDescription('Enter a valid ZIP Code');
    expect(messages).toEqual([]);
    await fillIn({ 'ZIP Code': '60601' });
    await waitFor(() => expect(field(/^ZIP Code/)).toBeValid());
  });

  // rows: B2-BOTTOM-08
  it.each([
    ['60601', 'I am looking for a car near 60601 and would like some help. Please contact me.'],
    ['', 'I am looking for a car and would like some help. Please contact me.'],
  ])('sends the ZIP "%s" as part of the message to the nearest dealer', async (zip, comments) => {
    const { messages } = mount();
    await fillIn({ ...ADA, Phone: '(312) 555-0199', 'ZIP Code': zip });
    await send();
    expect(await screen.findByText('Your message was sent to Lakeside Ford.')).toBeVisible();
    expect(messages).toEqual([
      {
        comments,
        firstName: 'Ada',
        lastName: 'Byron',
        fromEmailAddress: 'ada@example.com',
        phoneNumber: '(312) 555-0199',
        listingId: '1001',
        ownerId: 'd1',
        idempotencyKey: expect.any(String),
      },
    ]);
  });

  it('keeps text typed before hydration and is not submitted by the browser', async () => {
    const page = dealerPage();
    const { store, environment } = createTestEnvironment(leadWidget, page);
    const server = { state: store.getState() as RootState, data: undefined };
    const element = document.body.appendChild(document.createElement('div'));
    const signal = new AbortController().signal;
    const { html } = await renderSlot(marketplaceState, leadWidget, { ...server, ...environment, signal });
    element.innerHTML = html;
    const submitEvents: Event[] = [];
    element.addEventListener('submit', (event) => submitEvents.push(event));
    await fillIn(ADA);
    await userEvent.keyboard('{Enter}');
    await send();
    expect(submitEvents).toEqual([]);

    const fail = (_: string, error: unknown) => {
      throw error;
    };
    const options = { module: leadWidget, element, store, environment, server, onError: fail };
    const { unmount } = await act(async () => mountSlot({ ...options, onReady: () => {} }));
    await send();
    expect(await screen.findByText('Your message was sent to Lakeside Ford.')).toBeVisible();
    expect(page.messages).toHaveLength(1);
    act(unmount);
    element.remove();
  });
});
