/** A list of ids in a storage of the browser, newest first; blocked or foreign content counts as empty. */
export interface IdList {
  readonly read: () => readonly string[];
  readonly add: (id: string) => void;
}

/** `storage` is asked for each time: reading it can throw where it is blocked. */
export function idList(storage: () => Storage, key: string, limit: number): IdList {
  const read = (): readonly string[] => {
    try {
      const stored: unknown = JSON.parse(storage().getItem(key) ?? '[]');
      return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : [];
    } catch {
      return [];
    }
  };
  return {
    read,
    add(id) {
      const ids = [id, ...read().filter((other) => other !== id)].slice(0, limit);
      try {
        storage().setItem(key, JSON.stringify(ids));
      } catch {
        // Without storage it is forgotten with the page.
      }
    },
  };
}
