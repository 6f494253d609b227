import { expect, it } from '@jest/globals';
import { FLAGS } from '@forecourt/search/brands';
import { buildOwner, buildState } from '@forecourt/search/testing';
import leadWidget from './lead-widget.tsx';
import { renderOnServer, submitButtons } from '../testing/renderOnServer.ts';

// rows: B2-BOTTOM-08
it('renders the lead widget with its fields, and nothing without a dealer or with its flag off', async () => {
  const { html } = await renderOnServer(leadWidget, 'lead-widget');
  expect(html).toContain('Get help from a nearby dealer');
  for (const name of ['firstName', 'fromEmailAddress', 'phoneNumber', 'zip'])
    expect(html).toContain(`name="${name}"`);
  const isPrivate = buildState({ owners: { d1: buildOwner({ privateSeller: true }) } }, { flags: FLAGS });
  expect((await renderOnServer(leadWidget, 'lead-widget', isPrivate)).html).toBe('');
  const off = buildState({}, { flags: { ...FLAGS, leadWidget: false } });
  expect((await renderOnServer(leadWidget, 'lead-widget', off)).html).toBe('');
});

it('disables the submit button until hydration, so that no input ends up in the URL', async () => {
  const { html } = await renderOnServer(leadWidget, 'lead-widget');
  expect(submitButtons(html)).toEqual([expect.stringContaining(' disabled=""')]);
});
