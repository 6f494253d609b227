import { defineSlot } from '@forecourt/slots';

/** The page places it in this remote; here it shows nothing. */
export default defineSlot({ reads: [], view: () => null });
