import type { Filter } from '@forecourt/shared-contracts/entities';

/** Words that stay capitals. */
const SHORT = /^(abs|aeb|awd|led|usb|gps)$/i;

/** 'HEATED_SEATS' → 'Heated seats', for a feature that the search does not name. */
const spelled = (code: string): string => {
  const words = code.replaceAll(/[_-]+/g, ' ').toLowerCase();
  return SHORT.test(words) ? words.toUpperCase() : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Names features by the labels which the search's filters give their codes. */
export function featureNames(filters: readonly Filter[] | undefined): (code: string) => string {
  const labels = new Map(
    (filters ?? [])
      .filter(({ name }) => name === 'featureCode')
      .flatMap(({ options }) => options.map(({ value, label }) => [value, label] as const)),
  );
  return (code) => labels.get(code) ?? spelled(code);
}
