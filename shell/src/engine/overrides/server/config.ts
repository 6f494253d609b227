import { hkdfSync } from 'node:crypto';
import { MIN_OVERRIDE_KEY } from '@forecourt/releases/override';
import { z } from 'zod';
import { list } from '@forecourt/service-kit/configuration';
import { flag } from '../../config.ts';
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
  /** Signs release overrides; without it they are available in local mode only. */
  OVERRIDE_KEY: z
    .string()
    .min(MIN_OVERRIDE_KEY, `must have ${MIN_OVERRIDE_KEY} characters or more`)
    .optional(),
  /** 'http://localhost:5001,https://builds.example': where local builds may be served from. */
  OVERRIDE_ORIGINS: overrideOrigins,
  /** Whether the server may run code from those origins; always in local mode. */
  OVERRIDE_SSR: flag,
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
