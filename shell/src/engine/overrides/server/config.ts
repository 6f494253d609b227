import { hkdfSync } from 'node:crypto';
import { MIN_OVERRIDE_KEY } from '@forecourt/releases/override';
import { z } from 'zod';
import { list } from '@forecourt/service-kit/configuration';
import { readOrigin } from './overrideTokens.ts';

const overrideOrigins = list.transform((parts, context) =>
  parts.map((part) => {
    const origin = readOrigin(part);
    if (origin !== undefined) return origin;
    const message = `'${part}' is not an origin like https://builds.example or http://localhost:5001`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }),
);

/** The extension's keys of the environment. */
export const TESTER_KEYS = {
  OVERRIDE_KEY: z
    .string()
    .min(MIN_OVERRIDE_KEY, `must have ${MIN_OVERRIDE_KEY} characters or more`)
    .optional()
    .describe(
      `signs [release overrides](../infra/docs/overrides.md) for testers, at least ${MIN_OVERRIDE_KEY} characters; without it, overrides are off outside local mode`,
    ),
  OVERRIDE_ORIGINS: overrideOrigins.meta({
    description:
      'origins that may serve a local build, for browsers and in local mode for the server, too: `https://builds.example,…`',
    default: 'none; `http://localhost:5001` in local mode',
  }),
};
export type TesterConfig = z.infer<z.ZodObject<typeof TESTER_KEYS>>;

/** Allowed in local mode without configuration: the address of `npx forecourt dev`. */
const DEFAULT_BUILD_ORIGIN = 'http://localhost:5001';

/** In local mode the key is derived from the session secret; otherwise it must be configured. */
export function overrideKey(
  { OVERRIDE_KEY, LOCAL_MODE }: Pick<TesterConfig, 'OVERRIDE_KEY'> & { readonly LOCAL_MODE: boolean },
  sessionSecret: string,
): string | Uint8Array | undefined {
  if (OVERRIDE_KEY !== undefined) return OVERRIDE_KEY;
  return LOCAL_MODE
    ? new Uint8Array(hkdfSync('sha256', sessionSecret, '', 'release overrides', 32))
    : undefined;
}

export const buildOrigins = ({
  OVERRIDE_ORIGINS,
  LOCAL_MODE,
}: Pick<TesterConfig, 'OVERRIDE_ORIGINS'> & { readonly LOCAL_MODE: boolean }): readonly string[] =>
  OVERRIDE_ORIGINS.length > 0 || !LOCAL_MODE ? OVERRIDE_ORIGINS : [DEFAULT_BUILD_ORIGIN];
