import { defineSlot } from '@forecourt/shared-contracts/slots';
import { SamplePanel } from '../SamplePanel.tsx';

/** The build exposes each file of this folder as the slot of its name. */
export default defineSlot({
  // What the view reads: the server hands it these parts of the store and nothing else.
  needs: ['search.totalResultCount', 'search.status'],
  view: SamplePanel,
});
