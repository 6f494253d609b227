/**
 * Validates an external value, or throws a ValidationError. Written by hand instead of with a library: every
 * page needs these checks before it is interactive, and even zod's smallest build would be a tenth of all
 * scripts. `Input` is the type that a sender may pass, without defaults.
 */
export interface Schema<Output, Input = Output> {
  (value: unknown, at?: string): Output;
  /** Type-level only. */
  readonly input?: Input;
}

/** An invalid value: its path in the payload and the expected value. `npm run compat` parses these messages. */
export class ValidationError extends Error {
  override name = 'ValidationError';
  constructor(at: string, expected: string) {
    super(`${at || 'payload'}: expected ${expected}`);
  }
}

export type OutputOf<S> = S extends Schema<infer Output, unknown> ? Output : never;
export type InputOf<S> = S extends Schema<unknown, infer Input> ? Input : never;

type Schemas = Readonly<Record<string, Schema<unknown, unknown>>>;
/** Event name to the schema of its payload. */
export type EventSchemas = Schemas;
type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
/** Makes keys optional whose value may be undefined. */
type WithOptionals<T> = { [K in Exclude<keyof T, OptionalKeys<T>>]: T[K] } & {
  [K in OptionalKeys<T>]?: T[K];
};
type Outputs<S extends Schemas> = WithOptionals<{ [K in keyof S]: OutputOf<S[K]> }>;
type Inputs<S extends Schemas> = WithOptionals<{ [K in keyof S]: InputOf<S[K]> }>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A string whose length is within both bounds, in UTF-16 code units. */
export const text =
  (min: number, max: number): Schema<string> =>
  (value, at = '') => {
    if (typeof value !== 'string' || value.length < min || value.length > max)
      throw new ValidationError(at, `text of ${min} to ${max} characters`);
    return value;
  };

/** A finite number between both bounds. */
export const number =
  (min: number, max: number): Schema<number> =>
  (value, at = '') => {
    if (typeof value !== 'number' || !(value >= min && value <= max))
      throw new ValidationError(at, `a number from ${min} to ${max}`);
    return value;
  };

/** A whole number between both bounds. */
export const wholeNumber = (min: number, max: number): Schema<number> => {
  const inRange = number(min, max);
  return (value, at = '') => {
    if (!Number.isSafeInteger(value)) throw new ValidationError(at, 'a whole number');
    return inRange(value, at);
  };
};

export const boolean: Schema<boolean> = (value, at = '') => {
  if (typeof value !== 'boolean') throw new ValidationError(at, 'true or false');
  return value;
};

/** One of these strings. */
export const oneOf =
  <const Value extends string>(values: readonly Value[]): Schema<Value> =>
  (value, at = '') => {
    if (!(values as readonly unknown[]).includes(value)) throw new ValidationError(at, values.join(' or '));
    return value as Value;
  };

export const optional =
  <Output, Input>(schema: Schema<Output, Input>): Schema<Output | undefined, Input | undefined> =>
  (value, at) =>
    value === undefined ? undefined : schema(value, at);

export const nullable =
  <Output, Input>(schema: Schema<Output, Input>): Schema<Output | null, Input | null> =>
  (value, at) =>
    value === null ? null : schema(value, at);

/** Replaces a missing value with `defaultValue`. */
export const withDefault =
  <Output, Input>(schema: Schema<Output, Input>, defaultValue: Output): Schema<Output, Input | undefined> =>
  (value, at) =>
    value === undefined ? defaultValue : schema(value, at);

/** An array with at most `max` items with the same schema. */
export const list =
  <Output, Input>(schema: Schema<Output, Input>, max: number): Schema<readonly Output[], readonly Input[]> =>
  (value, at = '') => {
    if (!Array.isArray(value) || value.length > max)
      throw new ValidationError(at, `a list of ${max} at most`);
    return value.map((item: unknown, index) => schema(item, `${at}[${index}]`));
  };

/** A tuple of two. */
export const pair =
  <First, Second>(first: Schema<First>, second: Schema<Second>): Schema<readonly [First, Second]> =>
  (value, at = '') => {
    if (!Array.isArray(value) || value.length !== 2) throw new ValidationError(at, 'a pair');
    return [first(value[0], `${at}[0]`), second(value[1], `${at}[1]`)];
  };

/** An object with some of these keys and values with the same schema; other keys are invalid. */
export const someOf =
  <const Key extends string, Output>(
    keys: readonly Key[],
    schema: Schema<Output>,
  ): Schema<Partial<Record<Key, Output>>> =>
  (value, at = '') => {
    if (!isRecord(value)) throw new ValidationError(at, 'an object');
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(
      entries.map(([key, item]) => [oneOf(keys)(key, `${at}.${key}`), schema(item, `${at}.${key}`)]),
    ) as Partial<Record<Key, Output>>;
  };

/** An object with these keys; other keys are dropped. */
export const object =
  <const S extends Schemas>(schemas: S): Schema<Outputs<S>, Inputs<S>> =>
  (value, at = '') => {
    if (!isRecord(value)) throw new ValidationError(at, 'an object');
    const read: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(schemas)) {
      const item = schema(Object.hasOwn(value, key) ? value[key] : undefined, at ? `${at}.${key}` : key);
      if (item !== undefined) read[key] = item;
    }
    return read as Outputs<S>;
  };
