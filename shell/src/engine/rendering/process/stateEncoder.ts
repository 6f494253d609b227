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
  readonly name: string;
  readonly part: object;
  readonly bytes: Buffer;
}

export interface StateEncoder {
  /** The whole state as JSON in UTF-8, in pieces that are written one after the other. */
  readonly encode: (state: State) => readonly Buffer[];
  /** The same without the large parts of the search, which come beside it. */
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

export function createStateEncoder(): StateEncoder {
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
  const encode = ({ search, ...others }: State) => {
    const pieces = new Pieces();
    pieces.append('{');
    const separator = appendMembers(pieces, others);
    if (search) {
      pieces.append(`${separator}"search":{`);
      appendMembers(pieces, search);
      pieces.append('}');
    }
    pieces.append('}');
    return pieces.end();
  };
  return {
    encode,
    split({ search = {}, ...others }) {
      const large: LargePart[] = [];
      const small: Record<string, unknown> = {};
      for (const [name, part] of Object.entries(search)) {
        const value = encodeOnce(part);
        if (typeof part === 'object' && part && value instanceof Buffer)
          large.push({ name, part, bytes: value });
        else small[name] = part;
      }
      return { rest: Buffer.concat(encode({ ...others, search: small })), large };
    },
  };
}

/** A large part of the search in a message: its bytes are in the body, unless an earlier message had it. */
export interface SentPart {
  readonly name: string;
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
    const parts = large.map(({ name, part, bytes }): SentPart => {
      const id = this.#recent.get(part);
      if (id !== undefined) return { name, id };
      remember(this.#recent, part, (this.#lastId += 1));
      body.push(bytes);
      return { name, id: this.#lastId, bytes: bytes.length };
    });
    return { parts, body: [...body, rest] };
  }
}

/** Reads what `StateSender` has written; each returned function parses the state of one message. */
export class StateReceiver {
  readonly #recent = new Map<number, () => unknown>();

  read(parts: readonly SentPart[], body: Buffer): () => State {
    let at = 0;
    const readers = parts.map(({ name, id, bytes }) => {
      if (bytes !== undefined) {
        remember(this.#recent, id, parseOnce(body.subarray(at, at + bytes)));
        at += bytes;
      }
      return [name, this.#recent.get(id) as () => unknown] as const;
    });
    return () => {
      const state = JSON.parse(body.toString('utf8', at)) as State;
      return {
        ...state,
        search: { ...state.search, ...Object.fromEntries(readers.map(([name, read]) => [name, read()])) },
      };
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
