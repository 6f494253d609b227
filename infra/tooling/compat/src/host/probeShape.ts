/** What a field of an event takes. */
export interface EventField {
  /** In the shape's own words, e.g. 'text of 1 to 64 characters' or 'push or replace'. */
  readonly expected: string;
  readonly isRequired: boolean;
}

type Shape = (value: unknown) => unknown;
type Payload = Record<string, unknown>;

/** More steps than this and it is no shape that can be read so. */
const MAX_STEPS = 2000;
const NOTHING_FITS = Symbol('fits nowhere');

/** Something that a shape takes which expects this; undefined when its words are not known. */
function sampleOf(expected: string): unknown {
  const text = /^text of (\d+) to /.exec(expected);
  if (text) return 'x'.repeat(Number(text[1]));
  const number = /^a number from (\S+) to /.exec(expected);
  if (number) return Number(number[1]);
  if (expected === 'a whole number') return 1;
  if (expected === 'true or false') return true;
  if (expected.startsWith('a list of ')) return [];
  if (expected === 'an object') return {};
  return expected.split(' or ')[0];
}

/** The misfit which a payload is refused with; undefined when it fits, 'foreign' when it is refused in other words. */
function misfitOf(shape: Shape, payload: unknown): { at: string; expected: string } | 'foreign' | undefined {
  try {
    shape(payload);
    return undefined;
  } catch (error) {
    const found = error instanceof Error && /^(.*?): expected (.*)$/s.exec(error.message);
    return found ? { at: found[1] ?? '', expected: found[2] ?? '' } : 'foreign';
  }
}

/** The payload as a shape sees it; `onAsk` hears the path of each key that it looks for. */
function watched(payload: Payload, onAsk: (path: string) => void, above = ''): Payload {
  const pathOf = (key: string | symbol) => (above ? `${above}.${String(key)}` : String(key));
  return new Proxy(payload, {
    getOwnPropertyDescriptor(target, key) {
      onAsk(pathOf(key));
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const isInner = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isInner ? watched(value as Payload, onAsk, pathOf(key)) : value;
    },
  });
}

function put(payload: Payload, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() as string;
  const parent = keys.reduce<Payload>((inner, key) => (inner[key] ??= {}) as Payload, payload);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

/**
 * Reads the fields of an event out of its shape, which is a function: by giving
 * it one payload after the other, and listening to what it asks for and refuses.
 * So the page need not carry a description that only this comparison reads.
 * Path to field, '[]' for the items of a list; undefined when the shape speaks otherwise.
 */
export function probeShape(shape: Shape): Record<string, EventField> | undefined {
  const fields = new Map<string, EventField>();
  const asked = new Set<string>();
  const payload: Payload = {};
  const look = () =>
    misfitOf(
      shape,
      watched(payload, (path) => asked.add(path)),
    );

  function fill(path: string, expected: string, isRequired: boolean): void {
    fields.set(path, { expected, isRequired });
    const sample = sampleOf(expected);
    if (Array.isArray(sample)) {
      put(payload, path, [NOTHING_FITS]);
      const refused = look();
      if (refused && refused !== 'foreign' && refused.at === `${path}[0]`)
        fields.set(`${path}[]`, { expected: refused.expected, isRequired: true });
    }
    put(payload, path, sample);
  }

  for (let step = 0; step < MAX_STEPS; step += 1) {
    const missing = look();
    if (missing) {
      if (missing === 'foreign' || fields.has(missing.at)) return undefined;
      fill(missing.at, missing.expected, true);
      continue;
    }
    const optional = [...asked].find((path) => !fields.has(path));
    if (optional === undefined) return Object.fromEntries(fields);
    put(payload, optional, NOTHING_FITS);
    const refused = look();
    if (!refused || refused === 'foreign' || refused.at !== optional) return undefined;
    fill(optional, refused.expected, false);
  }
  return undefined;
}
