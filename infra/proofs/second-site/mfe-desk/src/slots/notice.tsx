import { defineSlot } from '@forecourt/slots';

/** An advertisement, whose code the layout keeps in a frame. */
export default defineSlot({ reads: [], view: () => <p>Reading glasses, 20 % off this week.</p> });
