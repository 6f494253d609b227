import { BRAND_CODES, BRANDS, FLAGS, type BrandCode } from '@forecourt/search/brands';
import { json, list, origin, readEnvironment } from '@forecourt/service-kit/configuration';
import { z } from 'zod';
import { contradictionsOf, engineKeys, path } from '../engine/config.ts';
import { PAGE_LAYOUTS } from './layouts.ts';
import type { FlagSetting } from './visitor/flags.ts';

/** From the Firebase console, with the public key of the web push certificate. */
const firebaseWebApp = json.pipe(
  z.object({
    apiKey: z.string().min(1),
    appId: z.string().min(1),
    projectId: z.string().min(1),
    vapidKey: z.string().regex(/^[\w-]{87}$/, 'must be a public key in base64url'),
  }),
);

const flagSettings = list.transform((pairs, context) =>
  pairs.map((pair): FlagSetting => {
    const [, brand, name = '', value] = /^(?:(\w+):)?(\w+)=(true|false)$/.exec(pair) ?? [];
    const isBrand = brand === undefined || Object.hasOwn(BRANDS, brand);
    if (value === undefined || !isBrand || !Object.hasOwn(FLAGS, name)) {
      context.addIssue({ code: 'custom', message: `'${pair}' sets no flag` });
      return z.NEVER;
    }
    return {
      name: name as keyof typeof FLAGS,
      value: value === 'true',
      brand: brand as BrandCode | undefined,
    };
  }),
);

/** All keys of the shell's environment; its README has a table of them. */
const configSchema = z.object({
  ...engineKeys(PAGE_LAYOUTS),
  /** Path below which the upstream keeps the wallet's deals. */
  WALLET_BASE: z
    .string()
    .regex(/^\/([\w.~-]+\/)*$/, 'must be a path that starts and ends with a slash')
    .default('/'),
  /** Version of the upstream's relevance formula, e.g. 'relevance-v4'; default: the page's own. */
  RELEVANCE_VERSION: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a version such as relevance-v4')
    .optional(),
  BRAND: z.enum(BRAND_CODES).default('atc'),
  /** 'valuation.example=kbb,maker.example=oem' */
  BRAND_HOSTS: list
    .transform((pairs) =>
      Object.fromEntries(
        pairs.map((pair) => {
          const [host = '', brand = ''] = pair.split('=', 2);
          return [host.toLowerCase(), brand];
        }),
      ),
    )
    .pipe(z.record(z.string(), z.enum(BRAND_CODES))),
  SIGN_IN_PATH: z.string().startsWith('/').default('/account/sign-in'),
  /** Identifier of the OpenID Connect issuer, exactly as the issuer spells it. */
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:4200')
    .transform((url) => url.replace(/\/$/, '')),
  OIDC_CLIENT_ID: z.string().min(1).default('forecourt-shell'),
  /** Without a secret the shell authenticates to the issuer by PKCE only. */
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** 'compare=false,oem:fluidAds=true': overrides flag defaults, for all brands or one. */
  FLAGS: flagSettings,
  /** Path of an ES module whose default export is an OpenFeature provider; replaces FLAGS. */
  FLAG_PROVIDER: path.optional(),
  /** Firebase app for notifications; the default is Web Push without third parties. */
  FIREBASE_WEB_APP: firebaseWebApp.optional(),
  MARKETPLACE_API_URL: origin.default('http://localhost:4000'),
});
export type Config = z.infer<typeof configSchema>;

/**
 * Parses the environment; empty values count as unset. `extensionKeys` are the
 * keys of the attached extensions. Throws one line that names every invalid key.
 */
export function readConfig<K extends z.ZodRawShape = Record<never, never>>(
  environment: NodeJS.ProcessEnv,
  extensionKeys?: K,
): Config & z.infer<z.ZodObject<K>> {
  const schema = configSchema.extend(extensionKeys ?? {}).superRefine((config, context) => {
    for (const [key, message] of contradictionsOf(config as unknown as Config))
      context.addIssue({ code: 'custom', path: [key], message });
  });
  return readEnvironment(schema, environment) as Config & z.infer<z.ZodObject<K>>;
}
