import { useEffect, useState } from 'react';
import { STORAGE_KEYS, readStored, webStorage, writeStored } from '../storage/webStorage.ts';
import { emptyDrafts, parseDrafts } from '../state/drafts.ts';

/** Drafts live in session storage, so they survive a reload of the tab. */
export function useStoredDrafts() {
  const [drafts, setDrafts] = useState(
    () => readStored(STORAGE_KEYS.leadDrafts, parseDrafts, webStorage('session')) ?? emptyDrafts,
  );
  useEffect(() => {
    writeStored(STORAGE_KEYS.leadDrafts, drafts, webStorage('session'));
  }, [drafts]);
  return [drafts, setDrafts] as const;
}
