import { canBeFramed, type SlotPlacement } from './placement.ts';

/** What a slot may do in the browser besides what every slot may. */
interface SlotPermission {
  /** Calls through the shell's gateway, besides `calls` of its placement. */
  readonly calls?: readonly string[];
  readonly emits?: readonly string[];
  readonly hears?: readonly string[];
}

/** What slots may do in the browser. */
export interface SlotPermissions {
  /** What every slot may. */
  readonly common: Required<Pick<SlotPermission, 'emits' | 'hears'>>;
  readonly bySlot: Readonly<Record<string, SlotPermission>>;
}

/** The placements of each page kind. */
export type PageLayouts = Readonly<Record<string, readonly SlotPlacement[]>>;

interface Rules {
  readonly layouts: PageLayouts;
  readonly permissions: SlotPermissions;
}

const permissionOf = (
  { permissions: { bySlot } }: Pick<Rules, 'permissions'>,
  slot: string,
): SlotPermission => (Object.hasOwn(bySlot, slot) ? (bySlot[slot] as SlotPermission) : {});

/** Every placement of every page; a slot on several pages is listed for each. */
export const allPlacements = (layouts: PageLayouts): readonly SlotPlacement[] =>
  Object.values(layouts).flat();

/** Events that the slot may emit. */
export const emitsOf = (rules: Pick<Rules, 'permissions'>, slot: string): readonly string[] => [
  ...rules.permissions.common.emits,
  ...(permissionOf(rules, slot).emits ?? []),
];

/** Events that the slot may listen to. */
export const hearsOf = (rules: Pick<Rules, 'permissions'>, slot: string): readonly string[] => [
  ...rules.permissions.common.hears,
  ...(permissionOf(rules, slot).hears ?? []),
];

/** By slot the calls that it may make from the browser, on any page. */
export function browserCallsBySlot({
  layouts,
  permissions,
}: Rules): ReadonlyMap<string, ReadonlySet<string>> {
  const bySlot = new Map<string, Set<string>>();
  const allow = (slot: string, calls: readonly string[] = []) => {
    const allowed = bySlot.get(slot) ?? new Set();
    for (const call of calls) allowed.add(call);
    bySlot.set(slot, allowed);
  };
  for (const { slot, calls } of allPlacements(layouts)) allow(slot, calls);
  for (const [slot, { calls }] of Object.entries(permissions.bySlot)) allow(slot, calls);
  return bySlot;
}

/** Remote to its required slots, without which a page fails or shows a plain fallback. */
export function requiredSlots(layouts: PageLayouts): ReadonlyMap<string, ReadonlySet<string>> {
  const slots = new Map<string, Set<string>>();
  for (const { slot, source, criticality } of allPlacements(layouts)) {
    if (source === 'shell' || criticality !== 'required') continue;
    slots.set(source.remote, (slots.get(source.remote) ?? new Set()).add(slot));
  }
  return slots;
}

/** Ids of a slot's elements begin with its name and a hyphen, so no other slot's name does. */
function assertDistinctIds(layouts: PageLayouts): void {
  const slots = [...new Set(allPlacements(layouts).map(({ slot }) => slot))];
  const taken = slots.find((slot) => slots.some((other) => slot.startsWith(`${other}-`)));
  if (taken !== undefined)
    throw new Error(
      `slot ${taken}: the ids of its elements would be those of another slot; give it another name`,
    );
}

/** The layouts, with these slots in frames as well. Throws when slots could claim each other's elements. */
export function layoutsWithFrames(layouts: PageLayouts, framed: readonly string[]): PageLayouts {
  assertDistinctIds(layouts);
  const inFrame = (placement: SlotPlacement): SlotPlacement =>
    framed.includes(placement.slot) && canBeFramed(placement)
      ? { ...placement, isolation: 'frame' }
      : placement;
  return Object.fromEntries(
    Object.entries(layouts).map(([kind, placements]) => [kind, placements.map(inFrame)]),
  );
}
