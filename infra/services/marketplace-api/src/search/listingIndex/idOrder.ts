/**
 * Documents in ascending order of their ids: the tie break of every sort.
 * Ranks are dense, so a sort key and a rank fit one double.
 */
export class IdOrder {
  /** Document at each rank. */
  docs = new Int32Array(0);
  /** Rank of each document; meaningless for removed ones. */
  ranks = new Int32Array(0);

  /** Merges added documents and drops removed ones, in one pass whatever the batch size. */
  update(added: readonly number[], removed: ReadonlySet<number>, idOf: readonly string[]): void {
    if (added.length === 0 && removed.size === 0) return;
    const fresh = [...added].sort((a, b) => (idOf[a]! < idOf[b]! ? -1 : 1));
    const merged = new Int32Array(this.docs.length + fresh.length);
    let n = 0;
    let from = 0;
    const copyUntil = (end: number) => {
      for (; from < end; from++) {
        const doc = this.docs[from]!;
        if (!removed.has(doc)) merged[n++] = doc;
      }
    };
    for (const doc of fresh) {
      copyUntil(this.position(idOf[doc]!, from, idOf));
      merged[n++] = doc;
    }
    copyUntil(this.docs.length);
    this.docs = merged.slice(0, n);
    if (this.ranks.length < idOf.length) this.ranks = new Int32Array(Math.ceil(idOf.length * 1.25));
    for (let rank = 0; rank < n; rank++) this.ranks[this.docs[rank]!] = rank;
  }

  /** First position from `low` whose id is greater. */
  private position(id: string, low: number, idOf: readonly string[]): number {
    let high = this.docs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (idOf[this.docs[middle]!]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
