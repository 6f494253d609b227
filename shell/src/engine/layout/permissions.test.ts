import { describe, expect, it } from '@jest/globals';
import { layoutsWithFrames } from './permissions.ts';
import type { SlotPlacement } from './placement.ts';

const placed = (slot: string): SlotPlacement => ({
  slot,
  source: { remote: 'mfe-x' },
  criticality: 'optional',
  deadlineMs: 100,
  hydrate: 'idle',
  reserve: { narrow: '0', wide: '0' },
  mayRead: [],
});

describe('the layouts of a site', () => {
  it('have no slot whose ids another slot could claim as its own', () => {
    const withSlots = (...slots: string[]) => layoutsWithFrames({ shelf: slots.map(placed) }, []);
    expect(() => withSlots('shelf', 'top', 'shelf-top')).toThrow('slot shelf-top:');
    expect(() => layoutsWithFrames({ one: [placed('shelf')], two: [placed('shelf-top')] }, [])).toThrow();
    expect(withSlots('shelf', 'shelves', 'top-shelf')).toHaveProperty('shelf.length', 3);
  });

  it('have slots in frames that may be there', () => {
    const { shelf } = layoutsWithFrames({ shelf: [placed('a'), placed('b')] }, ['a']);
    expect(shelf).toMatchObject([{ isolation: 'frame' }, { slot: 'b' }]);
    expect(shelf?.[1]).not.toHaveProperty('isolation');
  });
});
