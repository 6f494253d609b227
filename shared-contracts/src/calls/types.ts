import type { z } from 'zod';
import type { CALLS } from './table.ts';

export type CallName = keyof typeof CALLS;
/** What each call answers; calls with an error fallback may answer `{error}` instead. */
export type CallResponses = { [N in CallName]: z.output<(typeof CALLS)[N]['response']> };
/** Path and query parameters; lists are comma-separated. */
export type CallParams = Readonly<Record<string, string>>;
