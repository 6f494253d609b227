/** Message of a caught value, which may be anything. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
