import type { Filter } from '@forecourt/shared-contracts/entities';
import { EMPTY_SLUG_REFERENCE, type SlugReference } from '@forecourt/shared-contracts/criteria';

const optionsOf = (filters: readonly Filter[], name: string) =>
  filters.find((filter) => filter.name === name)?.options ?? [];

/**
 * What the panel knows about makes and models: the groups of the answer's
 * model options, each the make's code or its name. Enough to drop the right
 * models with their make (AMB-080).
 */
export function modelOwners(filters: readonly Filter[]): SlugReference {
  const makes = new Map(
    optionsOf(filters, 'makeCode').flatMap(({ value, label }) => [
      [label, value],
      [value, value],
    ]),
  );
  const owners = new Map<string, string[]>();
  for (const { value, group } of optionsOf(filters, 'modelCode')) {
    const make = group === undefined ? undefined : makes.get(group);
    if (make !== undefined) owners.set(value, [...(owners.get(value) ?? []), make]);
  }
  return { ...EMPTY_SLUG_REFERENCE, makesOfModel: (model) => owners.get(model) ?? [] };
}
