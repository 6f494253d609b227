import { BRAND_CODES, BRANDS, FLAGS, type BrandCode } from '@forecourt/search/brands';
import { json, list, origin } from '@forecourt/service-kit/configuration';
import { issuerUrl } from '@forecourt/service-kit/issuerUrl';
import { z } from 'zod';
import { engineKeys, path, readEngineConfig } from '../engine/config.ts';
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

/** 'kbb': the brand of every host; 'valuation.example=kbb': of one. */
const brands = list
  .transform((parts, context) => {
    const hosts: Record<string, string> = {};
    let byDefault: string = BRAND_CODES[0];
    for (const part of parts) {
      const [host = '', brand] = part.split('=', 2);
      if (!BRAND_CODES.some((code) => code === (brand ?? host))) {
        const message = `must be brands (${BRAND_CODES.join(', ')}) or host=brand, found '${part}'`;
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      if (brand === undefined) byDefault = host;
      else hosts[host.toLowerCase()] = brand;
    }
    return { byDefault, hosts };
  })
  .pipe(z.object({ byDefault: z.enum(BRAND_CODES), hosts: z.record(z.string(), z.enum(BRAND_CODES)) }));

const MODULE = 'file:';

/** Flags: the path of a provider's module, or settings. */
const flags = z
  .string()
  .default('')
  .transform((text): unknown =>
    text.startsWith(MODULE) ? { provider: text.slice(MODULE.length) } : { settings: text },
  )
  .pipe(z.object({ provider: path.optional(), settings: flagSettings }));

/** All keys of the site's environment. */
export const configSchema = z.object({
  ...engineKeys(PAGE_LAYOUTS),
  MARKETPLACE_API_URL: origin
    .default('http://localhost:4000')
    .describe('origin of the upstream; any server with the same API works'),
  WALLET_BASE: z
    .string()
    .regex(/^\/([\w.~-]+\/)*$/, 'must be a path that starts and ends with a slash')
    .default('/')
    .describe("path below which the upstream keeps the wallet's deals, e.g. `/garage/`"),
  RELEVANCE_VERSION: z
    .string()
    .regex(/^[\w.-]+$/, 'must be a version such as relevance-v4')
    .optional()
    .meta({
      description: "version of the upstream's relevance formula, sent with the sort Relevance",
      default: "`relevance-v3`, or the page's own",
    }),
  BRAND: brands.meta({
    description:
      'brand (`atc`, `kbb` or `oem`), and that of hosts: `atc,valuation.example=kbb,maker.example=oem`',
    default: '`atc`',
  }),
  SIGN_IN_PATH: z.string().startsWith('/').default('/account/sign-in').describe('path of the sign-in page'),
  OIDC_ISSUER: issuerUrl
    .default('http://localhost:4200')
    .describe(
      'identifier of the OpenID Connect issuer, exactly as the issuer spells it; any OpenID provider can replace the identity service',
    ),
  OIDC_CLIENT_ID: z.string().min(1).default('forecourt-shell').describe('client id of the shell'),
  OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .describe(
      'its secret, at least 32 characters, which identity requires outside local mode; without it, PKCE alone authenticates the shell',
    ),
  FLAGS: flags.meta({
    description:
      'feature flags, for all brands or one: `compare=false,oem:fluidAds=true`; or `file:PATH` of an ES module that exports an [OpenFeature](https://openfeature.dev) provider as default',
    default: '',
  }),
  FIREBASE_WEB_APP: firebaseWebApp.optional().meta({
    description:
      'JSON `{apiKey, appId, projectId, vapidKey}`: notifications through Firebase (the API then needs `FIREBASE_SERVICE_ACCOUNT`)',
    default: 'Web Push, without third parties',
  }),
});
export type Config = z.infer<typeof configSchema>;

/** The environment of the site alone, without extensions. @throws Error of one line that names every invalid key */
export const readConfig = (environment: NodeJS.ProcessEnv): Config =>
  readEngineConfig(configSchema, environment);
