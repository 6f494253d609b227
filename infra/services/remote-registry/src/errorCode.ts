/** Does a thrown value carry one of these system codes ('ENOENT', …)? */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
