import assert from 'node:assert/strict';
import { z } from 'zod';

/** Services of the platform, as their log lines and errors name them. */
export const SERVICES = ['shell', 'marketplace-api', 'remote-registry', 'identity'] as const;

/** pino's numbers: debug, info, warn, error, fatal. */
const level = z.union([20, 30, 40, 50, 60].map((value) => z.literal(value)));

/** A line of any service's log. Fields that only one service writes may follow those listed here; `msg` is the last. */
const lineSchema = z.looseObject({
  level,
  time: z.number().int().positive(),
  service: z.enum(SERVICES),
  requestId: z
    .string()
    .regex(/^[\w.:-]{1,128}$/)
    .optional(),
  /** Of a shell that traces requests. */
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** Of a remote: 'mfe-results@1.4.0'; 'shell' for the shell's own slots. */
  release: z
    .string()
    .regex(/^(?:[\w-]+@\S+|shell)$/)
    .optional(),
  method: z.string().optional(),
  /** A pattern or a name, never the URL. */
  route: z.string().optional(),
  status: z.number().int().optional(),
  ms: z.number().optional(),
  calls: z.unknown().optional(),
  /** Stable, for machines. */
  code: z.string().optional(),
  reason: z.string().optional(),
  err: z.looseObject({ type: z.string() }).optional(),
  msg: z.string().min(1),
});
const ORDER = Object.keys(lineSchema.shape).filter((name) => name !== 'msg');
const REQUEST_FIELDS = ['requestId', 'method', 'route', 'status', 'ms'] as const;

export type LogLine = z.infer<typeof lineSchema>;

/** Parses a line of a log. @throws Error when it lacks a field of every line, or has them in another order */
export function parseLogLine(text: string): LogLine {
  const line = lineSchema.parse(JSON.parse(text));
  // zod keeps unknown keys, but not the order of the text.
  const names = Object.keys(JSON.parse(text) as object);
  const known = names.filter((name) => ORDER.includes(name));
  assert.deepEqual(
    known,
    ORDER.filter((name) => names.includes(name)),
    text,
  );
  assert.deepEqual(names.slice(0, known.length), known, `other fields come first: ${text}`);
  assert.equal(names.at(-1), 'msg', text);
  if (line.msg === 'request')
    for (const field of REQUEST_FIELDS)
      assert.notEqual(line[field], undefined, `${field} is missing: ${text}`);
  return line;
}
