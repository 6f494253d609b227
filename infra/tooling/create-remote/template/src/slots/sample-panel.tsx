import { defineSlot } from '@forecourt/shared-contracts/slots';
import { SamplePanel } from '../SamplePanel.tsx';

/** The build exposes each file in this folder as a slot of the same name. */
export default defineSlot({
  // The parts of the store that the view reads; the server passes only these.
  needs: ['search.totalResultCount', 'search.status'],
  view: SamplePanel,
});
