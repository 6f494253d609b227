/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { buildListing, buildOwner } from '@forecourt/shared-contracts/testing';
import { dialog, mountLeads, refusal } from '../../testing/mountLeads.tsx';

const program = {
  makeCode: 'FORD',
  productId: 'FORD_CERTIFIED',
  linkText: 'About Ford Certified',
  cpoTile: '/tile.svg',
  makeLabel: 'Ford',
  heading: 'Ford Certified',
  content: '<p>Inspected in <b>172</b> points.</p>',
};
const sponsor = {
  productId: 'FORD_CERTIFIED',
  heading: 'Who stands for it',
  content: '<p>Ford itself.</p>',
  logo: '',
};
const waitForContent = () => act(async () => new Promise((resolve) => setTimeout(resolve, 30)));

afterEach(() => window.sessionStorage.clear());

describe('certified-program dialog', () => {
  const requestProgram = (shell: ReturnType<typeof mountLeads>) =>
    shell.send('dialog.requested', { name: 'certifiedProgram', productId: 'FORD_CERTIFIED' });

  // rows: B4-CERT-01, B2-MODAL-09, B1-OFFER-06, B7-CERT-01, B7-CERT-02, B7-CERT-04, B3-CERT-01
  it('opens the certified-program dialog once its content has loaded, with heading and content', async () => {
    let resolvePrograms: (programs: unknown) => void = () => {};
    const shell = mountLeads({
      calls: {
        certifiedContent: () => new Promise((resolve) => (resolvePrograms = resolve)),
        certifiedSponsor: () => sponsor,
      },
    });
    requestProgram(shell);
    await waitForContent();
    expect(screen.queryByRole('dialog')).toBeNull();
    await act(async () => resolvePrograms([{ ...program, productId: 'OTHER', makeCode: 'KIA' }, program]));
    const openedDialog = await dialog('Ford Certified');
    expect(await within(openedDialog).findByText('172')).toBeVisible();
    expect(within(openedDialog).getByText('Ford itself.')).toBeVisible();
    expect(shell.calls.find(({ name }) => name === 'certifiedSponsor')?.params).toEqual({
      productId: 'FORD_CERTIFIED',
    });
  });

  // rows: B7-CERT-04
  it("falls back to the program of the listing's make", async () => {
    const other = { ...program, makeCode: 'KIA', productId: 'KIA_CERTIFIED', heading: 'Kia Certified' };
    const shell = mountLeads({
      calls: { certifiedContent: () => [other, program], certifiedSponsor: () => sponsor },
    });
    shell.send('dialog.requested', { name: 'certifiedProgram', listingId: '1001' });
    await dialog('Ford Certified');
    expect(shell.calls.find(({ name }) => name === 'certifiedSponsor')?.params).toEqual({
      productId: 'FORD_CERTIFIED',
    });
  });

  // rows: B8-ERR-10
  it.each<[string, Record<string, () => unknown>, string]>([
    ['there is no such program', { programs: () => [] }, 'no certified program FORD_CERTIFIED'],
    ['the sponsor’s content is empty', { sponsor: () => null }, 'no sponsor content for FORD_CERTIFIED'],
    ['the sponsor’s content fails', { sponsor: () => Promise.reject(refusal(502)) }, 'refused 502'],
  ])('keeps the dialog closed when %s, logs the cause and offers a retry', async (_, failures, cause) => {
    let failing = failures;
    const shell = mountLeads({
      calls: {
        certifiedContent: () => failing['programs']?.() ?? [program],
        certifiedSponsor: () => (failing['sponsor'] ?? (() => sponsor))(),
      },
    });
    requestProgram(shell);
    await waitFor(() =>
      expect(shell.eventsOf('problem.reported')).toEqual([{ code: 'CERTIFIED_PROGRAM', message: cause }]),
    );
    await screen.findByText('We can’t show this program right now.');
    expect(screen.queryByRole('dialog')).toBeNull();
    failing = {};
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await dialog('Ford Certified');
  });

  it('does not replace a dialog that was requested later', async () => {
    let resolvePrograms: (programs: unknown) => void = () => {};
    const shell = mountLeads({
      calls: {
        certifiedContent: () => new Promise((resolve) => (resolvePrograms = resolve)),
        certifiedSponsor: () => sponsor,
      },
    });
    requestProgram(shell);
    shell.send('dialog.requested', { name: 'electricVehicles' });
    await dialog('Electric vehicle types');
    await act(async () => resolvePrograms([program]));
    await waitForContent();
    expect(screen.getByRole('dialog', { name: 'Electric vehicle types' })).toBeVisible();
  });
});

