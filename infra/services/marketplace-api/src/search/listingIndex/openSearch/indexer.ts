import type { StockLog } from '../../../inventory/index.ts';
import { type IndexStorage, OutdatedWrite, type Slot } from './indexStorage.ts';
import { Vocabulary } from './vocabulary.ts';

export interface IndexerOptions {
  /**
   * Runs work while no other process indexes by a definition; returns whether it ran. By default there is no other
   * process.
   */
  readonly alone?: (definition: string, work: () => Promise<void>) => Promise<boolean>;
  /** ms for which a replaced index stays, until nobody searches in it. */
  readonly graceMs?: number;
}

/** An index that is being written. */
interface Target {
  readonly slot: string;
  /** The change up to which it has everything. */
  position: number;
  isPublished: boolean;
  /** Whether searches see everything up to the position: whoever wrote it may have ended before they did. */
  isVisible: boolean;
  /** Whether it is known to have the listings of the stock: others may have changed what was found. */
  isVerified: boolean;
  /** What its listings have or had. */
  readonly vocabulary: Vocabulary;
  /** Of an index that began empty: sellers of what was written. The listings of all others are written later. */
  readonly sellers?: Set<string>;
}

/** Keeps the index like a stock: one process at a time. What another one has begun, it continues. */
export class Indexer {
  private readonly storage: IndexStorage;
  private readonly alone: NonNullable<IndexerOptions['alone']>;
  private readonly graceMs: number;
  private target: Target | undefined;
  /** Indexes that are not like the stock. */
  private readonly wrong = new Set<string>();
  /** Index and position of the last write that was refused. */
  private refused = '';
  /** ms since 1970, of the last look at what is left over. */
  private tidiedAt = 0;

  constructor(storage: IndexStorage, { alone = withoutOthers, graceMs = 0 }: IndexerOptions = {}) {
    this.storage = storage;
    this.alone = alone;
    this.graceMs = graceMs;
  }

  /**
   * Writes what the index lacks, and builds one if there is none: beside that which is searched until the other is
   * complete. Returns the number of listings written.
   */
  async bringUpTo(log: StockLog, signal?: AbortSignal): Promise<number> {
    try {
      let written = 0;
      for (;;) {
        const target = (this.target ??= await this.open(log));
        const rows = await this.write(target, log, signal);
        written += rows ?? 0;
        if (rows !== undefined && (await this.isLike(target, log))) break;
        this.target = undefined;
        if (rows === undefined) continue;
        if (target.sellers) throw new Error(`Not all listings were indexed in ${target.slot}`);
        this.wrong.add(target.slot);
      }
      await this.publish(this.target, signal);
      return written;
    } catch (error) {
      if (error instanceof OutdatedWrite) this.noteRefusal();
      // Whoever continues asks the index how far it is.
      this.target = undefined;
      throw error;
    }
  }

  /** Twice at one position, no other process is ahead: the index belongs to another state of the stock. */
  private noteRefusal(): void {
    const { slot, position } = this.target!;
    const refused = `${slot} ${position}`;
    if (this.refused === refused) this.wrong.add(slot);
    this.refused = refused;
  }

  /** An index that has some of the stock, or a new one. One that is ahead of the stock belongs to a state that was lost. */
  private async open(log: StockLog): Promise<Target> {
    this.tidiedAt = Date.now();
    const slots = await this.storage.slots();
    const own = slots.filter(
      ({ name, definition, stock }) =>
        definition === this.storage.definition && stock === log.stock && !this.wrong.has(name),
    );
    for (const { name: slot, isPublished } of own.sort(publishedFirst)) {
      const position = await this.storage.position(slot);
      if (position > (await log.lastChange())) continue;
      const vocabulary = new Vocabulary();
      for (const entry of await this.storage.entries(slot)) vocabulary.enter(entry);
      return { slot, position, isPublished, isVisible: false, isVerified: false, vocabulary };
    }
    const slot = this.storage.freeName(slots) ?? (await this.makeRoom(slots));
    await this.storage.create(slot, log.stock);
    this.wrong.delete(slot);
    return {
      slot,
      position: -1,
      isPublished: false,
      isVisible: false,
      isVerified: false,
      vocabulary: new Vocabulary(),
      sellers: new Set(),
    };
  }

