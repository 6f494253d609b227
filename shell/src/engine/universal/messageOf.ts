/** Message of a caught value, which may be anything. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Frames of a caught value without its message; undefined if it has none. */
export const stackOf = (error: unknown): string | undefined =>
  error instanceof Error
    ? error.stack
        ?.split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n')
    : undefined;
