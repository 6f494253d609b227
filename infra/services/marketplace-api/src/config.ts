import { resolve } from 'node:path';
import { isPrivateOrigin } from '@forecourt/service-kit/egress';
import { issuerUrl } from '@forecourt/service-kit/issuerUrl';
import { isPrivateConnection } from '@forecourt/service-kit/sql';
import {
  bucketUrl,
  databaseUrl,
  json,
  list,
  logLevel,
  origin,
  readEnvironment,
  smtpUrl,
} from '@forecourt/service-kit/configuration';
import { tracingKeys } from '@forecourt/service-kit/tracing';
import { z } from 'zod';
import { DEMO_DATA_MODULE } from './demoData.ts';
import { serviceAccountSchema } from './community/index.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

const wholeNumber = z.coerce.number().int().nonnegative();

/** Writes per minute and caller. */
const WRITE_LIMITS = { local: 1200, hosted: 60 };

/** ms of one request of a search; a developer's machine runs everything at once. */
const SEARCH_MS = { local: 10_000, hosted: 3_000 };

/**
 * All keys of the environment.
 * @public Read by the check of the README's table.
 */
export const configSchema = z
  .object({
    HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on'),
    MARKETPLACE_API_PORT: wholeNumber.max(65_535).default(4000).describe('port; `0` takes a free one'),
    DATA_DIR: z
      .string()
      .min(1)
      .default('.data')
      .transform((path) => resolve(REPOSITORY, path))
      .meta({
        description:
          'folder of `marketplace.sqlite` (inventory), `people.sqlite`, `activity.sqlite`, `photos/` and `content/dealer_diff/*.html`; relative to the repository. With `DATABASE_URL` and `BUCKET` nothing is written there',
        default: '`.data`',
      }),
    DATABASE_URL: databaseUrl
      .optional()
      .describe(
        '`postgres://…`: everything that is in SQLite files otherwise, for any number of replicas ([how](../../docs/scaling.md#marketplace-api-on-postgresql)), with `?connections=10` per process and schema',
      ),
    SEARCH_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        '`https://…/listings`: an OpenSearch cluster that searches instead of the index in memory ([how](../../docs/scaling.md#searching-in-opensearch)); its path is the first part of the names of indexes, by default `listings`, and `?shards=4` their number of shards, by default 1',
      ),
    DEMO_DATA: z
      .string()
      .min(1)
      .default(DEMO_DATA_MODULE)
      .transform((name) => (name === 'false' ? undefined : name === 'true' ? DEMO_DATA_MODULE : name))
      .describe(
        'module with the [demo data](../../demo-data): catalog, generated inventory, drawings, research, ads; with `false` there is none, and the stock is what feeds import',
      ),
    INVENTORY_SIZE: wholeNumber.max(5_000_000).default(100_000).describe('listings that `seed` generates'),
    LOG_LEVEL: logLevel.describe("pino's levels, or `silent`"),
    LOCAL_MODE: z
      .stringbool()
      .default(false)
      .describe(
        'fault injection, outbox, lists of leads and reports, high write limits; `npm start` sets it, never set it on a public host',
      ),
    OIDC_ISSUER: issuerUrl
      .default('http://localhost:4200')
      .describe('identifier of the issuer of id tokens, exactly as the issuer spells it'),
    OIDC_CLIENT_ID: z.string().min(1).default('forecourt-shell').describe('their audience'),
    SITE_URL: origin.default('http://localhost:3000').describe('origin of the site, for links in emails'),
    PUBLIC_API_URL: origin
      .optional()
      .meta({ description: 'public origin of this service', default: '`http://localhost:` and the port' }),
    SMTP_URL: smtpUrl
      .optional()
      .describe(
        '`smtp://user:password@host:587` or `smtps://…`; without it emails stay in the local outbox. They leave over TLS or not at all, unless `?requireTLS=false` says otherwise, or local mode',
      ),
    MAIL_FROM: z
      .string()
      .min(3)
      .default('Forecourt <no-reply@forecourt.example>')
      .describe('sender of emails; its address is the contact for push services, too'),
    LEAD_RECIPIENT: z
      .email()
      .optional()
      .meta({ description: 'one mailbox for all leads', default: "`leads@` the dealer's own domain" }),
    REPORTS_TO: z.email().default('reports@forecourt.example').describe('mailbox for reported listings'),
    FIREBASE_SERVICE_ACCOUNT: json
      .pipe(serviceAccountSchema)
      .optional()
      .describe(
        "JSON key file of a Firebase service account, to reach browsers through Firebase; goes with the shell's `FIREBASE_WEB_APP`",
      ),
    INTERNAL_PHOTO_ORIGINS: list.pipe(z.array(origin)).meta({
      description:
        "origins of image servers in the operator's own network, separated by commas ([photos](../../docs/feeds.md#photos))",
      default: 'none',
    }),
    PHOTO_ENCODERS: wholeNumber
      .min(1)
      .max(6)
      .default(1)
      .describe('processes that encode photos, each on one core and with up to 400 MB'),
    BUCKET: bucketUrl('photos/').optional().meta({
      description:
        '`s3://bucket/photos/?region=…&endpoint=…&pathStyle=true`: [photos and dealers’ pages in a bucket](../../docs/operations.md#photos-and-dealers-pages-in-a-bucket) of Amazon, or of the server at `endpoint`; it must exist',
      default: '`DATA_DIR/photos` and `DATA_DIR/content`',
    }),
    FEEDS_FILE: z
      .string()
      .min(1)
      .transform((path) => resolve(REPOSITORY, path))
      .optional()
      .describe(
        'feeds that are imported on a schedule, as JSON ([how](../../docs/feeds.md#scheduled-feeds))',
      ),
    OPERATOR_PASSWORD: z
      .string()
      .min(16, 'must have 16 characters or more')
      .optional()
      .describe(
        '16 characters or more: password of the [pages about imports](../../docs/feeds.md#scheduled-feeds), `/operators/imports`; without it they are there in local mode only',
      ),
    WRITE_LIMIT: wholeNumber
      .positive()
      .optional()
      .meta({ description: 'writes per minute and caller', default: '60; 1200 in local mode' }),
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
  .refine(
    ({ SEARCH_URL: url }) =>
      url === undefined || /^[1-9]\d{0,2}$/.test(new URL(url).searchParams.get('shards') ?? '1'),
    { path: ['SEARCH_URL'], message: 'must have a number of shards from 1 to 999' },
  )
  .refine(
    ({ LOCAL_MODE, BUCKET: { endpoint } = {} }) =>
      LOCAL_MODE || endpoint === undefined || isPrivateOrigin(endpoint),
    {
      path: ['BUCKET', 'endpoint'],
      message: 'must be https unless the server is on this machine',
    },
  )
  .transform((config) => {
    const search = config.SEARCH_URL === undefined ? undefined : new URL(config.SEARCH_URL);
    const index = search?.pathname.slice(1);
    const shards = Number(search?.searchParams.get('shards') ?? 1);
    if (search) {
      search.pathname = '';
      search.searchParams.delete('shards');
    }
    const ownUrl = config.PUBLIC_API_URL ?? `http://localhost:${config.MARKETPLACE_API_PORT}`;
    return {
      ...config,
      PUBLIC_API_URL: ownUrl,
      SEARCH_URL: search?.href.replace(/\/$/, ''),
      SEARCH_INDEX: index || 'listings',
      SEARCH_SHARDS: shards,
      SEARCH_TIMEOUT_MS: SEARCH_MS[config.LOCAL_MODE ? 'local' : 'hosted'],
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
