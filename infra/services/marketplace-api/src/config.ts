import { resolve } from 'node:path';
import { SMTP_TLS } from '@forecourt/service-kit/mail';
import { isPrivateOrigin } from '@forecourt/service-kit/egress';
import { isPrivateConnection } from '@forecourt/service-kit/sql';
import { bucketKeys, logLevel, origin, readEnvironment } from '@forecourt/service-kit/configuration';
import { tracingKeys } from '@forecourt/service-kit/tracing';
import { z } from 'zod';
import { DEMO_DATA_MODULE } from './demoData.ts';
import { serviceAccountSchema } from './community/index.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

const wholeNumber = z.coerce.number().int().nonnegative();

/** Writes per minute and caller. */
const WRITE_LIMITS = { local: 1200, hosted: 60 };

/** Every configuration key; documented in the README. */
const configSchema = z
  .object({
    HOST: z.string().min(1).default('127.0.0.1'),
    MARKETPLACE_API_PORT: wholeNumber.max(65_535).default(4000),
    /** Relative paths start at the repository. */
    DATA_DIR: z
      .string()
      .min(1)
      .default('.data')
      .transform((path) => resolve(REPOSITORY, path)),
    /** PostgreSQL instead of files in DATA_DIR for what people enter and do: replicas share it. */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** Connections to PostgreSQL per process and schema. */
    DATABASE_CONNECTIONS: wholeNumber.min(1).default(10),
    /** An OpenSearch cluster that searches instead of the index in memory. */
    SEARCH_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** First part of the names of its indexes; an inventory's id follows. */
    SEARCH_INDEX: z
      .string()
      .regex(/^[a-z][a-z0-9_-]{0,60}$/)
      .default('listings'),
    /** ms of one request of a search. */
    SEARCH_TIMEOUT_MS: wholeNumber.min(100).max(60_000).default(3_000),
    /**
     * Module with the demo data: catalog, generated inventory, drawings, research, ads. With `false` there is none, and the
     * stock is what feeds import.
     */
    DEMO_DATA: z
      .string()
      .min(1)
      .default(DEMO_DATA_MODULE)
      .transform((name) => (name === 'false' ? undefined : name === 'true' ? DEMO_DATA_MODULE : name)),
    INVENTORY_SIZE: wholeNumber.max(5_000_000).default(100_000),
    INVENTORY_SEED: wholeNumber.max(2 ** 32 - 1).default(2026),
    LOG_LEVEL: logLevel,
    /** Enables fault injection, the outbox and the lists of leads and reports. `npm start` sets it; never set it on a public host. */
    LOCAL_MODE: z.stringbool().default(false),
    /** Issuer of id tokens, and their audience. */
    OIDC_ISSUER: origin.default('http://localhost:4200'),
    OIDC_CLIENT_ID: z.string().min(1).default('forecourt-shell'),
    /** Public origins of the site, this service and the valuation site; emails link to them. */
    SITE_URL: origin.default('http://localhost:3000'),
    PUBLIC_API_URL: origin.optional(),
    VALUATION_BASE: origin.optional(),
    /** smtp:// or smtps://; without it emails stay in the local outbox. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** Default: `required` outside local mode. */
    SMTP_TLS: z.enum(SMTP_TLS).optional(),
    MAIL_FROM: z.string().min(3).default('Forecourt <no-reply@forecourt.example>'),
    /** One mailbox for all leads, instead of the sellers'. */
    LEAD_RECIPIENT: z.email().optional(),
    REPORTS_TO: z.email().default('reports@forecourt.example'),
    /** Minutes between two emails about one search. */
    ALERT_INTERVAL_MINUTES: z.coerce.number().positive().default(1440),
    /** Contact for the operators of push services. */
    PUSH_CONTACT: z
      .string()
      .regex(/^(mailto:|https:)/, 'must be a mailto or https address')
      .default('mailto:push@forecourt.example'),
    /** Key file of a Firebase service account, as JSON; lets browsers register through Firebase. */
    FIREBASE_SERVICE_ACCOUNT: z
      .string()
      .transform((text, context) => {
        try {
          return JSON.parse(text) as unknown;
        } catch {
          context.addIssue({ code: 'custom', message: 'must be JSON' });
          return z.NEVER;
        }
      })
      .pipe(serviceAccountSchema)
      .optional(),
    /** Origins of image servers in the operator's own network, separated by commas; all others are public hosts of a feed's mapping. */
    INTERNAL_PHOTO_ORIGINS: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(origin))
      .default([]),
    /** Processes that encode photos, each with one thread and up to 400 MB. */
    PHOTO_ENCODERS: wholeNumber.min(1).max(6).default(1),
    /** Storage of photos: `DATA_DIR/photos`, or a bucket. */
    PHOTO_STORAGE: z.enum(['file', 's3']).default('file'),
    ...bucketKeys('photos/'),
    /** Feeds that are imported on a schedule, as JSON. Relative paths start at the repository. */
    FEEDS_FILE: z
      .string()
      .min(1)
      .transform((path) => resolve(REPOSITORY, path))
      .optional(),
    /** What browsers ask operators for on the pages about imports; without it, these are there in local mode only. */
    OPERATOR_PASSWORD: z.string().min(16, 'must have 16 characters or more').optional(),
    /** Writes per minute and caller. */
    WRITE_LIMIT: wholeNumber.positive().optional(),
    ...tracingKeys,
  })
  .refine(
    ({ LOCAL_MODE, DATABASE_URL: url }) => LOCAL_MODE || url === undefined || isPrivateConnection(url),
    {
      path: ['DATABASE_URL'],
      message: 'must have sslmode=verify-full unless the server is on this machine',
    },
  )
  .refine(({ LOCAL_MODE, SEARCH_URL: url }) => LOCAL_MODE || url === undefined || isPrivateOrigin(url), {
    path: ['SEARCH_URL'],
    message: 'must be https unless the server is on this machine',
  })
  .refine((config) => config.PHOTO_STORAGE !== 's3' || config.S3_BUCKET !== undefined, {
    path: ['S3_BUCKET'],
    message: 'is required for PHOTO_STORAGE=s3',
  })
  .refine(({ LOCAL_MODE, S3_ENDPOINT: url }) => LOCAL_MODE || url === undefined || isPrivateOrigin(url), {
    path: ['S3_ENDPOINT'],
    message: 'must be https unless the server is on this machine',
  })
  .transform((config) => {
    const ownUrl = config.PUBLIC_API_URL ?? `http://localhost:${config.MARKETPLACE_API_PORT}`;
    return {
      ...config,
      PUBLIC_API_URL: ownUrl,
      VALUATION_BASE: config.VALUATION_BASE ?? ownUrl,
      SMTP_TLS: config.SMTP_TLS ?? (config.LOCAL_MODE ? 'opportunistic' : 'required'),
      WRITE_LIMIT: config.WRITE_LIMIT ?? WRITE_LIMITS[config.LOCAL_MODE ? 'local' : 'hosted'],
    };
  });
export type Config = z.infer<typeof configSchema>;

/** @throws Error of one line that names every invalid key */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config =>
  readEnvironment(configSchema, environment);

/** Inventory: owners and listings. */
export const databasePath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string =>
  resolve(DATA_DIR, 'marketplace.sqlite');

/** User data: bookmarks, alerts, leads, emails. */
export const peoplePath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string =>
  resolve(DATA_DIR, 'people.sqlite');

/** Views of visitors. */
export const activityPath = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string =>
  resolve(DATA_DIR, 'activity.sqlite');

/** Encoded photos of listings. */
export const photoFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => resolve(DATA_DIR, 'photos');

/** Dealers' own HTML, one file per contentId. */
export const dealerDiffFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string =>
  resolve(DATA_DIR, 'content', 'dealer_diff');
