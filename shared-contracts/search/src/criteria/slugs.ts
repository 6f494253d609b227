import type { FilterValues, SearchCriteria } from './criteria.ts';

/** Response of the slug call: one entry per make, model and trim. */
export interface SlugData {
  readonly makes: readonly {
    readonly code: string;
    readonly name: string;
    readonly slug: string;
    readonly models: readonly {
      readonly code: string;
      readonly name: string;
      readonly slug: string;
      /** 'XLT' or, with the model, 'F150|XLT' (AMB-051). */
      readonly trims?: readonly { readonly code: string; readonly name: string; readonly slug: string }[];
    }[];
  }[];
}

/** Looks up makes, models and trims by slug and by code. Trim codes include the model: 'F150|XLT'. */
export interface SlugReference {
  /** No makes are known, so a path with a make can't be resolved. */
  readonly isEmpty: boolean;
  makeBySlug(slug: string): string | undefined;
  modelBySlug(makeCode: string, slug: string): string | undefined;
  trimBySlug(makeCode: string, modelCode: string, slug: string): string | undefined;
  makeSlug(makeCode: string): string | undefined;
  modelSlug(makeCode: string, modelCode: string): string | undefined;
  trimSlug(makeCode: string, modelCode: string, trimCode: string): string | undefined;
  makeLabel(makeCode: string): string | undefined;
  /** `makeCodes` disambiguates makes that use the same model code. */
  modelLabel(modelCode: string, makeCodes?: readonly string[]): string | undefined;
  trimLabel(trimCode: string, makeCodes?: readonly string[]): string | undefined;
  /** Makes that have a model with this code; empty if unknown. */
  makesOfModel(modelCode: string): readonly string[];
  /** Full trim codes of a model; undefined if its trims are unknown. */
  trimCodes(makeCode: string, modelCode: string): readonly string[] | undefined;
}

interface Entry {
  readonly code: string;
  readonly name: string;
  readonly slug: string;
}

/** A slug in any spelling: 'f-150' and 'f150', 'landrover' and 'land-rover'. */
const plainSlug = (slug: string): string =>
  slug
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll('+', 'plus')
    .replace(/[^a-z0-9]/g, '');

/** Index by code and by slug. When two entries share a slug, only the first one has it. */
class Directory<Item extends Entry> {
  private readonly codes = new Map<string, Item>();
  private readonly slugs = new Map<string, Item>();
  private readonly plainSlugs = new Map<string, Item>();

  constructor(items: readonly Item[]) {
    for (const item of items) {
      if (this.codes.has(item.code)) continue;
      this.codes.set(item.code, item);
      if (!item.slug || this.slugs.has(item.slug)) continue;
      this.slugs.set(item.slug, item);
      const plain = plainSlug(item.slug);
      if (!this.plainSlugs.has(plain)) this.plainSlugs.set(plain, item);
    }
  }

  byCode(code: string): Item | undefined {
    return this.codes.get(code);
  }

  /** Also in the maker's spelling; the page redirects to its own. */
  bySlug(slug: string): Item | undefined {
    return this.slugs.get(slug) ?? this.plainSlugs.get(plainSlug(slug));
  }

  slugOf(code: string): string | undefined {
    const item = this.codes.get(code);
    return item && this.slugs.get(item.slug) === item ? item.slug : undefined;
  }
}

interface Model extends Entry {
  readonly trims: Directory<Entry> | undefined;
  readonly trimCodes: readonly string[] | undefined;
}

interface Make extends Entry {
  readonly models: Directory<Model>;
}

/** 'XLT' or 'F150|XLT' → 'F150|XLT'. */
const fullTrimCode = (modelCode: string, code: string) =>
  code.includes('|') ? code : `${modelCode}|${code}`;

