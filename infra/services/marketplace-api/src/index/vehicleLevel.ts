import type { Named } from '../domain/stock.ts';

/** The makes, the models or the trims: entries under a parent, found by code without regard to case. */
export class VehicleLevel {
  readonly entries: Named[] = [];
  /** Parent of each entry; -1 at the top. */
  readonly parents: number[] = [];
  private readonly byParent = new Map<string, number>();
  private readonly byCode = new Map<string, number[]>();

  get size(): number {
    return this.entries.length;
  }

  /** The entry of that code under the parent, made at its first sight. */
  enter(named: Named, parent: number): number {
    const code = named.code.toUpperCase();
    const key = `${parent}\n${code}`;
    const known = this.byParent.get(key);
    if (known !== undefined) return known;
    const entry = this.entries.length;
    this.entries.push(named);
    this.parents.push(parent);
    this.byParent.set(key, entry);
    this.byCode.set(code, [...(this.byCode.get(code) ?? []), entry]);
    return entry;
  }

  /** Entries of that code, one for each parent that has it. */
  withCode(code: string): readonly number[] {
    return this.byCode.get(code.toUpperCase()) ?? [];
  }

  /**
   * For each parent that the codes narrow, the entries left of it. Codes narrow
   * the chosen parents that have them, every such parent when none is chosen
   * (undefined). A code that no chosen parent has leaves `emptiedBy` it nothing.
   */
  narrow(
    codes: readonly string[],
    chosen: readonly number[] | undefined,
    emptiedBy: (code: string) => readonly number[],
  ): Map<number, Set<number>> {
    const left = new Map<number, Set<number>>();
    const groupOf = (parent: number) => {
      const group = left.get(parent) ?? new Set<number>();
      left.set(parent, group);
      return group;
    };
    for (const code of codes) {
      const entries = this.withCode(code).filter((entry) => !chosen || chosen.includes(this.parents[entry]!));
      for (const entry of entries) groupOf(this.parents[entry]!).add(entry);
      if (entries.length === 0 && chosen) emptiedBy(code).forEach(groupOf);
    }
    return left;
  }
}
