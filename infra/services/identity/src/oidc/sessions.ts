import type { Db } from '../store/database.ts';

/** Ends the sessions and tokens of an account everywhere but in the session `keptUid`. */
export type EndSessions = (accountId: string, keptUid?: string) => void;

export function createEndSessions(db: Db): EndSessions {
  const remove = db.prepare(
    `DELETE FROM artifact WHERE model IN ('Session', 'Grant', 'RefreshToken', 'AccessToken', 'AuthorizationCode')
     AND json_extract(payload, '$.accountId') = @accountId
     AND NOT (model = 'Session' AND uid IS @keptUid)`,
  );
  return (accountId, keptUid) => void remove.run({ accountId, keptUid: keptUid ?? '' });
}
