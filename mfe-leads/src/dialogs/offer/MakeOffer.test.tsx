/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildListing } from '@forecourt/search/testing';
import { mountLeads } from '../../testing/mountLeads.tsx';

afterEach(() => window.sessionStorage.clear());

const ADA = {
  firstName: 'Ada',
  lastName: 'Byron',
  fromEmailAddress: 'ada@example.com',
  phoneNumber: '',
  comments: '',
};

/** Fake of the make-offer element, without its styles. */
class FakeOfferModal extends HTMLElement {
  vehicle: unknown;
  errors: unknown;
  outcome: [string, string] | undefined;
  values: Record<string, string> = { offerAmount: '', ...ADA };
  open(vehicle: unknown) {
    this.vehicle = vehicle;
  }
  close() {
    this.dispatchEvent(new CustomEvent('offer-close'));
  }
  fill(fields: Record<string, string>) {
    Object.assign(this.values, fields);
  }
  showErrors(errors: unknown) {
    this.errors = errors;
  }
  settle(...outcome: [string, string]) {
    this.outcome = outcome;
  }
  type(values: Record<string, string>) {
    Object.assign(this.values, values);
    act(() => void this.dispatchEvent(new Event('input')));
  }
  send(fields: { offerAmount: number }) {
    act(() => void this.dispatchEvent(new CustomEvent('offer-submit', { detail: { ...ADA, ...fields } })));
  }
}

const offerModal = async () => {
  await waitFor(() => expect(document.querySelector('make-offer-modal')).not.toBeNull());
  return document.querySelector<FakeOfferModal>('make-offer-modal')!;
};

describe('make-offer flow', () => {
  const requestOffer = (shell: ReturnType<typeof mountLeads>) =>
    shell.send('lead.requested', { listingId: '1002', kind: 'offer' });
  const scripts = () => document.querySelectorAll<HTMLScriptElement>('script[src*="make-offer"]');
  const listings = [
    buildListing(),
    buildListing({ id: '1002', title: '2019 Honda Civic EX', ownerId: 'p1' }),
  ];

  // rows: A8-ERR-09
  it.each([
    ['fails to load', 'error', /^cannot load .*make-offer\.js$/, 0],
    ['does not define the form', 'load', /make-offer\.js does not define make-offer-modal$/, 1],
  ])(
    'opens no dialog, logs the failure and offers a retry when its script %s',
    async (_, event, cause, left) => {
      const shell = mountLeads({ search: { listings } });
      requestOffer(shell);
      await waitFor(() => expect(scripts()).toHaveLength(1));
      const [script] = scripts();
      act(() => void script!.dispatchEvent(new Event(event)));
      await screen.findByText('We can’t load the offer form right now.');
      expect(shell.eventsOf('problem.reported')).toEqual([
        { code: 'MAKE_OFFER_SCRIPT', message: expect.stringMatching(cause) },
      ]);
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(scripts()).toHaveLength(left);
      script!.remove();
      await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(scripts()).toHaveLength(1));
      scripts()[0]!.remove();
    },
  );

  // rows: A4-FLOW-08, A4-FLOW-09, A7-OFFER-01
  it('loads its versioned script once, opens the dialog and requires a price', async () => {
    const shell = mountLeads({ search: { listings } });
    requestOffer(shell);
    requestOffer(shell);
    await waitFor(() => expect(scripts()).toHaveLength(1));
    expect(scripts()[0]!.getAttribute('src')).toMatch(
      /^\/static\/make-offer\/\d+\.\d+\.\d+\/make-offer\.js$/,
    );
    expect(screen.queryByRole('dialog')).toBeNull();
    customElements.define('make-offer-modal', FakeOfferModal);
    act(() => void scripts()[0]!.dispatchEvent(new Event('load')));
    const modal = await offerModal();
    expect(modal.vehicle).toEqual({ title: '2019 Honda Civic EX', price: 32_995 });
    modal.send({ offerAmount: NaN });
    await waitFor(() => expect(modal.errors).toMatchObject({ offerAmount: 'Enter your offer' }));
    expect(shell.bodiesOf('makeOffer')).toEqual([]);
    modal.send({ offerAmount: 12_500 });
    modal.send({ offerAmount: 12_500 });
    await waitFor(() => expect(modal.outcome).toEqual(['sent', 'Your offer to the seller was sent.']));
    expect(shell.bodiesOf('makeOffer')).toEqual([
      expect.objectContaining({ listingId: '1002', ownerId: 'p1', offerAmount: 12_500, firstName: 'Ada' }),
    ]);
    act(() => modal.close());
    await waitFor(() => expect(document.querySelector('make-offer-modal')).toBeNull());
    requestOffer(shell);
    await offerModal();
    expect(scripts()).toHaveLength(1);
  });

  it('keeps the text and the idempotency key when the upstream is down', async () => {
    let isUp = false;
    const shell = mountLeads({
      search: { listings },
      calls: { makeOffer: () => ({ status: isUp ? 'SUCCESS' : 'FAILURE' }) },
    });
    requestOffer(shell);
    let modal = await offerModal();
    modal.type({ offerAmount: '9000', firstName: 'Ada' });
    modal.send({ offerAmount: 9000 });
    await waitFor(() =>
      expect(modal.outcome).toEqual(['failed', expect.stringContaining('Nothing you typed was lost')]),
    );
    act(() => modal.close());
    requestOffer(shell);
    modal = await offerModal();
    expect(modal.values).toMatchObject({ offerAmount: '9000', firstName: 'Ada' });
    isUp = true;
    modal.send({ offerAmount: 9000 });
    await waitFor(() => expect(modal.outcome?.[0]).toBe('sent'));
    expect(new Set(shell.bodiesOf('makeOffer').map((body) => body['idempotencyKey'])).size).toBe(1);
  });
});
