import { createSlotTesting, type SlotTesting } from '@forecourt/slots/testing';
import { EVENT_SCHEMAS } from '../events/eventSchemas.ts';
import { marketplaceState } from '../state/marketplaceState.ts';
import { buildState } from './builders.ts';

export { buildListing, buildOwner } from '@forecourt/upstream/testing';
export { buildChip, buildState, testReference } from './builders.ts';

const testing = createSlotTesting({
  state: marketplaceState,
  events: EVENT_SCHEMAS,
  defaultState: () => buildState(),
});

/** Runs a slot without a shell, with the state and the events of the marketplace. */
export const createTestEnvironment: SlotTesting['createTestEnvironment'] = testing.createTestEnvironment;
/** Mounts one slot alone for a test. Throws when the view reads a part of the state that is not in `reads`. */
export const mountInTestShell: SlotTesting['mountInTestShell'] = testing.mountInTestShell;
/**
 * Renders a scenario like the shell: on the server, then hydrated in the browser. Throws on a hydration mismatch or when
 * the view throws.
 */
export const mountScenario: SlotTesting['mountScenario'] = testing.mountScenario;
