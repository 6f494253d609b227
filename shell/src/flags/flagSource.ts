import { randomUUID } from 'node:crypto';
import { FLAGS, type BrandCode } from '@forecourt/shared-contracts/brands';
import { OpenFeature, type Provider } from '@openfeature/server-sdk';

/** By what a flag service may decide. */
export interface FlagContext {
  readonly brand: BrandCode;
  /** Stable for a session: percentages go by it. */
  readonly visitorId: string;
  readonly signedIn: boolean;
  readonly isBot: boolean;
}

/** Says which features a visitor has. */
export interface FlagSource {
  /** Never rejects: a flag that the service cannot say has its default (AMB-167). */
  readonly flagsFor: (context: FlagContext) => Promise<Readonly<Record<keyof typeof FLAGS, boolean>>>;
  readonly close: () => Promise<void>;
}

const NAMES = Object.keys(FLAGS) as (keyof typeof FLAGS)[];

/**
 * Flags from any OpenFeature provider. Each source has a domain of its own
 * within the SDK, so that two apps in one process do not share a provider.
 * Rejects when the provider cannot be started.
 */
export async function createFlagSource(provider: Provider): Promise<FlagSource> {
  const domain = `forecourt-${randomUUID()}`;
  await OpenFeature.setProviderAndWait(domain, provider);
  const client = OpenFeature.getClient(domain);
  return {
    async flagsFor({ visitorId, ...context }) {
      const entries = await Promise.all(
        NAMES.map(
          async (name) =>
            [
              name,
              await client.getBooleanValue(name, FLAGS[name], { targetingKey: visitorId, ...context }),
            ] as const,
        ),
      );
      return Object.fromEntries(entries) as Record<keyof typeof FLAGS, boolean>;
    },
    close: async () => {
      await provider.onClose?.();
    },
  };
}
