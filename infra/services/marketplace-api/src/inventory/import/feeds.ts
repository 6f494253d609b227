import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { Cron } from 'croner';
import type { Logger } from '@forecourt/service-kit/log';
import { z } from 'zod';
import { createEgress } from '@forecourt/service-kit/egress';
import { EGRESS } from '../../http/egress.ts';
import type { FeedRuns } from '../store/importLog.ts';
import { type FeedField, type FeedMapping, mappingSchema } from './mapping.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER, tightenFolder } from '@forecourt/service-kit/privateFiles';

/** The file of scheduled feeds, its mapping or a download can't be used. */
export class FeedError extends Error {
  readonly code = 'FEED';
}

const isSchedule = (text: string): boolean => {
  try {
    return new Cron(text, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
};

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const isUrl = (text: string): boolean => /^https?:\/\//.test(text);

/** Fields of every row that a feed of one dealer often leaves out. */
const DEALER_FIELDS = [
  'sellerName',
  'sellerPhone',
  'sellerWebsite',
  'sellerAddress',
  'city',
  'state',
  'zip',
] as const satisfies readonly FeedField[];

const feedSchema = z
  .strictObject({
    /** A file, or an http or https URL. Relative paths start at the folder of the feeds file. */
    from: z.string().min(1),
    /** Mapping file; its `source` is the feed's name. Until it exists, a preview proposes one. */
    map: z.string().min(1),
    /** Cron expression. Without one, the feed is imported by hand only. */
    schedule: z.string().refine(isSchedule, 'must be a cron expression, such as 15 */4 * * *').optional(),
    timeZone: z.string().refine(isTimeZone, 'must be a time zone, such as America/Chicago').default('UTC'),
    /** Name of the environment variable with the `Authorization` header of the download. */
    authorization: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of a variable')
      .optional(),
    /** Values of fields that the mapping leaves out. */
    dealer: z.partialRecord(z.enum(DEALER_FIELDS), z.string().min(1)).optional(),
    expireMissing: z.boolean().default(true),
  })
  .refine(({ from, authorization }) => !authorization || from.startsWith('https:'), {
    message: 'is sent over https only',
    path: ['authorization'],
  });

const feedsSchema = z.strictObject({
  feeds: z.partialRecord(mappingSchema.shape.source, feedSchema),
});

/** A feed of the file, with absolute paths and its mapping. */
export interface Feed extends z.infer<typeof feedSchema> {
  readonly name: string;
  /** Undefined as long as its file does not exist. */
  readonly mapping: FeedMapping | undefined;
}

function readJson<T>(path: string, schema: z.ZodType<T>, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new FeedError(`${path} can't be read: ${(error as Error).message}`);
  }
  const read = schema.safeParse(value);
  if (!read.success) throw new FeedError(`${path} is not a valid ${what}:\n${z.prettifyError(read.error)}`);
  return read.data;
}

/** @throws FeedError */
export const readMapping = (path: string): FeedMapping => readJson(path, mappingSchema, 'mapping');

/** A mapping with the dealer's values for the fields that it leaves out. */
export function withDealer<M extends { readonly fields: object }>(
  mapping: M,
  { dealer = {} }: Pick<Feed, 'dealer'>,
): M {
  const constants = Object.entries(dealer).map(([field, constant]) => [field, { constant }] as const);
  return { ...mapping, fields: { ...Object.fromEntries(constants), ...mapping.fields } };
}

/** The feeds of a file by name. @throws FeedError */
export function readFeeds(path: string): Feed[] {
  const folder = dirname(path);
  const { feeds } = readJson(path, feedsSchema, 'list of feeds');
  return Object.entries(feeds).map(([name, feed]) => {
    const map = resolve(folder, feed!.map);
    const mapping = existsSync(map) ? readMapping(map) : undefined;
    if (mapping && mapping.source !== name)
      throw new FeedError(`${feed!.map} has the source '${mapping.source}', not '${name}'`);
    return {
      ...feed!,
      name,
      map,
      from: isUrl(feed!.from) ? feed!.from : resolve(folder, feed!.from),
      mapping: mapping && withDealer(mapping, feed!),
    };
  });
}

/** The file of a feed; a URL is downloaded into the folder first. @throws FeedError, EgressError */
export async function fetchFeed(feed: Feed, folder: string): Promise<string> {
  const { name, from, authorization, mapping } = feed;
  if (!isUrl(from)) return from;
  const token = authorization && process.env[authorization];
  if (authorization && !token) throw new FeedError(`${authorization} is not set`);
  const response = await createEgress(EGRESS.feed(from))(
    from,
    token ? { headers: { Authorization: token } } : {},
  );
  if (response.status !== 200) throw new FeedError(`${from} responded with ${response.status}`);
  const extension = mapping?.format ? `.${mapping.format}` : extname(new URL(from).pathname) || '.csv';
  const path = join(folder, `${name}${extension}`);
  tightenFolder(folder);
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  // An interrupted download leaves the previous file.
  writeFileSync(`${path}.part`, Buffer.from(await response.arrayBuffer()), { mode: PRIVATE_FILE });
  renameSync(`${path}.part`, path);
  return path;
}

/** Whether the feed's schedule has passed since its last import; a feed that was never imported is due. */
export function isDue(
  { schedule, timeZone }: Pick<Feed, 'schedule' | 'timeZone'>,
  lastStart: number | undefined,
  now: number,
): boolean {
  if (schedule === undefined) return false;
  if (lastStart === undefined) return true;
  const next = new Cron(schedule, { paused: true, timezone: timeZone }).nextRun(new Date(lastStart));
  return next !== null && next.getTime() <= now;
}

/** Interrupted runs in a row that are repeated at once; after more, the importer itself may be what ends them. */
const REPEATED_RUNS = 3;

/** Exit status of an import that gave way to another one. */
export const BUSY = 4;

interface ScheduleParts {
  /** Path of the file of feeds; read again for each run. */
  readonly path: string;
  readonly runs: Pick<FeedRuns, 'last'>;
  readonly logger: Logger;
  readonly now?: () => number;
  /** Imports a feed; resolves to the exit status. */
  readonly importFeed: (name: string, signal: AbortSignal) => Promise<number>;
}

/**
 * Imports the due feeds of a file, one after the other; returns how many. A run without an end was interrupted with its
 * process, and is repeated at once, unless another process still imports the feed.
 */
export function createFeedSchedule({
  path,
  runs,
  logger,
  now = Date.now,
  importFeed,
}: ScheduleParts): (signal: AbortSignal) => Promise<number> {
  return async (signal) => {
    let done = 0;
    for (const feed of readFeeds(path)) {
      if (signal.aborted) return done;
      const last = await runs.last(feed.name);
      const isInterrupted =
        feed.schedule !== undefined && last && last.unfinished > 0 && last.unfinished <= REPEATED_RUNS;
      if (!isInterrupted && !isDue(feed, last?.startedAt, now())) continue;
      const status = await importFeed(feed.name, signal);
      if (status === BUSY) continue;
      logger[status === 0 ? 'info' : 'warn']({ feed: feed.name, exitStatus: status }, 'feed imported');
      done += 1;
    }
    return done;
  };
}
