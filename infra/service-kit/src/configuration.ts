import { z } from 'zod';

/** Whether the found value may be shown: what should be a number or one of a few words holds no secret, unlike addresses. */
const isShown = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_value' ||
  (issue.code === 'invalid_type' && issue.expected === 'number') ||
  ((issue.code === 'too_small' || issue.code === 'too_big') &&
    (issue.origin === 'number' || issue.origin === 'int'));

/**
 * Parses a service's environment; empty values count as unset. Throws one line that names every invalid key:
 * `configuration: KEY: problem; KEY: problem`.
 */
export function readEnvironment<S extends z.ZodType>(
  schema: S,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(values, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const { path, message } = issue;
    // Only the part itself of a value with several: another one may be secret.
    const found: unknown = path.length === 1 ? values[String(path[0])] : issue.input;
    const isText = typeof found === 'string' || typeof found === 'number';
    return `${path.join('.')}: ${message}${isText && isShown(issue) ? `, found '${found}'` : ''}`;
  });
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

/** 'a=1,b=2': settings of one family under one key; the others keep their defaults. */
export const settings = <S extends z.ZodRawShape>(shape: S) =>
  list
    .transform((pairs, context): unknown => {
      const parts = pairs.map((pair) => /^(\w+) *= *(.+)$/.exec(pair)?.slice(1));
      const wrong = parts.indexOf(undefined);
      if (wrong === -1) return Object.fromEntries(parts as string[][]);
      context.addIssue({ code: 'custom', message: `must be name=value,…, found '${pairs[wrong]}'` });
      return z.NEVER;
    })
    .pipe(z.strictObject(shape));

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

/** `postgres://…?connections=10`: PostgreSQL, and how many connections a process opens. */
export const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/ })
  .refine(
    (url) => /^[1-9]\d{0,3}$/.test(new URL(url).searchParams.get('connections') ?? '1'),
    'connections must be a number from 1 to 9999',
  );

/** `smtp://user:password@host:587`; `?requireTLS=false` for a relay on the same machine. */
export const smtpUrl = z.url({ protocol: /^smtps?$/ });

const bucketSchema = z.object({
  bucket: z.string().min(3).max(63),
  prefix: z.string().regex(/^(?:[\w.-]+\/)*$/, "must be empty, or folders that end with '/'"),
  region: z.string().min(1),
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  isPathStyle: z.stringbool(),
});

/**
 * A bucket of S3 or of a compatible server: `s3://bucket/folder/?region=eu-central-1&endpoint=https://s3.example&pathStyle=true`.
 * Without a path, keys begin with `defaultPrefix`. Credentials come from the SDK's default chain.
 */
export const bucketUrl = (defaultPrefix: string) =>
  z
    .url({ protocol: /^s3$/ })
    .transform((text): z.input<typeof bucketSchema> => {
      const { hostname: bucket, pathname, searchParams } = new URL(text);
      return {
        bucket,
        prefix: pathname === '' ? defaultPrefix : pathname.slice(1),
        region: searchParams.get('region') ?? 'us-east-1',
        endpoint: searchParams.get('endpoint') ?? undefined,
        isPathStyle: searchParams.get('pathStyle') ?? 'false',
      };
    })
    .pipe(bucketSchema);
