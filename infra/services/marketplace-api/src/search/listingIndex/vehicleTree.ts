import type { Named } from '../../domain/stock.ts';
import type { Bitmap, DocumentSet } from './bitmap.ts';
import { SingleColumn } from './facetColumn.ts';

/** A make, model and trim that listings have or had; without `trim`, those of unknown trim. */
export interface VehicleNode {
  readonly make: Named;
  readonly model: Named;
  readonly trim?: Named;
}

/** Codes in the order of the search. */
export interface VehicleSelection {
  readonly makes: readonly string[];
  readonly models: readonly string[];
  readonly trims: readonly string[];
}

/** Tells nodes apart, regardless of case. */
export const vehicleKey = ({ make, model, trim }: VehicleNode): string =>
  `${make.code}\n${model.code}\n${trim?.code ?? ''}`;

export const ANY_VEHICLE: VehicleSelection = { makes: [], models: [], trims: [] };

export interface VehicleCount extends Named {
  readonly count: number;
  /** The model's make, the trim's make and model. */
  readonly make?: Named;
  readonly model?: Named;
}

/**
 * Make, model and trim as one column. The three are make groups, not three
 * independent lists: each chosen model narrows its own make, each
 * chosen trim its own model, and the other makes stay whole. So Ford, Honda
 * and the model F150 mean "F150s and every Honda". A model of none of the
 * chosen makes belongs to the first one, which it leaves empty; a trim of none
 * of the chosen models to the first of these.
 */
export class VehicleTree {
  readonly nodes: VehicleNode[] = [];
  /** Lower-case words of each node, for the keyword filter. */
  readonly words: (readonly string[])[] = [];
  private readonly makeLevel = new VehicleLevel();
  private readonly modelLevel = new VehicleLevel();
  private readonly trimLevel = new VehicleLevel();
  /** Of each node: its make, its model, and its trim or -1. */
  private readonly makeOf: number[] = [];
  private readonly modelOf: number[] = [];
  private readonly trimOf: number[] = [];

  /** Adds the next node. Its key must be new. */
  enter({ make, model, trim }: VehicleNode): void {
    this.nodes.push({ make, model, ...(trim && { trim }) });
    const text = `${make.name} ${model.name} ${trim?.name ?? ''}`.toLowerCase();
    this.words.push(text.split(/[^a-z0-9]+/).filter(Boolean));
    const makeEntry = this.makeLevel.enter(make, -1);
    const modelEntry = this.modelLevel.enter(model, makeEntry);
    this.makeOf.push(makeEntry);
    this.modelOf.push(modelEntry);
    this.trimOf.push(trim ? this.trimLevel.enter(trim, modelEntry) : -1);
  }

  /** 1 for each node that the selection admits; index 0 stands for "no node". */
  admitted(selection: VehicleSelection): Uint8Array {
    const mask = new Uint8Array(this.nodes.length + 1);
    const models = this.admittedModels(selection);
    const trims = this.narrowedTrims(selection);
    const onlyNamedTrims = selection.trims.length > 0 && selection.models.length === 0;
    for (let node = 0; node < this.nodes.length; node++) {
      const model = this.modelOf[node]!;
      if (!models[model]) continue;
      const allowed = trims.get(model);
      if (allowed ? allowed.has(this.trimOf[node]!) : !onlyNamedTrims) mask[node + 1] = 1;
    }
    return mask;
  }

  /** Names of the selected make, model and trim, as far as listings have had them. */
  names(selection: VehicleSelection): { make?: Named; model?: Named; trim?: Named } {
    const make = this.makeLevel.withCode(selection.makes[0] ?? '')[0];
    const model = this.modelLevel
      .withCode(selection.models[0] ?? '')
      .find((entry) => this.modelLevel.parents[entry] === make);
    const trim = this.trimLevel
      .withCode(selection.trims[0] ?? '')
      .find((entry) => this.trimLevel.parents[entry] === model);
    return {
      ...(make !== undefined && { make: this.makeLevel.entries[make] }),
      ...(model !== undefined && { model: this.modelLevel.entries[model] }),
      ...(trim !== undefined && { trim: this.trimLevel.entries[trim] }),
    };
  }

  total(counts: Int32Array, selection: VehicleSelection): number {
    const mask = this.admitted(selection);
    let total = 0;
    for (let node = 0; node < counts.length; node++) total += counts[node]! * mask[node + 1]!;
    return total;
  }

  /** All makes with counts, regardless of the selection. */
  makes(counts: Int32Array): VehicleCount[] {
    const sums = this.sum(counts, this.makeOf, this.makeLevel.size);
    return this.makeLevel.entries.map((make, index) => ({ ...make, count: sums[index]! }));
  }

  /** Models of the selected makes (of all makes without a selection) with counts. */
  models(counts: Int32Array, { makes }: VehicleSelection): VehicleCount[] {
    const admitted = this.admittedModels({ ...ANY_VEHICLE, makes });
    const sums = this.sum(counts, this.modelOf, this.modelLevel.size);
    return this.modelLevel.entries.flatMap(({ code, name }, index) =>
      admitted[index] ? [{ code, name, make: this.makeOfModel(index), count: sums[index]! }] : [],
    );
  }

