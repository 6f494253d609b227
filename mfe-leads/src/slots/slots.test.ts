import { describe, expect, it } from '@jest/globals';
import { FLAGS } from '@forecourt/shared-contracts/brands';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import { renderSlot } from '@forecourt/shared-contracts/slots/server';
import { buildOwner, buildState } from '@forecourt/shared-contracts/testing';
import emailCapture from './email-capture.tsx';
import leadWidget from './lead-widget.tsx';
import leads from './leads.tsx';
import savedSearches from './saved-searches.tsx';

const state = buildState({}, { flags: FLAGS });
const render = (module: SlotModule, slot: string, slotState = state) =>
  renderSlot(module, {
    slot,
    state: slotState,
    call: () => Promise.reject(new Error('no calls during rendering')),
    signal: new AbortController().signal,
  });

describe('server rendering', () => {
  it.each([
    ['leads', leads],
    ['email-capture', emailCapture],
    ['lead-widget', leadWidget],
  ] as const)('renders %s on the server', async (slot, module) => {
    await expect(render(module, slot)).resolves.toMatchObject({ html: expect.any(String) });
  });

  it.each([
    ['late', () => new Promise<never>(() => {}), true],
    ['not available', () => Promise.reject(new Error('TIMED_OUT')), undefined],
  ])('renders saved searches without email alerts that are %s', async (_, emailAlerts, isPartial) => {
    const rendered = await renderSlot(savedSearches, {
      slot: 'saved-searches',
      state: { ...state, page: { kind: 'saved-searches', url: '/account/saved-searches', referrer: null } },
      call: (name) =>
        name === 'emailAlerts' ? emailAlerts() : (Promise.resolve({ myAtcSearchViewBeans: [] }) as never),
      signal: new AbortController().signal,
    });
    expect(rendered).toMatchObject({ page: { status: 200 }, data: { searches: [], alerts: [] } });
    expect(rendered.isPartial).toBe(isPartial);
  });

  // rows: B2-BOTTOM-08
  it('renders the lead widget with its fields, and nothing without a dealer or with its flag off', async () => {
    const { html } = await render(leadWidget, 'lead-widget');
    expect(html).toContain('Get help from a nearby dealer');
    for (const name of ['firstName', 'fromEmailAddress', 'phoneNumber', 'zip'])
      expect(html).toContain(`name="${name}"`);
    const isPrivate = buildState({ owners: { d1: buildOwner({ privateSeller: true }) } }, { flags: FLAGS });
    expect((await render(leadWidget, 'lead-widget', isPrivate)).html).toBe('');
    const off = buildState({}, { flags: { ...FLAGS, leadWidget: false } });
    expect((await render(leadWidget, 'lead-widget', off)).html).toBe('');
  });

  it('disables submit buttons until hydration, so that no input ends up in the URL', async () => {
    for (const [slot, module] of [
      ['lead-widget', leadWidget],
      ['email-capture', emailCapture],
    ] as const) {
      const { html } = await render(module, slot);
      expect(html.match(/<button[^>]* type="submit"[^>]*>/g)).toEqual([
        expect.stringContaining(' disabled=""'),
      ]);
    }
  });
});
