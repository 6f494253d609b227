import { act } from '@testing-library/react';
import { type RootState, type SessionState, marketplaceState } from '@forecourt/search/state';
import { buildState, createTestEnvironment, mountInTestShell } from '@forecourt/search/testing';
import type { PageHead, SlotModule } from '@forecourt/slots';
import { renderSlot } from '@forecourt/slots/server';
import type { TestCalls } from '@forecourt/slots/testing';

export interface MainSlotRequest {
  readonly page: Partial<RootState['page']>;
  readonly session?: Partial<SessionState>;
  readonly calls: TestCalls;
}

export interface RenderedMainSlot {
  readonly html: string;
  readonly outcome: NonNullable<ReturnType<NonNullable<SlotModule['page']>>> | undefined;
  readonly structuredData: object | undefined;
  /** Mounts the slot in the browser with the data that the server loaded. */
  readonly mount: () => ReturnType<typeof mountInTestShell>;
}

/** Loads and renders the main slot of a page on the server. */
export async function renderMainSlot(
  module: SlotModule,
  { page, session = {}, calls }: MainSlotRequest,
): Promise<RenderedMainSlot> {
  const state = buildState({ listings: [] }, session, page);
  const { store, environment } = createTestEnvironment(module, { state, calls });
  const serverSlot = await renderSlot(marketplaceState, module, {
    slot: 'test',
    state: store.getState() as RootState,
    call: environment.call,
    signal: new AbortController().signal,
  });
  return {
    html: serverSlot.html,
    outcome: serverSlot.page,
    structuredData: serverSlot.structuredData,
    mount: () => {
      let shell: ReturnType<typeof mountInTestShell> | undefined;
      act(() => {
        shell = mountInTestShell(module, { state, calls, data: serverSlot.data });
      });
      if (!shell) throw new Error('the slot was not mounted');
      return shell;
    },
  };
}

/** The head of a page that doesn't redirect. */
export function headOf({ outcome }: RenderedMainSlot): PageHead {
  if (!outcome || 'redirect' in outcome) throw new Error('the page has no head');
  return outcome;
}

/** A call that fails like the gateway's calls. */
export const failingCall = (code: 'REFUSED' | 'UNREACHABLE' | 'TIMED_OUT') => () => {
  throw Object.assign(new Error('test'), { code });
};
