import { object, oneOf, optional, text as textOf, wholeNumber } from './schema.ts';

const text = textOf(0, 2000);

/** Events that every site has: what shared components and the shell itself tell each other. */
export const SLOT_EVENTS = {
  /** Fact: text for the page's polite live region, e.g. a changed count. */
  'page.announced': object({ message: text }),
  /** Fact: a toast is shown; other slots hide theirs, so that there is at most one. */
  'toast.shown': object({ id: text }),
  /** Fact: `by` covers this many px of the viewport's bottom edge; 0 = none. */
  'page.bottomCovered': object({ by: text, height: wholeNumber(0, Number.MAX_SAFE_INTEGER) }),
  /** Fact: an error that the visitor need not see; it is only logged. */
  'problem.reported': object({ code: text, message: text }),
  /** Fact: a slot could not render, or keeps its server HTML. */
  'slot.failed': object({
    slot: text,
    /** `evaluate`: its files came, and their code failed. `run`: its code threw later. `budget`: it did more than a slot may. */
    phase: oneOf(['load', 'evaluate', 'hydrate', 'render', 'run', 'budget']),
    message: text,
    /** 'mfe-results@1.4.0'; missing for the shell. */
    release: optional(text),
  }),
} as const;
