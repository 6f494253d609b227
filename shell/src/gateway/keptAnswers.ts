/** An answer that the upstream allowed to be used again. */
export interface KeptAnswer {
  readonly answer: unknown;
  /** For `If-None-Match`. */
  readonly etag: string | undefined;
}

/** Answers to reads in nobody's name, by call and URL. */
export interface KeptAnswers {
  /** `isFresh`: it need not even be asked whether it has changed. */
  readonly find: (key: string) => (KeptAnswer & { readonly isFresh: boolean }) | undefined;
  /** Keeps what the answer's headers allow; forgets what they do not. */
  readonly keep: (key: string, answer: unknown, headers: AnswerHeaders) => void;
}

export interface AnswerHeaders {
  readonly etag?: unknown;
  readonly 'cache-control'?: unknown;
  readonly 'content-length'?: unknown;
}

interface Entry extends KeptAnswer {
  readonly freshUntil: number;
  readonly bytes: number;
}

/** Of JSON; as objects they take some four times as much. */
const MAX_BYTES = 4 * 1024 * 1024;

/** ms for which an answer may be used without asking; undefined when it must not be kept (RFC 9111). */
function freshFor(headers: AnswerHeaders): number | undefined {
  const control = typeof headers['cache-control'] === 'string' ? headers['cache-control'] : '';
  if (/\b(no-store|private)\b/.test(control)) return undefined;
  if (/\bno-cache\b/.test(control)) return 0;
  return Number(/\bmax-age=(\d+)/.exec(control)?.[1] ?? 0) * 1000;
}

/** The last answers used, up to a limit; the one used longest ago goes first. */
export function createKeptAnswers(now: () => number, maxBytes = MAX_BYTES): KeptAnswers {
  const entries = new Map<string, Entry>();
  let total = 0;
  const forget = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    find(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return { answer: entry.answer, etag: entry.etag, isFresh: now() < entry.freshUntil };
    },
    keep(key, answer, headers) {
      const known = entries.get(key);
      forget(key);
      const fresh = freshFor(headers);
      const etag = typeof headers.etag === 'string' ? headers.etag : undefined;
      if (fresh === undefined || (fresh === 0 && etag === undefined)) return;
      // An answer without a body (304) is as large as the one that it confirms.
      const bytes = Number(headers['content-length'] ?? known?.bytes ?? Number.POSITIVE_INFINITY);
      if (bytes > maxBytes / 4) return;
      entries.set(key, { answer, etag, freshUntil: now() + fresh, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        forget(oldest);
      }
    },
  };
}
