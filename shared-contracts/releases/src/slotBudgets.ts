/** What a slot may do in a browser. */
export const SLOT_BUDGETS = {
  eventsPerSecond: 200,
  /**
   * Events since the visitor's last input, e.g. from effects: a loop exceeds this within seconds. Below the 50 nested updates at
   * which React throws, out of the code that delivers an event.
   */
  unpromptedEventsPerMinute: 40,
  callsPerMinute: 300,
} as const;

/** Elements of one slot in a browser. */
export const MAX_SLOT_ELEMENTS = 50_000;
