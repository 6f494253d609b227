import { FLAGS } from '@forecourt/search/brands';
import { marketplaceState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import type { SlotModule } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';

/** Renders a slot as the server does, with all flags on; fails if it makes a call. */
export const renderOnServer = (module: SlotModule, slot: string, state = buildState({}, { flags: FLAGS })) =>
  renderSlot(marketplaceState, module, {
    slot,
    state,
    call: () => Promise.reject(new Error('no calls during rendering')),
    signal: new AbortController().signal,
  });

/** The submit buttons of server HTML, as text. */
export const submitButtons = (html: string) => html.match(/<button[^>]* type="submit"[^>]*>/g);
