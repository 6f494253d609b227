import { config } from 'zod/mini';

// Schemas probe for `eval` when they are made, which the page's Content Security
// Policy reports as a violation. So this module is imported before any schema.
config({ jitless: true });
