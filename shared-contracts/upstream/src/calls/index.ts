import type { z } from 'zod';
import { ACCOUNT_CALLS } from './account.ts';
import { CONTACT_CALLS, VISITOR_CALLS } from './visitor.ts';
import { CONTENT_CALLS, RESEARCH_CALLS } from './research.ts';
import { LISTINGS_CALLS } from './listings.ts';
import { PAYMENTS_CALLS } from './payments.ts';
import { REFERENCE_CALLS } from './reference.ts';
import type { CallDefinition } from './callDefinition.ts';

export type { CallDefinition } from './callDefinition.ts';

/** All upstream calls of the page: path, limits, fallback and response schema. */
export const CALLS = {
  ...LISTINGS_CALLS,
  ...REFERENCE_CALLS,
  ...ACCOUNT_CALLS,
  ...VISITOR_CALLS,
  ...CONTACT_CALLS,
  ...RESEARCH_CALLS,
  ...CONTENT_CALLS,
  ...PAYMENTS_CALLS,
} as const satisfies Record<string, CallDefinition>;

export type CallName = keyof typeof CALLS;
/** Response of each call; calls with an error fallback may also return `{error}`. */
export type CallResponses = { [N in CallName]: z.output<(typeof CALLS)[N]['response']> };
/** Body of each call that has one, as parsed by its schema. */
export type CallBodies = {
  [N in CallName as (typeof CALLS)[N] extends { body: z.ZodType } ? N : never]: (typeof CALLS)[N] extends {
    body: infer Body extends z.ZodType;
  }
    ? z.output<Body>
    : never;
};
/** Path and query parameters; lists are comma-separated. */
export type CallParams = Readonly<Record<string, string>>;

declare module '@forecourt/slots' {
  interface Register {
    calls: CallResponses;
  }
}
