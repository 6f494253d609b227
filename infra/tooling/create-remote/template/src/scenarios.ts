import { buildState } from '@forecourt/search/testing';
import { defineScenarios } from '@forecourt/slots/testing';
import slot from './slots/sample-panel.tsx';

/** The states of this remote that are worth looking at. */
export default defineScenarios([
  { name: 'results', module: slot, state: buildState({ totalResultCount: 1_234 }) },
  { name: 'one-result', module: slot, state: buildState({ totalResultCount: 1 }) },
  { name: 'no-results', module: slot, state: buildState({ totalResultCount: 0, listings: [] }) },
  { name: 'loading', module: slot, state: buildState({ totalResultCount: 1_234, status: 'loading' }) },
]);