  /** Removes one of two indexes that nobody needs. */
  private async makeRoom(slots: readonly Slot[]): Promise<string> {
    const unused = slots.toSorted(publishedFirst).reverse();
    for (const slot of unused) if (await this.remove(slot)) return slot.name;
    throw new Error('Both indexes are used by other releases');
  }

  /** One of another definition stays while a release with that definition runs. */
  private async remove({ name, definition = '' }: Slot): Promise<boolean> {
    const remove = () => this.storage.remove(name);
    if (definition !== this.storage.definition) return this.alone(definition, remove);
    await remove();
    return true;
  }

  /** Writes what is missing; undefined if the index is gone, or is further than this process has brought it. */
  private async write(
    target: Target,
    log: StockLog,
    signal: AbortSignal | undefined,
  ): Promise<number | undefined> {
    const { slot, sellers } = target;
    const began = target.position;
    let written = 0;
    const last = await log.lastChange();
    for await (const { until, listings, owners: changed } of log.pagesAfter(began, last)) {
      signal?.throwIfAborted();
      const present = changed.map(({ owner }) => owner.id).filter((id) => !sellers || sellers.has(id));
      const ids = present.length > 0 ? await this.storage.listingsOf(slot, present) : [];
      const inPage = new Set(listings.map(({ id }) => id));
      const others = await log.find(ids.filter((id) => !inPage.has(id)));
      const rows = [...listings, ...others];
      // Read after the rows, so never older. One that changed since comes in a later page or write, and its listings again.
      const owners = await log.owners([...new Set(rows.flatMap(({ listing }) => listing?.ownerId ?? []))]);
      // Not `until`: whoever continues begins its pages elsewhere.
      await this.storage.write(slot, rows, owners, last);
      const entries = rows.flatMap(({ listing }) =>
        listing ? target.vocabulary.add(listing, owners.get(listing.ownerId)!) : [],
      );
      await this.storage.writeEntries(slot, entries, last);
      for (const { listing } of rows) if (listing) sellers?.add(listing.ownerId);
      target.isVisible = false;
      await this.storage.record(slot, until);
      target.position = until;
      written += rows.length;
    }
    signal?.throwIfAborted();
    if (target.isVisible) return (await this.storage.position(slot)) === began ? written : undefined;
    await this.storage.show(slot, target.position);
    target.isVisible = true;
    return written;
  }

  /** Whether the index has as many listings as the stock: asked once, when the stock rests. */
  private async isLike(target: Target, log: StockLog): Promise<boolean> {
    if (target.isVerified) return true;
    const size = await log.sizeAt(target.position);
    target.isVerified = size !== undefined;
    return size === undefined || size === (await this.storage.size(target.slot));
  }

  /** Leads searches to the index when it is complete, and removes the other one when nobody searches in it. */
  private async publish(target: Target | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (!target) return;
    signal?.throwIfAborted();
    if (!target.isPublished) {
      await this.storage.publish(target.slot);
      target.isPublished = true;
      this.tidiedAt = Date.now();
    }
    if (Date.now() - this.tidiedAt < this.graceMs) return;
    this.tidiedAt = Date.now();
    for (const slot of await this.storage.slots()) if (slot.name !== target.slot) await this.remove(slot);
  }
}

const withoutOthers = async (_: string, work: () => Promise<void>): Promise<boolean> => {
  await work();
  return true;
};

const publishedFirst = (a: Slot, b: Slot): number => Number(b.isPublished) - Number(a.isPublished);