/** Builds the lookups from the slug call's response; the result is immutable. */
export function createSlugReference(data: SlugData): SlugReference {
  const makesOfModel = new Map<string, string[]>();
  const makes = new Directory<Make>(
    data.makes.map((make) => ({
      ...make,
      models: new Directory<Model>(
        make.models.map((model) => {
          makesOfModel.set(model.code, [...(makesOfModel.get(model.code) ?? []), make.code]);
          const trims = model.trims?.map((trim) => ({ ...trim, code: fullTrimCode(model.code, trim.code) }));
          return {
            ...model,
            trims: trims && new Directory(trims),
            trimCodes: trims?.map((trim) => trim.code),
          };
        }),
      ),
    })),
  );
  const model = (makeCode: string, code: string) => makes.byCode(makeCode)?.models.byCode(code);
  const anyMake = (modelCode: string, preferred: readonly string[]) => {
    const owners = makesOfModel.get(modelCode) ?? [];
    return preferred.find((code) => owners.includes(code)) ?? owners[0];
  };
  return {
    isEmpty: data.makes.length === 0,
    makeBySlug: (slug) => makes.bySlug(slug)?.code,
    modelBySlug: (makeCode, slug) => makes.byCode(makeCode)?.models.bySlug(slug)?.code,
    trimBySlug: (makeCode, modelCode, slug) => model(makeCode, modelCode)?.trims?.bySlug(slug)?.code,
    makeSlug: (code) => makes.slugOf(code),
    modelSlug: (makeCode, code) => makes.byCode(makeCode)?.models.slugOf(code),
    trimSlug: (makeCode, modelCode, code) => model(makeCode, modelCode)?.trims?.slugOf(code),
    makeLabel: (code) => makes.byCode(code)?.name,
    modelLabel: (code, makeCodes = []) => {
      const make = anyMake(code, makeCodes);
      return make === undefined ? undefined : model(make, code)?.name;
    },
    trimLabel: (code, makeCodes = []) => {
      const modelCode = code.split('|')[0] ?? '';
      const make = anyMake(modelCode, makeCodes);
      return make === undefined ? undefined : model(make, modelCode)?.trims?.byCode(code)?.name;
    },
    makesOfModel: (code) => makesOfModel.get(code) ?? [],
    trimCodes: (makeCode, modelCode) => model(makeCode, modelCode)?.trimCodes,
  };
}

const noMatch = () => undefined;

/**
 * A reference without entries: for a page whose slug call failed, and for browsers, which leave slugs to the
 * server. Defined separately, so that scripts that use only this one don't include the lookups.
 */
export const EMPTY_SLUG_REFERENCE: SlugReference = {
  isEmpty: true,
  makeBySlug: noMatch,
  modelBySlug: noMatch,
  trimBySlug: noMatch,
  makeSlug: noMatch,
  modelSlug: noMatch,
  trimSlug: noMatch,
  makeLabel: noMatch,
  modelLabel: noMatch,
  trimLabel: noMatch,
  makesOfModel: () => [],
  trimCodes: noMatch,
};

/** URL segments of the makes and models of a search, and of all trims of those models. */
export function slugsOf(
  { makeCode = [], modelCode = [] }: FilterValues,
  reference: SlugReference,
): NonNullable<SearchCriteria['slugs']> {
  const slugs: [string, string][] = [];
  const add = (code: string, slug: string | undefined) => slug !== undefined && slugs.push([code, slug]);
  for (const make of makeCode) {
    add(make, reference.makeSlug(make));
    for (const model of modelCode) {
      add(`${make}/${model}`, reference.modelSlug(make, model));
      for (const trim of reference.trimCodes(make, model) ?? [])
        add(`${make}/${model}/${trim}`, reference.trimSlug(make, model, trim));
    }
  }
  return slugs;
}

/** The lookups that URLs need, from the slugs of a search. */
export function searchReference(slugs: NonNullable<SearchCriteria['slugs']>): SlugReference {
  const slugOf = (...codes: string[]) => {
    const path = codes.join('/');
    return slugs.find(([code]) => code === path)?.[1];
  };
  const codeOf = (slug: string, ...parents: string[]) => {
    const start = parents.map((parent) => `${parent}/`).join('');
    const isChild = (code: string) => code.startsWith(start) && !code.includes('/', start.length);
    return slugs.find(([code, other]) => other === slug && isChild(code))?.[0].slice(start.length);
  };
  return {
    ...EMPTY_SLUG_REFERENCE,
    isEmpty: slugs.length === 0,
    makeSlug: slugOf,
    modelSlug: slugOf,
    trimSlug: slugOf,
    makeBySlug: codeOf,
    modelBySlug: (make, slug) => codeOf(slug, make),
    trimBySlug: (make, model, slug) => codeOf(slug, make, model),
  };
}
