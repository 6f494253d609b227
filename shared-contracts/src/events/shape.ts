/**
 * Reads a foreign value as what it should be, or throws a Misfit. A few lines
 * instead of a library: these checks are in every page before anything can be
 * used, where even zod's smallest build would be a tenth of all scripts. `Input`
 * is what a sender may give, with defaults left out.
 */
export interface Shape<Output, Input = Output> {
  (value: unknown, at?: string): Output;
  /** For types only. */
  readonly input?: Input;
}

/** A value that does not fit, with the place in the payload and what was expected there. */
export class ValidationError extends Error {
  override name = 'Misfit';
  constructor(at: string, expected: string) {
    super(`${at || 'payload'}: expected ${expected}`);
  }
}

export type OutputOf<S> = S extends Shape<infer Output, unknown> ? Output : never;
export type InputOf<S> = S extends Shape<unknown, infer Input> ? Input : never;

type Shapes = Readonly<Record<string, Shape<unknown, unknown>>>;
type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
/** Keys that may be undefined may be missing. */
type WithOptionals<T> = { [K in Exclude<keyof T, OptionalKeys<T>>]: T[K] } & {
  [K in OptionalKeys<T>]?: T[K];
};
type Outputs<S extends Shapes> = WithOptionals<{ [K in keyof S]: OutputOf<S[K]> }>;
type Inputs<S extends Shapes> = WithOptionals<{ [K in keyof S]: InputOf<S[K]> }>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of a length between both bounds, in UTF-16 code units. */
export const text =
  (min: number, max: number): Shape<string> =>
  (value, at = '') => {
    if (typeof value !== 'string' || value.length < min || value.length > max)
      throw new ValidationError(at, `text of ${min} to ${max} characters`);
    return value;
  };

/** A finite number between both bounds. */
export const number =
  (min: number, max: number): Shape<number> =>
  (value, at = '') => {
    if (typeof value !== 'number' || !(value >= min && value <= max))
      throw new ValidationError(at, `a number from ${min} to ${max}`);
    return value;
  };

/** A whole number between both bounds. */
export const whole = (min: number, max: number): Shape<number> => {
  const inRange = number(min, max);
  return (value, at = '') => {
    if (!Number.isSafeInteger(value)) throw new ValidationError(at, 'a whole number');
    return inRange(value, at);
  };
};

export const flag: Shape<boolean> = (value, at = '') => {
  if (typeof value !== 'boolean') throw new ValidationError(at, 'true or false');
  return value;
};

/** One of these texts. */
export const oneOf =
  <const Value extends string>(values: readonly Value[]): Shape<Value> =>
  (value, at = '') => {
    if (!(values as readonly unknown[]).includes(value)) throw new ValidationError(at, values.join(' or '));
    return value as Value;
  };

export const optional =
  <Output, Input>(shape: Shape<Output, Input>): Shape<Output | undefined, Input | undefined> =>
  (value, at) =>
    value === undefined ? undefined : shape(value, at);

export const nullable =
  <Output, Input>(shape: Shape<Output, Input>): Shape<Output | null, Input | null> =>
  (value, at) =>
    value === null ? null : shape(value, at);

/** `preset` stands for a missing value. */
export const withDefault =
  <Output, Input>(shape: Shape<Output, Input>, preset: Output): Shape<Output, Input | undefined> =>
  (value, at) =>
    value === undefined ? preset : shape(value, at);

/** At most `max` of the same. */
export const list =
  <Output, Input>(shape: Shape<Output, Input>, max: number): Shape<readonly Output[], readonly Input[]> =>
  (value, at = '') => {
    if (!Array.isArray(value) || value.length > max)
      throw new ValidationError(at, `a list of ${max} at most`);
    return value.map((item: unknown, index) => shape(item, `${at}[${index}]`));
  };

/** Two in a row. */
export const pair =
  <First, Second>(first: Shape<First>, second: Shape<Second>): Shape<readonly [First, Second]> =>
  (value, at = '') => {
    if (!Array.isArray(value) || value.length !== 2) throw new ValidationError(at, 'a pair');
    return [first(value[0], `${at}[0]`), second(value[1], `${at}[1]`)];
  };

/** Some of these keys, all with the same kind of value; any other key is a misfit. */
export const someOf =
  <const Key extends string, Output>(
    keys: readonly Key[],
    shape: Shape<Output>,
  ): Shape<Partial<Record<Key, Output>>> =>
  (value, at = '') => {
    if (!isRecord(value)) throw new ValidationError(at, 'an object');
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(
      entries.map(([key, item]) => [oneOf(keys)(key, `${at}.${key}`), shape(item, `${at}.${key}`)]),
    ) as Partial<Record<Key, Output>>;
  };

/** An object with these keys; others are left behind. */
export const object =
  <const S extends Shapes>(shapes: S): Shape<Outputs<S>, Inputs<S>> =>
  (value, at = '') => {
    if (!isRecord(value)) throw new ValidationError(at, 'an object');
    const read: Record<string, unknown> = {};
    for (const [key, shape] of Object.entries(shapes)) {
      const item = shape(Object.hasOwn(value, key) ? value[key] : undefined, at ? `${at}.${key}` : key);
      if (item !== undefined) read[key] = item;
    }
    return read as Outputs<S>;
  };
