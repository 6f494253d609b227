import { FLAGS } from '@forecourt/shared-contracts/brands';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import { renderSlot } from '@forecourt/shared-contracts/slots/server';
import { buildState } from '@forecourt/shared-contracts/testing';

/** Renders a slot as the server does, with all flags on; fails if it makes a call. */
export const renderOnServer = (module: SlotModule, slot: string, state = buildState({}, { flags: FLAGS })) =>
  renderSlot(module, {
    slot,
    state,
    call: () => Promise.reject(new Error('no calls during rendering')),
    signal: new AbortController().signal,
  });

/** The submit buttons of server HTML, as text. */
export const submitButtons = (html: string) => html.match(/<button[^>]* type="submit"[^>]*>/g);
