import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

interface TraceSummary {
  readonly traceId: string;
  /** Name and service of its first span, e.g. 'GET results' of 'forecourt-shell'. */
  readonly name: string;
  readonly service: string;
  readonly requestId: string | undefined;
  /** ISO 8601. */
  readonly at: string;
  readonly ms: number;
  readonly spans: number;
  readonly isFailed: boolean;
}

interface Span {
  readonly id: string;
  readonly name: string;
  readonly service: string;
  /** After the start of the trace. */
  readonly startMs: number;
  readonly ms: number;
  /** Ancestors. */
  readonly depth: number;
  readonly isFailed: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** One request, step by step. */
interface Trace extends TraceSummary {
  /** The share of its time in which at least one step below the first ran. */
  readonly explained: number;
  /** In the order of a tree. */
  readonly steps: readonly Span[];
}

/** Traces that are stored, and spans of one: some 20 MB at most. */
const MAX_TRACES = 200;
const MAX_SPANS = 500;

/** Hexadecimal. */
const traceIdSchema = z.string().regex(/^[0-9a-f]{32}$/);
const spanIdSchema = z.string().regex(/^[0-9a-f]{16}$/);
const text = z.string().transform((value) => value.slice(0, 200));
/** ns since 1970, beyond the range of exact numbers. */
const nanoseconds = z.string().regex(/^\d{1,20}$/);

const attributesSchema = z
  .array(z.object({ key: text, value: z.record(z.string(), z.unknown()) }))
  .max(32)
  .transform((attributes) =>
    Object.fromEntries(
      attributes.map(({ key, value }) => [key, String(Object.values(value)[0]).slice(0, 200)]),
    ),
  );

/** The part of an export that is read (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). */
export const traceExportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: traceIdSchema,
              spanId: spanIdSchema,
              parentSpanId: spanIdSchema.or(z.literal('')).optional(),
              name: text,
              startTimeUnixNano: nanoseconds,
              endTimeUnixNano: nanoseconds,
              attributes: attributesSchema.default({}),
              status: z.object({ code: z.number().optional() }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** Times in ms since 1970. */
interface StoredSpan extends Omit<Span, 'startMs' | 'depth'> {
  readonly parentId: string | undefined;
  readonly startedAt: number;
}

/** ms with µs, which a double can hold. */
const milliseconds = (nano: string): number => Number(BigInt(nano) / 1000n) / 1000;

/** OTLP's status code of a failed span. */
const FAILED = 2;

function* spansOf({ resourceSpans }: z.infer<typeof traceExportSchema>) {
  for (const { resource, scopeSpans } of resourceSpans)
    for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
      const startedAt = milliseconds(span.startTimeUnixNano);
      const stored: StoredSpan = {
        id: span.spanId,
        parentId: span.parentSpanId,
        name: span.name,
        service: resource.attributes['service.name'] ?? 'unknown',
        startedAt,
        ms: Math.max(0, milliseconds(span.endTimeUnixNano) - startedAt),
        isFailed: span.status?.code === FAILED,
        attributes: span.attributes,
      };
      yield [span.traceId, stored] as const;
    }
}

/** The span that all others follow from: of those whose parent isn't here, the earliest. */
function rootOf(spans: readonly StoredSpan[]): StoredSpan | undefined {
  const ids = new Set(spans.map(({ id }) => id));
  return spans
    .filter(({ parentId }) => parentId === undefined || !ids.has(parentId))
    .toSorted((a, b) => a.startedAt - b.startedAt)[0];
}

/** The share of the root's time in which at least one of its children ran. */
function explainedShare(root: StoredSpan, spans: readonly StoredSpan[]): number {
  const end = root.startedAt + root.ms;
  let until = root.startedAt;
  let explained = 0;
  const children = spans.filter(({ parentId }) => parentId === root.id);
  for (const { startedAt, ms } of children.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const childEnd = Math.min(startedAt + ms, end);
    explained += Math.max(0, childEnd - Math.max(startedAt, until));
    until = Math.max(until, childEnd);
  }
  return root.ms === 0 ? 1 : explained / root.ms;
}

function summaryOf(traceId: string, spans: readonly StoredSpan[]): TraceSummary | undefined {
  const root = rootOf(spans);
  return (
    root && {
      traceId,
      name: root.name,
      service: root.service,
      requestId: root.attributes['forecourt.request_id'],
      at: new Date(root.startedAt).toISOString(),
      ms: root.ms,
      spans: spans.length,
      isFailed: spans.some(({ isFailed }) => isFailed),
    }
  );
}

/** Children below their parents, both by their start. */
function inOrder(root: StoredSpan, spans: readonly StoredSpan[]): Span[] {
  const byStart = spans.toSorted((a, b) => a.startedAt - b.startedAt);
  const ordered: Span[] = [];
  const seen = new Set<string>();
  const visit = (span: StoredSpan, depth: number): void => {
    // Ids come from outside and could form a circle.
    if (seen.has(span.id)) return;
    seen.add(span.id);
    const { parentId: _, startedAt, ...rest } = span;
    ordered.push({ ...rest, startMs: startedAt - root.startedAt, depth });
    for (const child of byStart) if (child.parentId === span.id) visit(child, depth + 1);
  };
  visit(root, 0);
  for (const span of byStart) visit(span, 1);
  return ordered;
}

/** The latest traces, in memory. */
export class TraceBoard {
  /** From the oldest. */
  readonly #traces = new Map<string, StoredSpan[]>();

  add(received: z.infer<typeof traceExportSchema>): void {
    for (const [traceId, span] of spansOf(received)) {
      let spans = this.#traces.get(traceId);
      if (!spans) {
        const [oldest] = this.#traces.keys();
        if (this.#traces.size >= MAX_TRACES && oldest !== undefined) this.#traces.delete(oldest);
        this.#traces.set(traceId, (spans = []));
      }
      if (spans.length < MAX_SPANS) spans.push(span);
    }
  }

  /** Newest first. */
  list(): TraceSummary[] {
    return [...this.#traces].flatMap(([id, spans]) => summaryOf(id, spans) ?? []).reverse();
  }

  find(traceId: string): Trace | undefined {
    const spans = this.#traces.get(traceId) ?? [];
    const root = rootOf(spans);
    const summary = summaryOf(traceId, spans);
    if (!root || !summary) return undefined;
    return { ...summary, explained: explainedShare(root, spans), steps: inOrder(root, spans) };
  }
}

/** A receiver of traces by OTLP over HTTP, as JSON, on this machine. */
export async function startTraceReceiver(): Promise<{
  readonly url: string;
  readonly board: TraceBoard;
  readonly close: () => Promise<void>;
}> {
  const board = new TraceBoard();
  const server = createServer((request, response) => {
    json(request)
      .then((body) => board.add(traceExportSchema.parse(body)))
      .then(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
        () => response.writeHead(400).end(),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    board,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
