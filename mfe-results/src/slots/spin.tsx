import { defineSlot } from '@forecourt/shared-contracts/slots';
import { SpinHost } from '../spin/SpinHost.tsx';
import '../spin/SpinDialog.later.module.css';

/** The 360 view of a vehicle, wherever a page offers one (A3-LISTING-08). */
export default defineSlot({ needs: [], view: SpinHost });
