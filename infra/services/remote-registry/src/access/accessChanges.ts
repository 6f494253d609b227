import { RegistryError } from '@forecourt/cli/release';
import type { AccessRecord, AccessStore } from '../ports.ts';
import { SerialQueue } from '../serialQueue.ts';

/** Retries of a change when another registry was faster. */
const ATTEMPTS = 10;

/** Changes of the access record, one after another, each by compare-and-set. */
export class AccessChanges {
  readonly #store: AccessStore;
  readonly #changing = new SerialQueue();

  constructor(store: AccessStore) {
    this.#store = store;
  }

  change<T>(
    change: (record: AccessRecord) => Partial<Omit<AccessRecord, 'revision'>> & { result: T },
  ): Promise<T> {
    return this.#changing.run(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const record = await this.#store.readAccess();
        const { result, ...changed } = change(record);
        try {
          const next = { ...record, ...changed, revision: record.revision + 1 };
          await this.#store.writeAccess(next, record.revision);
          return result;
        } catch (error) {
          const isRace = error instanceof RegistryError && error.code === 'REVISION_CHANGED';
          if (!isRace || attempt >= ATTEMPTS) throw error;
        }
      }
    });
  }
}
