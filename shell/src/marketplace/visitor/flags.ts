import { randomUUID } from 'node:crypto';
import { FLAGS, type BrandCode } from '@forecourt/search/brands';
import { OpenFeature, type Provider, InMemoryProvider } from '@openfeature/server-sdk';
import { pathToFileURL } from 'node:url';

/** Evaluation context for flag services. */
export interface FlagContext {
  readonly brand: BrandCode;
  /** Stable for a session; the key of percentage rollouts. */
  readonly visitorId: string;
  readonly signedIn: boolean;
  readonly isBot: boolean;
}

/** Evaluates a visitor's feature flags. */
export interface FlagSource {
  /** Never rejects: a flag that cannot be evaluated has its default (AMB-167). */
  readonly flagsFor: (context: FlagContext) => Promise<Readonly<Record<keyof typeof FLAGS, boolean>>>;
  readonly close: () => Promise<void>;
}

const NAMES = Object.keys(FLAGS) as (keyof typeof FLAGS)[];

/**
 * Flags from an OpenFeature provider. Each source has its own SDK domain, so that
 * two apps in one process do not share a provider. Rejects if the provider cannot
 * be started. `isByBrand`: the flags of a brand are the same for each visitor and
 * never change, so that they are evaluated once.
 */
export async function createFlagSource(
  provider: Provider,
  { isByBrand = false }: { readonly isByBrand?: boolean } = {},
): Promise<FlagSource> {
  const domain = `forecourt-${randomUUID()}`;
  await OpenFeature.setProviderAndWait(domain, provider);
  const client = OpenFeature.getClient(domain);
  const evaluate: FlagSource['flagsFor'] = async ({ visitorId, ...context }) => {
    const evaluation = { targetingKey: visitorId, ...context };
    const values = await Promise.all(
      NAMES.map((name) => client.getBooleanValue(name, FLAGS[name], evaluation)),
    );
    return Object.fromEntries(NAMES.map((name, index) => [name, values[index]])) as Record<
      keyof typeof FLAGS,
      boolean
    >;
  };
  const ofBrands = new Map<BrandCode, ReturnType<FlagSource['flagsFor']>>();
  return {
    flagsFor(context) {
      if (!isByBrand) return evaluate(context);
      const flags = ofBrands.get(context.brand) ?? evaluate(context);
      ofBrands.set(context.brand, flags);
      return flags;
    },
    close: async () => {
      await provider.onClose?.();
    },
  };
}

/** A flag set by a deployment, for one brand or for all. */
export interface FlagSetting {
  readonly name: keyof typeof FLAGS;
  readonly value: boolean;
  readonly brand?: BrandCode | undefined;
}

/** Flags without a flag service: the defaults (AMB-167) and the configured settings; a brand's own setting wins. */
export function createBuiltInProvider(settings: readonly FlagSetting[]): InMemoryProvider {
  const valueOf = (name: keyof typeof FLAGS, brand: unknown): boolean => {
    const candidates = settings.filter((setting) => setting.name === name);
    const setting =
      candidates.findLast((each) => each.brand === brand) ??
      candidates.findLast((each) => each.brand === undefined);
    return setting?.value ?? FLAGS[name];
  };
  return new InMemoryProvider(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        {
          variants: { on: true, off: false },
          defaultVariant: FLAGS[name] ? 'on' : 'off',
          disabled: false,
          contextEvaluator: ({ brand }) => (valueOf(name, brand) ? 'on' : 'off'),
        },
      ]),
    ),
  );
}

/**
 * The OpenFeature provider that a module exports by default, or the result of its
 * default export if that is a function. Throws if there is none.
 */
async function loadProvider(path: string): Promise<Provider> {
  // The deployment's own module, not part of the bundle.
  const module = (await import(/* webpackIgnore: true */ pathToFileURL(path).href)) as { default?: unknown };
  const exported: unknown =
    typeof module.default === 'function' ? await (module.default as () => unknown)() : module.default;
  if (typeof (exported as Partial<Provider> | undefined)?.resolveBooleanEvaluation !== 'function')
    throw new Error(`FLAGS: ${path} exports no OpenFeature provider`);
  return exported as Provider;
}

/** Flags of the configured provider, or else the built-in ones with the configured settings. */
export const openFlagSource = async ({
  FLAGS: { provider, settings },
}: {
  readonly FLAGS: {
    /** Path of its module. */
    readonly provider?: string | undefined;
    readonly settings: readonly FlagSetting[];
  };
}): Promise<FlagSource> =>
  provider !== undefined
    ? createFlagSource(await loadProvider(provider))
    : createFlagSource(createBuiltInProvider(settings), { isByBrand: true });
