import { providesSchema } from '@forecourt/releases/gate';
import { z } from 'zod';

/** The part of a shell's `/health/ready` that says something about slots. */
const readinessSchema = z.object({
  releases: z.record(z.string(), z.string()).default({}),
  /** Code of the last failure within a minute, by release and slot. */
  failing: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  refused: z
    .record(z.string(), z.array(z.object({ rule: z.string(), found: z.string(), remedy: z.string() })))
    .default({}),
});

/** The part of a page's boot data that says something about slots. */
const bootSchema = z.object({
  slots: z.array(
    z.object({
      slot: z.string(),
      remote: z.string().nullable(),
      rendered: z.enum(['release', 'fallback', 'none']),
      hydrate: z.string(),
      frame: z.object({ version: z.string() }).optional(),
    }),
  ),
  remotes: z.array(z.object({ name: z.string(), version: z.string() })),
});

/** How a page was made, from its header Server-Timing. */
const OUTCOMES: Readonly<Record<string, string>> = {
  own: 'made for this request alone',
  miss: 'made for this request, and kept for others',
  join: 'made together with another request for the same page',
  hit: 'from the cache of pages',
  stale: 'from the cache of pages, and made again at present',
};

const RENDERED = {
  release: 'its release rendered it on the server',
  fallback:
    'it shows the plain rendering of the site: its release failed, missed its deadline, or is missing',
  none: 'the server left its place empty: its release failed, missed its deadline, was left out under load, or the browser renders it',
} as const;

const BOOT_DATA = /<script[^>]*\bid="fc-boot"[^>]*>([^]*?)<\/script>/;

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A page as a shell sent it, and what the shell says of itself. */
export interface ExplainedPage {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
  readonly readiness: unknown;
  /** Response of the shell's `GET /releases/provides`, if it has one. */
  readonly provides?: unknown;
}

const listOf = (names: readonly string[]): string => names.join(', ') || 'nothing';

/** What the layout lets the slot do; empty for shells that don't say. */
function permissionLines(slot: string, remote: string, response: unknown): string[] {
  const provides = providesSchema.safeParse(response).data;
  const allowed = provides?.permissions?.[slot];
  if (!allowed) return [];
  const reads = provides?.remotes[remote]?.mayRead?.[slot];
  return [
    `permissions: emits ${listOf(allowed.emits)}; hears ${listOf(allowed.hears)}; calls ${listOf(allowed.calls)}${reads ? `; reads ${listOf(reads)}` : ''}`,
  ];
}

/** Why a slot looks as it does on a page: release, cache, rendering, permissions, failures. One sentence each. */
export function explainSlot(
  slot: string,
  { status, headers, html, readiness, provides }: ExplainedPage,
): string[] {
  const boot = bootSchema.safeParse(json(BOOT_DATA.exec(html)?.[1] ?? '')).data;
  const outcome = /\bpage;desc="([^"]*)"/.exec(headers['server-timing'] ?? '')?.[1] ?? '';
  const lines = [`page: status ${status}, ${OUTCOMES[outcome] ?? `made as '${outcome}'`}`];
  if (!boot) return [...lines, 'the response is no composed page'];
  const found = boot.slots.find((one) => one.slot === slot);
  if (!found) {
    const others = boot.slots.map((one) => one.slot).join(', ');
    return [...lines, `slot ${slot} is not in the layout of this page, which has ${others}`];
  }
  const { remote, rendered, hydrate, frame } = found;
  const version = frame?.version ?? boot.remotes.find(({ name }) => name === remote)?.version;
  const release = remote === null ? 'the shell itself' : `${remote}@${version ?? 'none'}`;
  lines.push(`release: ${release}${frame ? ', in a frame' : ''}`, `rendering: ${RENDERED[rendered]}`);
  lines.push(`browser: becomes interactive at '${hydrate}'`);
  if (remote !== null) lines.push(...permissionLines(slot, remote, provides));
  const health = readinessSchema.safeParse(readiness).data;
  if (!health || remote === null) return lines;
  const live = health.releases[remote];
  if (version !== undefined && live !== undefined && live !== version)
    lines.push(`choice: ${live} is live; this visitor has the canary, an override or an older kept page`);
  if (version === undefined) lines.push(`choice: no release of ${remote} is live in this shell`);
  const code = health.failing[release]?.[slot];
  if (code !== undefined)
    lines.push(`failure: ${code} within the last minute; the shell's log has the reason`);
  for (const [refused, reasons] of Object.entries(health.refused))
    if (refused.startsWith(`${remote}@`))
      lines.push(
        `refused: ${refused}: ${reasons.map(({ rule, found: what }) => `${rule}, ${what}`).join('; ')}`,
      );
  return lines;
}
