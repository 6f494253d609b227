import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from './sql.ts';

/** ms until another process may take over from one that died. Clocks of replicas must differ by less than a third of it. */
const LEASE_MS = 30_000;

/** Work that one process of several does at a time. */
export interface Lease {
  /** A signal that is aborted when the lease is lost, or undefined while another process has it. Rejects like Sql. */
  readonly hold: () => Promise<AbortSignal | undefined>;
  /** Lets another process take over at once. */
  readonly release: () => Promise<void>;
}

/** Whether a process has a lease, or has died so recently that no other one can have it. */
export async function isLeaseHeld(sql: Sql, name: string, now = Date.now): Promise<boolean> {
  const held = await sql.get('SELECT 1 AS found FROM leases WHERE name = ? AND until_at > ?', name, now());
  return held !== undefined;
}

/**
 * A lease in the table `leases (name, holder, until_at)`. It is renewed until `release`; if that fails for its whole
 * length, it counts as lost here before another process can take it.
 */
export function createLease(
  sql: Sql,
  name: string,
  { leaseMs = LEASE_MS, now = Date.now }: { readonly leaseMs?: number; readonly now?: () => number } = {},
): Lease {
  const holder = randomUUID();
  let held: { readonly lost: AbortController; readonly timer: NodeJS.Timeout } | undefined;
  let until = 0;
  /** Renewals in flight. Never rejects. */
  let renewals: Promise<unknown> = Promise.resolve();
  let isRenewing = false;

  async function take(): Promise<boolean> {
    const next = now() + leaseMs;
    const changes = await sql.run(
      `INSERT INTO leases (name, holder, until_at) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until_at = excluded.until_at
       WHERE leases.holder = excluded.holder OR leases.until_at <= ?`,
      name,
      holder,
      next,
      now(),
    );
    if (changes === 1) until = next;
    return changes === 1;
  }
  function lose(): void {
    clearInterval(held?.timer);
    held?.lost.abort();
    held = undefined;
  }
  async function renew(): Promise<void> {
    for (;;) {
      const isHeld = await take().catch(() => undefined);
      if (isHeld === true || !held) return;
      // An unreachable database is asked again until the lease is about to end.
      if (isHeld === false || now() >= until - leaseMs / 3) return lose();
      await wait(leaseMs / 30, undefined, { ref: false });
    }
  }

  return {
    async hold() {
      if (held || !(await take())) return held?.lost.signal;
      const timer = setInterval(() => {
        if (isRenewing) return;
        isRenewing = true;
        const renewal = renew().finally(() => (isRenewing = false));
        renewals = Promise.all([renewals, renewal]);
      }, leaseMs / 3);
      timer.unref();
      held = { lost: new AbortController(), timer };
      return held.lost.signal;
    },
    async release() {
      const isHeld = held !== undefined;
      lose();
      // A renewal that reached the database later would take the lease again.
      await renewals;
      if (isHeld) await sql.run('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder);
    },
  };
}