describe('dealer-difference dialog', () => {
  const owners = {
    d1: buildOwner({ dealerDiff: { tagline: 'Family owned', contentId: 'c1' } }),
  };
  const facts = {
    cta: { label: 'Visit us', offsite: true, link: 'https://dealer.example/' },
    logo: '/dealer.svg',
  };
  const requestDifference = (shell: ReturnType<typeof mountLeads>) =>
    shell.send('dialog.requested', { name: 'dealerDifference', ownerId: 'd1' });

  // rows: A2-UI-09, B7-DIFF-01, B3-OWNER-02
  it.each([
    [true, '_blank'],
    [false, null],
  ])(
    'shows the JSON and the HTML of the owner’s content, with its link offsite: %s',
    async (offsite, target) => {
      const shell = mountLeads({
        search: { owners },
        calls: {
          dealerDiff: () => ({ ...facts, cta: { ...facts.cta, offsite } }),
          dealerDiffHtml: () => '<p>Since <em>1954</em>.</p>',
        },
      });
      requestDifference(shell);
      const openedDialog = await dialog('Why Lakeside Ford');
      expect(await within(openedDialog).findByText('1954')).toBeVisible();
      const link = within(openedDialog).getByRole('link', { name: 'Visit us' });
      expect(link).toHaveAttribute('href', 'https://dealer.example/');
      expect(link.getAttribute('target')).toBe(target);
      const logo = within(openedDialog).getByRole('img', { name: 'Lakeside Ford' });
      expect(logo).toHaveAttribute('src', '/dealer.svg');
      expect(shell.calls.map(({ name, params }) => [name, params])).toEqual(
        expect.arrayContaining([
          ['dealerDiff', { contentId: 'c1' }],
          ['dealerDiffHtml', { contentId: 'c1' }],
        ]),
      );
    },
  );

  it('does nothing, without an error, for an owner without such content', async () => {
    const shell = mountLeads({ search: { owners: { d1: buildOwner() } } });
    requestDifference(shell);
    // An unhandled rejection until then fails the test.
    await waitForContent();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(shell.calls).toEqual([]);
  });

  // rows: B7-DIFF-02
  it.each<[string, unknown, unknown]>([
    ['the JSON is missing', null, '<p>Since 1954.</p>'],
    ['the HTML is missing', facts, ''],
    ['the JSON fails to load', refusal(502), '<p>Since 1954.</p>'],
    ['the HTML fails to load', facts, refusal(502)],
  ])('shows neither content nor an error when %s, and the content once both load', async (_, json, html) => {
    const answer = (value: unknown) => (value instanceof Error ? Promise.reject(value) : value);
    const contents = [[json, html] as const, [facts, '<p>Since 1954.</p>'] as const];
    let visit = 0;
    const shell = mountLeads({
      search: { owners },
      calls: {
        dealerDiff: () => answer(contents[visit]?.[0]),
        dealerDiffHtml: () => answer(contents[visit]?.[1]),
      },
    });
    requestDifference(shell);
    await waitForContent();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    visit = 1;
    requestDifference(shell);
    expect(await within(await dialog('Why Lakeside Ford')).findByText('Since 1954.')).toBeVisible();
  });
});

describe('electric-vehicles dialog', () => {
  // rows: B2-MODAL-10
  it('explains the four electric vehicle types and is replaced by the next dialog', async () => {
    const shell = mountLeads();
    shell.send('dialog.requested', { name: 'electricVehicles' });
    const openedDialog = await dialog('Electric vehicle types');
    for (const kind of ['BEV', 'PHEV', 'HEV', 'FCEV'])
      expect(await within(openedDialog).findByText(kind)).toBeVisible();
    const definitions = within(openedDialog).getAllByRole('definition');
    expect(definitions.filter(({ textContent }) => textContent !== '')).toHaveLength(3 * 4);
    // Text only, so the dialog itself must be focusable to be scrolled by keyboard.
    expect(within(openedDialog).getByRole('group', { name: 'Electric vehicle types' })).toHaveAttribute(
      'tabindex',
      '0',
    );
    shell.send('listing.shareRequested', { listingId: '1001' });
    await dialog('Share this vehicle');
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

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
