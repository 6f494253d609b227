import type { Named, StockListing } from '../domain/stock.ts';
import type { Bitmap } from './bitmap.ts';
import type { DocumentSet } from './documentSet.ts';
import { SingleColumn } from './facetColumn.ts';

/** One make, model and trim that listings have or had; without `trim`, those of no known trim. */
export interface VehicleNode {
  readonly make: Named;
  readonly model: Named;
  readonly trim?: Named;
}

/** Codes as a search names them, in its order. */
export interface VehicleSelection {
  readonly makes: readonly string[];
  readonly models: readonly string[];
  readonly trims: readonly string[];
}

export interface VehicleCount extends Named {
  readonly count: number;
  /** The model's make, the trim's make and model. */
  readonly make?: Named;
  readonly model?: Named;
}

const upper = (values: readonly string[]) => values.map((value) => value.toUpperCase());

/**
 * Make, model and trim as one column. The three are make groups, not three
 * independent lists (AMB-080): each chosen model narrows its own make, each
 * chosen trim its own model, and the other makes stay whole. So Ford, Honda
 * and the model F150 mean "F150s and every Honda". A model of none of the
 * chosen makes belongs to the first one, which it leaves empty; a trim of none
 * of the chosen models to the first of these.
 */
export class VehicleTree {
  readonly nodes: VehicleNode[] = [];
  readonly column: SingleColumn;
  /** Lower-case words of each node, for the keyword filter. */
  readonly words: (readonly string[])[] = [];

  constructor(capacity: number) {
    this.column = new SingleColumn(capacity);
  }

  add(doc: number, { make, model, trim }: Pick<StockListing, 'make' | 'model' | 'trim'>): void {
    this.column.add(doc, `${make.code}\n${model.code}\n${trim?.code ?? ''}`);
    if (this.column.values.length > this.nodes.length) {
      this.nodes.push({ make, model, ...(trim && { trim }) });
      const text = `${make.name} ${model.name} ${trim?.name ?? ''}`.toLowerCase();
      this.words.push(text.split(/[^a-z0-9]+/).filter(Boolean));
    }
  }

  remove(doc: number): void {
    this.column.remove(doc);
  }

  /** 1 for each node that the selection admits; index 0 stands for "no node". */
  admitted(selection: VehicleSelection): Uint8Array {
    const mask = new Uint8Array(this.nodes.length + 1);
    const accepts = this.matcher(selection);
    this.nodes.forEach((node, index) => {
      if (accepts(node)) mask[index + 1] = 1;
    });
    return mask;
  }

  select(selection: VehicleSelection, out: Bitmap): void {
    this.column.collectMask(this.admitted(selection), out);
  }

  /** Documents of `set` per node. */
  count(set: DocumentSet, live: DocumentSet): Int32Array {
    return this.column.count(set, live);
  }

  total(counts: Int32Array, selection: VehicleSelection): number {
    const mask = this.admitted(selection);
    return counts.reduce((sum, count, index) => sum + count * mask[index + 1]!, 0);
  }

  /** Makes with their counts: the selection of make, model and trim does not bear on them. */
  makes(counts: Int32Array): VehicleCount[] {
    return this.sum(counts, ({ make }) => [make.code, make, {}]);
  }

  /** Models of the chosen makes (of all without one), whatever models and trims are chosen. */
  models(counts: Int32Array, { makes }: VehicleSelection): VehicleCount[] {
    const chosen = new Set(upper(makes));
    return this.sum(counts, ({ make, model }) =>
      chosen.size === 0 || chosen.has(make.code.toUpperCase())
        ? [`${make.code}\n${model.code}`, model, { make }]
        : undefined,
    );
  }

  /** Trims of the chosen models (of all models of the chosen makes without one), whatever trims are chosen. */
  trims(counts: Int32Array, selection: VehicleSelection): VehicleCount[] {
    const accepts = this.matcher({ ...selection, trims: [] });
    const chosenModels = new Set(upper(selection.models));
    return this.sum(counts, (node) => {
      const { make, model, trim } = node;
      const wanted = chosenModels.size === 0 || chosenModels.has(model.code.toUpperCase());
      return trim && wanted && accepts(node)
        ? [`${make.code}\n${trim.code}`, trim, { make, model }]
        : undefined;
    });
  }

  private sum(
    counts: Int32Array,
    entryOf: (node: VehicleNode) => [key: string, named: Named, parents: Partial<VehicleNode>] | undefined,
  ): VehicleCount[] {
    const entries = new Map<string, VehicleCount & { count: number }>();
    this.nodes.forEach((node, index) => {
      const entry = entryOf(node);
      if (!entry) return;
      const [key, named, parents] = entry;
      const present = entries.get(key);
      if (present) present.count += counts[index]!;
      else entries.set(key, { ...named, ...parents, count: counts[index]! });
    });
    return [...entries.values()];
  }

  private matcher(selection: VehicleSelection): (node: VehicleNode) => boolean {
    const makes = upper(selection.makes);
    const models = upper(selection.models);
    const trims = upper(selection.trims);
    const modelsByMake = this.group(models, makes, (node) => [node.make.code, node.model.code]);
    const trimsByModel = this.group(trims, models, (node) => [node.model.code, node.trim?.code]);
    const anyModelNamed = models.length > 0;

    return ({ make, model, trim }) => {
      const makeCode = make.code.toUpperCase();
      const modelCode = model.code.toUpperCase();
      if (makes.length > 0 && !makes.includes(makeCode)) return false;
      const ownModels = modelsByMake.get(makeCode);
      if (ownModels ? !ownModels.has(modelCode) : anyModelNamed && makes.length === 0) return false;
      const ownTrims = trimsByModel.get(modelCode);
      if (ownTrims) return trim !== undefined && ownTrims.has(trim.code.toUpperCase());
      return !(trims.length > 0 && !anyModelNamed);
    };
  }

  /**
   * Chosen codes under the parent that they narrow. `parents` are the chosen
   * parents; without any, a code narrows every parent that has it.
   */
  private group(
    codes: readonly string[],
    parents: readonly string[],
    codesOf: (node: VehicleNode) => [parent: string, code: string | undefined],
  ): Map<string, Set<string>> {
    const groups = new Map<string, Set<string>>();
    if (codes.length === 0) return groups;
    const unplaced = new Set(codes);
    const put = (parent: string, code: string) => {
      groups.set(parent, (groups.get(parent) ?? new Set()).add(code));
      unplaced.delete(code);
    };
    for (const node of this.nodes) {
      const [parent, code] = codesOf(node).map((part) => part?.toUpperCase()) as [string, string | undefined];
      if (code === undefined || !codes.includes(code)) continue;
      if (parents.length === 0 || parents.includes(parent)) put(parent, code);
    }
    const first = parents[0];
    for (const code of unplaced) {
      // 'F150|Unheard' still names its model, which it leaves empty.
      const named = code.split('|')[0]!;
      const owner = code.includes('|') && parents.includes(named) ? named : first;
      if (owner !== undefined) put(owner, code);
    }
    return groups;
  }
}
