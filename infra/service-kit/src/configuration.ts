import { z } from 'zod';

/**
 * Parses a service's environment; empty values count as unset. Throws one line that names every invalid key:
 * `configuration: KEY: problem; KEY: problem`.
 */
export function readEnvironment<S extends z.ZodType>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`configuration: ${problems.join('; ')}`);
}

export const port = (defaultPort: number) => z.coerce.number().int().min(0).max(65_535).default(defaultPort);

export const origin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => new URL(url).href === `${new URL(url).origin}/`, 'must be an origin, without path or user')
  .transform((url) => new URL(url).origin);

/** 'a,b': the parts without surrounding spaces; empty ones are dropped. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

/** Reports text that is not JSON as an issue of its key. */
export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

export const logLevel = z
  .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  .default('info');

/** Keys of a service that can store objects in a bucket of S3 or of a compatible server. */
export const bucketKeys = (prefix: string) =>
  ({
    S3_BUCKET: z.string().min(3).max(63).optional(),
    /** Prefix of every key. */
    S3_PREFIX: z
      .string()
      .regex(/^(?:[\w.-]+\/)*$/, "must be empty, or folders that end with '/'")
      .default(prefix),
    S3_REGION: z.string().min(1).default('us-east-1'),
    /** Endpoint of a compatible server; default: Amazon's. Credentials come from the SDK's default chain. */
    S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    /** `endpoint/bucket/key`, which many compatible servers require, instead of `bucket.endpoint/key`. */
    S3_PATH_STYLE: z.stringbool().default(false),
  }) as const;
