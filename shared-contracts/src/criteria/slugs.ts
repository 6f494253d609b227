/** What the slug call answers: plain JSON, one entry a make, model and trim. */
export interface SlugData {
  readonly makes: readonly {
    readonly code: string;
    readonly name: string;
    readonly slug: string;
    readonly models: readonly {
      readonly code: string;
      readonly name: string;
      readonly slug: string;
      /** `code` is 'XLT' or, with its model, 'F150|XLT' (AMB-051). */
      readonly trims?: readonly { readonly code: string; readonly name: string; readonly slug: string }[];
    }[];
  }[];
}

/** Makes, models and trims by slug and by code. Trim codes are whole: 'F150|XLT'. */
export interface SlugReference {
  /** No makes are known: a path with a make can be neither read nor refused. */
  readonly isEmpty: boolean;
  makeBySlug(slug: string): string | undefined;
  modelBySlug(makeCode: string, slug: string): string | undefined;
  trimBySlug(makeCode: string, modelCode: string, slug: string): string | undefined;
  makeSlug(makeCode: string): string | undefined;
  modelSlug(makeCode: string, modelCode: string): string | undefined;
  trimSlug(makeCode: string, modelCode: string, trimCode: string): string | undefined;
  makeLabel(makeCode: string): string | undefined;
  /** `makeCodes` decide between makes that use the same model code. */
  modelLabel(modelCode: string, makeCodes?: readonly string[]): string | undefined;
  trimLabel(trimCode: string, makeCodes?: readonly string[]): string | undefined;
  /** Makes that have a model of this code; empty when it is unknown. */
  makesOfModel(modelCode: string): readonly string[];
  /** Whole trim codes of a model; undefined when its trims are not known. */
  trimCodes(makeCode: string, modelCode: string): readonly string[] | undefined;
}

interface Entry {
  readonly code: string;
  readonly name: string;
  readonly slug: string;
}

/** Two ways to an entry. Of two entries with one slug the first owns it, the other has none. */
class Directory<Item extends Entry> {
  private readonly codes = new Map<string, Item>();
  private readonly slugs = new Map<string, Item>();

  constructor(items: readonly Item[]) {
    for (const item of items) {
      if (this.codes.has(item.code)) continue;
      this.codes.set(item.code, item);
      if (item.slug && !this.slugs.has(item.slug)) this.slugs.set(item.slug, item);
    }
  }

  byCode(code: string): Item | undefined {
    return this.codes.get(code);
  }

  bySlug(slug: string): Item | undefined {
    return this.slugs.get(slug);
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
const wholeTrimCode = (modelCode: string, code: string) =>
  code.includes('|') ? code : `${modelCode}|${code}`;

/** Builds the look-ups once from the slug call's answer; the result is immutable. */
export function createSlugReference(data: SlugData): SlugReference {
  const makesOfModel = new Map<string, string[]>();
  const makes = new Directory<Make>(
    data.makes.map((make) => ({
      ...make,
      models: new Directory<Model>(
        make.models.map((model) => {
          makesOfModel.set(model.code, [...(makesOfModel.get(model.code) ?? []), make.code]);
          const trims = model.trims?.map((trim) => ({ ...trim, code: wholeTrimCode(model.code, trim.code) }));
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

const nothing = () => undefined;

/**
 * A reference that knows nothing: for a page whose slug call failed, and for
 * browsers, which leave slugs to the server. Written out, so that a script with
 * nothing but this one carries none of the look-ups.
 */
export const EMPTY_SLUG_REFERENCE: SlugReference = {
  isEmpty: true,
  makeBySlug: nothing,
  modelBySlug: nothing,
  trimBySlug: nothing,
  makeSlug: nothing,
  modelSlug: nothing,
  trimSlug: nothing,
  makeLabel: nothing,
  modelLabel: nothing,
  trimLabel: nothing,
  makesOfModel: () => [],
  trimCodes: nothing,
};
