/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/shared-contracts/brands';
import { buildState, mountInTestShell } from '@forecourt/shared-contracts/testing';
import leadWidget from '../slots/lead-widget.tsx';
import { ADA, field, fillIn } from '../testing/mountLeads.tsx';

/** A page with one dealer, and what that one is written. */
function dealerPage() {
  const comments: unknown[] = [];
  const emailOwner = (_: unknown, body: unknown) => {
    comments.push((body as { comments: string }).comments);
    return { status: 'SUCCESS' };
  };
  return { comments, state: buildState({}, { flags: FLAGS }), calls: { emailOwner } };
}
function mount() {
  const page = dealerPage();
  mountInTestShell(leadWidget, page);
  return page;
}
const send = () => userEvent.click(screen.getByRole('button', { name: 'Get help' }));

afterEach(() => window.localStorage.clear());

describe('the lead widget', () => {
  it.each(['abc', '6060'])('takes no ZIP like %s', async (zip) => {
    const { comments } = mount();
    await fillIn({ ...ADA, 'ZIP Code': zip });
    await send();
    await waitFor(() => expect(field(/^ZIP Code/)).toHaveFocus());
    expect(field(/^ZIP Code/)).toHaveAccessibleDescription('Enter a valid ZIP Code');
    expect(comments).toEqual([]);
    await fillIn({ 'ZIP Code': '60601' });
    await waitFor(() => expect(field(/^ZIP Code/)).toBeValid());
  });

  it.each([
    ['60601', 'I am looking for a car near 60601 and would like some help. Please contact me.'],
    ['', 'I am looking for a car and would like some help. Please contact me.'],
  ])('sends the ZIP "%s" with its words to the nearest dealer [B2-BOTTOM-08]', async (zip, words) => {
    const { comments } = mount();
    await fillIn({ ...ADA, 'ZIP Code': zip });
    await send();
    expect(await screen.findByText('Your message was sent to Lakeside Ford.')).toBeVisible();
    expect(comments).toEqual([words]);
  });
});