  /** Trims of the selected models (of all models of the selected makes without one) with counts. */
  trims(counts: Int32Array, selection: VehicleSelection): VehicleCount[] {
    const { makes, models } = selection;
    const admitted = this.admittedModels({ ...ANY_VEHICLE, makes, models });
    const chosenModels = new Set(models.flatMap((code) => this.modelLevel.withCode(code)));
    const sums = this.sum(counts, this.trimOf, this.trimLevel.size);
    return this.trimLevel.entries.flatMap(({ code, name }, index) => {
      const model = this.trimLevel.parents[index]!;
      if (!admitted[model] || (models.length > 0 && !chosenModels.has(model))) return [];
      const entry = this.modelLevel.entries[model]!;
      return [{ code, name, make: this.makeOfModel(model), model: entry, count: sums[index]! }];
    });
  }

  private makeOfModel(model: number): Named {
    return this.makeLevel.entries[this.modelLevel.parents[model]!]!;
  }

  /** 1 for each model that the makes and models of a selection admit. */
  private admittedModels({ makes, models }: VehicleSelection): Uint8Array {
    const chosen = makes.flatMap((code) => this.makeLevel.withCode(code));
    const narrowed = this.modelLevel.narrow(models, makes.length > 0 ? chosen : undefined, () =>
      this.makeLevel.withCode(makes[0]!),
    );
    const mask = new Uint8Array(this.modelLevel.size);
    this.modelLevel.parents.forEach((make, model) => {
      if (makes.length > 0 && !chosen.includes(make)) return;
      const allowed = narrowed.get(make);
      const onlyNamed = models.length > 0 && makes.length === 0;
      if (allowed ? allowed.has(model) : !onlyNamed) mask[model] = 1;
    });
    return mask;
  }

  /** The remaining trims of each model that the selected trims narrow. A code such as 'F150|Unknown' names its model. */
  private narrowedTrims({ models, trims }: VehicleSelection): Map<number, Set<number>> {
    const isChosen = new Set(models.map((code) => code.toUpperCase()));
    const chosen = models.flatMap((code) => this.modelLevel.withCode(code));
    return this.trimLevel.narrow(trims, models.length > 0 ? chosen : undefined, (code) => {
      const chosenModels = code.split('|')[0]!;
      return this.modelLevel.withCode(isChosen.has(chosenModels.toUpperCase()) ? chosenModels : models[0]!);
    });
  }

  private sum(counts: Int32Array, groupOf: readonly number[], groups: number): Int32Array {
    const sums = new Int32Array(groups);
    for (let node = 0; node < counts.length; node++) {
      const group = groupOf[node]!;
      if (group >= 0) sums[group] = sums[group]! + counts[node]!;
    }
    return sums;
  }
}

/** The tree with the node of each document. */
export class VehicleColumn extends VehicleTree {
  readonly column: SingleColumn;
  /** Makes only; the most common filter is a union of bitmaps. */
  readonly makeColumn: SingleColumn;

  constructor(capacity: number) {
    super();
    this.column = new SingleColumn(capacity, { isListed: true });
    this.makeColumn = new SingleColumn(capacity);
  }

  add(doc: number, vehicle: VehicleNode): void {
    this.column.add(doc, vehicleKey(vehicle));
    this.makeColumn.add(doc, vehicle.make.code);
    if (this.column.values.length > this.nodes.length) this.enter(vehicle);
  }

  /** Documents that the selection admits, only among `docs` if given. */
  select(selection: VehicleSelection, out: Bitmap, docs?: Int32Array): void {
    if (selection.models.length === 0 && selection.trims.length === 0)
      this.makeColumn.select(selection.makes, out);
    else this.column.collectMask(this.admitted(selection), out, docs);
  }

  /** Documents of `set` per node. */
  count(set: DocumentSet, live: DocumentSet): Int32Array {
    return this.column.count(set, live);
  }
}

/** Makes, models or trims: entries under a parent, found by case-insensitive code. */
class VehicleLevel {
  readonly entries: Named[] = [];
  /** Parent of each entry; -1 at the top. */
  readonly parents: number[] = [];
  private readonly byParent = new Map<string, number>();
  private readonly byCode = new Map<string, number[]>();

  get size(): number {
    return this.entries.length;
  }

  /** Finds or adds the entry with that code under the parent. */
  enter(chosenModels: Named, parent: number): number {
    const code = chosenModels.code.toUpperCase();
    const key = `${parent}\n${code}`;
    const existing = this.byParent.get(key);
    if (existing !== undefined) return existing;
    const entry = this.entries.length;
    this.entries.push(chosenModels);
    this.parents.push(parent);
    this.byParent.set(key, entry);
    this.byCode.set(code, [...(this.byCode.get(code) ?? []), entry]);
    return entry;
  }

  /** Entries with that code, one per parent. */
  withCode(code: string): readonly number[] {
    return this.byCode.get(code.toUpperCase()) ?? [];
  }

  /**
   * The remaining entries of each parent that the codes narrow. Codes narrow the
   * chosen parents that have them, or any parent if `chosen` is undefined. A code
   * that no chosen parent has empties the parents of `emptiedBy`.
   */
  narrow(
    codes: readonly string[],
    chosen: readonly number[] | undefined,
    emptiedBy: (code: string) => readonly number[],
  ): Map<number, Set<number>> {
    const remaining = new Map<number, Set<number>>();
    const groupOf = (parent: number) => {
      const group = remaining.get(parent) ?? new Set<number>();
      remaining.set(parent, group);
      return group;
    };
    for (const code of codes) {
      const entries = this.withCode(code).filter((entry) => !chosen || chosen.includes(this.parents[entry]!));
      for (const entry of entries) groupOf(this.parents[entry]!).add(entry);
      if (entries.length === 0 && chosen) emptiedBy(code).forEach(groupOf);
    }
    return remaining;
  }
}
