import { FLAGS, type BrandCode, type FlagName } from '@forecourt/shared-contracts/brands';
import { InMemoryProvider } from '@openfeature/server-sdk';

/** A flag that a deployment sets; for one brand or for all. */
export interface FlagSetting {
  readonly name: FlagName;
  readonly value: boolean;
  readonly brand?: BrandCode | undefined;
}

/** Flags without a flag service: the defaults (AMB-167) and what the configuration sets, a brand's own setting first. */
export function createBuiltInProvider(settings: readonly FlagSetting[]): InMemoryProvider {
  const valueOf = (name: FlagName, brand: unknown): boolean => {
    const mine = settings.filter((setting) => setting.name === name);
    const setting =
      mine.findLast((each) => each.brand === brand) ?? mine.findLast((each) => each.brand === undefined);
    return setting?.value ?? FLAGS[name];
  };
  return new InMemoryProvider(
    Object.fromEntries(
      (Object.keys(FLAGS) as FlagName[]).map((name) => [
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
