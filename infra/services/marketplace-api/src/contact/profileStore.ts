import type { LeadProfile } from '@forecourt/shared-contracts/entities';
import type { Caller } from '../people/caller.ts';
import type { Db } from '../store/database.ts';
import type { LeadProfileForm } from '../http/callTypes.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';

/** Who writes to sellers: what the caller entered, else what the id token says. */
export interface ProfileStore {
  get(caller: Caller): LeadProfile;
  save(caller: Caller, profile: LeadProfileForm): void;
}

/** An account's own profile stands before its browser's. */
const ownersOf = ({ account, consumer }: Caller): string[] =>
  account !== undefined ? [`account:${account}`] : consumer !== undefined ? [`consumer:${consumer}`] : [];

export function createProfileStore(db: Db, now: () => number = Date.now): ProfileStore {
  const select = db.prepare<[string], string>('SELECT body FROM profiles WHERE owner = ?').pluck();
  const upsert = db.prepare(
    `INSERT INTO profiles (owner, body, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (owner) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
  );
  return {
    get(caller) {
      for (const owner of ownersOf(caller)) {
        const body = select.get(owner);
        if (body !== undefined) return CALLS.leadCandidates.response.shape.profile.parse(JSON.parse(body));
      }
      const { email = '', name } = caller;
      return {
        firstName: name?.first ?? '',
        lastName: name?.last ?? '',
        email,
        phone: '',
        isOneClickOptedIn: false,
      };
    },
    save(caller, profile) {
      for (const owner of ownersOf(caller)) upsert.run(owner, JSON.stringify(profile), now());
    },
  };
}
