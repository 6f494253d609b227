import type { Sql } from '@forecourt/service-kit/sql';
import { z } from 'zod';
import { derivedPrice, type StockListing, vehicleName } from '../../domain/stock.ts';
import type { DryRunObserver } from '../store/importMemory.ts';
import { importDetails } from './reporting.ts';

/** Listings of each kind that a preview shows. */
export const MAX_SAMPLES = 20;

const sample = z.object({
  name: z.string(),
  vin: z.string(),
  /** What shoppers see of it, as text. */
  facts: z.array(z.object({ label: z.string(), text: z.string() })),
  /** The first photo that the feed names, if its host is one of the mapping's. */
  photo: z.string().optional(),
  /** Of a changed listing: facts that were otherwise, with their text before. */
  changes: z.array(z.object({ label: z.string(), before: z.string() })),
});
export type PreviewSample = z.infer<typeof sample>;

const samples = z.object({
  inserted: z.array(sample),
  updated: z.array(sample),
  missing: z.array(sample),
});
export type PreviewSamples = z.infer<typeof samples>;

/** What the columns of the feed are, by their names and values. */
const columnTable = z.array(
  z.object({
    name: z.string(),
    sample: z.string(),
    fields: z.array(z.object({ field: z.string(), sure: z.number() })),
  }),
);

const preview = z.object({
  /** ms since 1970 */
  startedAt: z.number(),
  /** Missing while it runs, and when it was interrupted. */
  result: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('failed'), reason: z.string(), columns: columnTable.default([]) }),
      /** The feed has no mapping yet. */
      z.object({
        kind: z.literal('proposed'),
        /** The mapping as JSON. */
        mapping: z.string(),
        /** Where it belongs. */
        path: z.string(),
        /** Whether it has what a mapping must have. */
        isComplete: z.boolean(),
        notes: z.array(z.string()),
        /** Why it was not saved. */
        problem: z.string().optional(),
        columns: columnTable,
      }),
      z.object({
        kind: z.literal('read'),
        report: z.string(),
        /** Missing when the feed is unchanged since its last import. */
        details: importDetails.optional(),
        photoHosts: z.array(z.string()),
        samples,
        columns: columnTable.default([]),
      }),
    ])
    .optional(),
});
/** What the next import of a feed would do. */
export type Preview = z.infer<typeof preview>;

/** The last preview of a feed, if there is one. */
export async function readPreview(sql: Sql, source: string): Promise<Preview | undefined> {
  const row = await sql.get<{ body: string }>('SELECT body FROM previews WHERE source = ?', source);
  return row && preview.parse(JSON.parse(row.body));
}

/** Replaces the preview of a feed. */
export async function writePreview(sql: Sql, source: string, content: Preview): Promise<void> {
  await sql.run(
    'INSERT INTO previews (source, body) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET body = excluded.body',
    source,
    JSON.stringify(preview.parse(content)),
  );
}

const isHost = (host: string, pattern: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

const FACTS: Readonly<Record<string, (listing: StockListing) => string>> = {
  Vehicle: vehicleName,
  Price: (listing) => derivedPrice(listing)?.toLocaleString('en-US') ?? 'none',
  Mileage: ({ mileage }) => mileage?.toLocaleString('en-US') ?? 'none',
  Color: ({ extColor }) => extColor ?? 'none',
  'Stock number': ({ stockNumber }) => stockNumber ?? 'none',
  Features: ({ features }) => features.join(', ') || 'none',
  Photos: ({ photoUrls }) => photoUrls?.join(' ') ?? 'none',
};
/** Shown as a number; their URLs are compared. */
const photoCount = ({ photoUrls }: StockListing): string => String(photoUrls?.length ?? 0);
const OTHERWISE = { label: 'Other facts', before: 'different' };

function sampleOf(listing: StockListing, earlier: StockListing | undefined, hosts: readonly string[]) {
  const labels = Object.keys(FACTS);
  const textOf = (label: string, one: StockListing) =>
    label === 'Photos' ? photoCount(one) : (FACTS[label]?.(one) ?? '');
  const differing = labels.filter((label) => earlier && FACTS[label]?.(earlier) !== FACTS[label]?.(listing));
  const changes = earlier ? differing.map((label) => ({ label, before: textOf(label, earlier) })) : [];
  const [photo] = listing.photoUrls ?? [];
  const { hostname = '' } = (photo === undefined ? undefined : URL.parse(photo)) ?? {};
  return {
    name: vehicleName(listing),
    vin: listing.vin,
    facts: labels.slice(1).map((label) => ({ label, text: textOf(label, listing) })),
    ...(hosts.some((pattern) => isHost(hostname, pattern)) && { photo }),
    changes: earlier && changes.length === 0 ? [OTHERWISE] : changes,
  };
}

/** Collects the first listings of each kind that a dry run sees. */
export function collectSamples(photoHosts: readonly string[]): {
  readonly observer: DryRunObserver;
  readonly samples: PreviewSamples;
} {
  const collected: PreviewSamples = { inserted: [], updated: [], missing: [] };
  const add = (kind: keyof PreviewSamples, listing: StockListing, earlier?: StockListing) => {
    if (collected[kind].length < MAX_SAMPLES) collected[kind].push(sampleOf(listing, earlier, photoHosts));
  };
  return {
    samples: collected,
    observer: {
      inserted: (listing) => add('inserted', listing),
      updated: (listing, earlier) => add('updated', listing, earlier),
      missing: (listing) => add('missing', listing),
    },
  };
}
