import { FLAGS, type BrandCode } from '@forecourt/shared-contracts/brands';
import { InMemoryProvider } from '@openfeature/server-sdk';

/** A flag that a deployment sets; for one brand or for all. */
export interface FlagSetting {
  readonly name: keyof typeof FLAGS;
  readonly value: boolean;
  readonly brand?: BrandCode | undefined;
}

/** Flags without a flag service: the defaults (AMB-167) and what the configuration sets, a brand's own setting first. */
export function createBuiltInProvider(settings: readonly FlagSetting[]): InMemoryProvider {
  const valueOf = (name: keyof typeof FLAGS, brand: unknown): boolean => {
    const mine = settings.filter((setting) => setting.name === name);
    const setting =
      mine.findLast((each) => each.brand === brand) ?? mine.findLast((each) => each.brand === undefined);
    return setting?.value ?? FLAGS[name];
  };
  return new InMemoryProvider(
    Object.fromEntries(
      (Object.keys(FLAGS) as (keyof typeof FLAGS)[]).map((name) => [
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
