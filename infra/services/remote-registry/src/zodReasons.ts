import type { z } from 'zod';

/** What did not fit, in one line: `path: message; path: message`. */
export const zodReasons = (error: z.ZodError): string =>
  error.issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ');
