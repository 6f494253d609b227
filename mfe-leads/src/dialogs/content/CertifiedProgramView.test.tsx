/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { dialog, mountLeads, refusal } from '../../testing/mountLeads.tsx';

const program = {
  makeCode: 'FORD',
  productId: 'FORD_CERTIFIED',
  linkText: 'About Ford Certified',
  cpoTile: '/tile.svg',
  makeLabel: 'Ford',
  heading: 'Ford Certified',
  content: [{ tag: 'p', children: ['Inspected in ', { tag: 'b', children: ['172'] }, ' points.'] }],
};

const sponsor = {
  productId: 'FORD_CERTIFIED',
  heading: 'Who stands for it',
  content: [{ tag: 'p', children: ['Ford itself.'] }],
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
