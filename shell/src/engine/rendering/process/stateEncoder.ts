import type { RenderJob } from '../slotRenderer.ts';

// The slots of one page share parts of its state. Each large part is encoded once, and sent once to a
// release's process, which parses it once, however many of the page's slots the release renders. State is never changed in
// place, so a part is known by its object.

type State = RenderJob['state'];

/** Smaller parts are copied into one piece with their neighbors; characters. */
const MIN_PIECE = 4096;
/** How many large parts a process remembers: those of the pages whose slots are being sent. */
const MAX_RECENT_PARTS = 8;

type Encoded = string | Buffer;

interface LargePart {
  /** The state's key, e.g. 'shelf', and the field below it. */
  readonly key: string;
  readonly field: string;
  readonly part: object;
  readonly bytes: Buffer;
}

export interface StateEncoder {
  /** The whole state as JSON in UTF-8, in pieces that are written one after the other. */
  readonly encode: (state: State) => readonly Buffer[];
  /** The same without the large fields of divided keys, which come beside it. */
  readonly split: (state: State) => { readonly rest: Buffer; readonly large: readonly LargePart[] };
}

function encodePart(part: unknown): Encoded | undefined {
  const text = JSON.stringify(part) as string | undefined;
  return text !== undefined && text.length >= MIN_PIECE ? Buffer.from(text) : text;
}

/** Text and buffers, with the text between two buffers in one piece. */
class Pieces {
  readonly #pieces: Buffer[] = [];
  #text = '';

  append(value: Encoded): void {
    if (typeof value === 'string') this.#text += value;
    else {
      this.#pieces.push(Buffer.from(this.#text), value);
      this.#text = '';
    }
  }

  end(): readonly Buffer[] {
    this.#pieces.push(Buffer.from(this.#text));
    return this.#pieces;
  }
}

/** `divided`: the state's keys whose fields are parts of their own (`SiteState.divided`). */
export function createStateEncoder(divided: readonly string[]): StateEncoder {
  const encoded = new WeakMap<object, Encoded>();
  const encodeOnce = (part: unknown): Encoded | undefined => {
    if (typeof part !== 'object' || part === null) return encodePart(part);
    const existing = encoded.get(part);
    if (existing !== undefined) return existing;
    const value = encodePart(part);
    if (value !== undefined) encoded.set(part, value);
    return value;
  };
  const appendMembers = (pieces: Pieces, parts: object) => {
    let separator = '';
    for (const [name, part] of Object.entries(parts)) {
      const value = encodeOnce(part);
      if (value === undefined) continue;
      pieces.append(`${separator}${JSON.stringify(name)}:`);
      pieces.append(value);
      separator = ',';
    }
    return separator;
  };
  const isDivided = (key: string, value: unknown): value is object =>
    divided.includes(key) && typeof value === 'object' && value !== null;
  const encode = (state: object) => {
    const whole = Object.entries(state).filter(([key, value]) => !isDivided(key, value));
    const pieces = new Pieces();
    pieces.append('{');
    let separator = appendMembers(pieces, Object.fromEntries(whole));
    for (const [key, value] of Object.entries(state)) {
      if (!isDivided(key, value)) continue;
      pieces.append(`${separator}${JSON.stringify(key)}:{`);
      appendMembers(pieces, value);
      pieces.append('}');
      separator = ',';
    }
    pieces.append('}');
    return pieces.end();
  };
  return {
    encode,
    split(state) {
      const large: LargePart[] = [];
      const rest: Record<string, unknown> = { ...state };
      for (const key of divided) {
        const value = rest[key];
        if (!isDivided(key, value)) continue;
        const small: Record<string, unknown> = {};
        for (const [field, part] of Object.entries(value)) {
          const bytes = encodeOnce(part);
          if (typeof part === 'object' && part && bytes instanceof Buffer)
            large.push({ key, field, part: part as object, bytes });
          else small[field] = part;
        }
        rest[key] = small;
      }
      return { rest: Buffer.concat(encode(rest)), large };
    },
  };
}

/** A large field of a divided key in a message: its bytes are in the body, unless an earlier message had it. */
export interface SentPart {
  readonly key: string;
  readonly field: string;
  readonly id: number;
  readonly bytes?: number;
}

/** Adds to what sender and receiver remember; both forget the same parts, because they see the same messages. */
function remember<Key, Value>(recent: Map<Key, Value>, key: Key, value: Value): void {
  recent.set(key, value);
  const [oldest] = recent.keys();
  if (recent.size > MAX_RECENT_PARTS && oldest !== undefined) recent.delete(oldest);
}

/** Writes states to one process. */
export class StateSender {
  readonly #recent = new Map<object, number>();
  readonly #encoder: StateEncoder;
  #lastId = 0;

  constructor(encoder: StateEncoder) {
    this.#encoder = encoder;
  }

  write(state: State): { readonly parts: readonly SentPart[]; readonly body: readonly Buffer[] } {
    const { rest, large } = this.#encoder.split(state);
    const body: Buffer[] = [];
    const parts = large.map(({ key, field, part, bytes }): SentPart => {
      const id = this.#recent.get(part);
      if (id !== undefined) return { key, field, id };
      remember(this.#recent, part, (this.#lastId += 1));
      body.push(bytes);
      return { key, field, id: this.#lastId, bytes: bytes.length };
    });
    return { parts, body: [...body, rest] };
  }
}

/** Reads what `StateSender` has written; each returned function parses the state of one message. */
export class StateReceiver {
  readonly #recent = new Map<number, () => unknown>();

  read(parts: readonly SentPart[], body: Buffer): () => State {
    let at = 0;
    const readers = parts.map(({ key, field, id, bytes }) => {
      if (bytes !== undefined) {
        remember(this.#recent, id, parseOnce(body.subarray(at, at + bytes)));
        at += bytes;
      }
      return { key, field, read: this.#recent.get(id) as () => unknown };
    });
    return () => {
      const state = JSON.parse(body.toString('utf8', at)) as Record<string, object>;
      for (const { key, field, read } of readers) state[key] = { ...state[key], [field]: read() };
      return state as State;
    };
  }
}

/** JSON that is parsed when it is first needed. */
function parseOnce(json: Buffer): () => unknown {
  let unparsed: Buffer | undefined = json;
  let value: unknown;
  return () => {
    if (unparsed) value = JSON.parse(unparsed.toString('utf8'));
    unparsed = undefined;
    return value;
  };
}
