import { vehicleFactsIn } from './columnNames.ts';
import { ABOVE } from './groupsAbove.ts';

/** A kind of group: all elements or objects of one path. */
interface Kind {
  readonly path: string;
  readonly depth: number;
  readonly leaves: Set<string>;
  readonly parts: Map<string, Kind>;
  count: number;
  /** Occurs more than once in the group around it. */
  isRepeated: boolean;
  isListed: boolean;
}

interface Open {
  readonly kind: Kind;
  readonly names: Set<string>;
}

/** Deepest groups that are looked into. */
const DEEPEST = 12;

/** Learns the structure of a nested document from its beginning, to find the groups that are its rows. */
export class DocumentSurvey {
  private readonly kinds: Kind[] = [];
  private readonly roots = new Map<string, Kind>();
  private readonly opened: Open[] = [];

  /** `isListed`: it is an entry of an array. */
  open(name: string, isListed: boolean): void {
    const around = this.opened.at(-1);
    const siblings = around?.kind.parts ?? this.roots;
    let kind = siblings.get(name);
    if (!kind) {
      const path = around ? `${around.kind.path}/${name}` : name;
      kind = {
        path,
        depth: this.opened.length,
        leaves: new Set(),
        parts: new Map(),
        count: 0,
        isRepeated: false,
        isListed,
      };
      siblings.set(name, kind);
      this.kinds.push(kind);
    }
    kind.count += 1;
    if (around?.names.has(name)) kind.isRepeated = true;
    around?.names.add(name);
    this.opened.push({ kind, names: new Set() });
  }

  leaf(name: string): void {
    this.opened.at(-1)?.kind.leaves.add(name);
  }

  /** A group that turns out to be a value. */
  closeAsLeaf(): void {
    const closed = this.opened.pop();
    const around = this.opened.at(-1);
    if (!closed) return;
    const name = closed.kind.path.split('/').at(-1) ?? '';
    around?.kind.leaves.add(name);
    if (closed.kind.leaves.size > 0 || closed.kind.parts.size > 0) return;
    closed.kind.count -= 1;
  }

  close(): void {
    this.opened.pop();
  }

  /**
   * The path of the rows: where most columns of the mapping are, else most facts of a vehicle. Of equals, the outermost that
   * repeats, which has the others as its parts; without any, what looks like a list.
   */
  rowsPath(mapped: readonly string[]): string | undefined {
    const wanted = mapped.filter((column) => !column.startsWith(ABOVE));
    const rated = this.kinds
      .filter((kind) => kind.count > 0)
      .map((kind) => {
        const columns = columnsOf(kind);
        return {
          kind,
          mapped: wanted.filter(
            (column) => columns.has(column) || columns.has(column.replace(/\.#text$/, '')),
          ).length,
          facts: vehicleFactsIn(columns),
          repeats: kind.isRepeated || kind.isListed ? 1 : 0,
        };
      })
      .filter(({ mapped: known, facts }) => known > 0 || facts > 1)
      .sort(
        (a, b) =>
          b.mapped - a.mapped ||
          b.facts - a.facts ||
          b.repeats - a.repeats ||
          (a.repeats ? a.kind.depth - b.kind.depth : b.kind.depth - a.kind.depth),
      );
    return rated[0]?.kind.path ?? this.firstList();
  }

  /** The path of the entries of an array. */
  listNamed(name: string): string | undefined {
    const ending = `/${name}.*`;
    return this.kinds.find(({ path, isListed }) => isListed && path.endsWith(ending))?.path;
  }

  private firstList(): string | undefined {
    const kinds = this.kinds.filter((kind) => kind.count > 0);
    return (kinds.find(({ isListed }) => isListed) ?? kinds.find(({ depth }) => depth === 1))?.path;
  }
}

/** The columns of a group, with those of its parts that occur once. */
function columnsOf(kind: Kind, prefix = '', into = new Set<string>()): ReadonlySet<string> {
  for (const leaf of kind.leaves) into.add(prefix + leaf);
  if (kind.depth < DEEPEST)
    for (const [name, part] of kind.parts)
      if (!part.isRepeated && !part.isListed) columnsOf(part, `${prefix}${name}.`, into);
  return into;
}
