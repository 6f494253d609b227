import type { ReactNode } from 'react';
import { toggleValue } from '../search/criteriaChanges.ts';
import { useFilter } from '../search/panelData.tsx';
import { CheckboxSection } from './CheckboxSection.tsx';
import { type ChangeTo, ChoiceRow } from './OptionRow.tsx';
import type { PanelSection } from './panelSections.ts';

const THIRD_ROW = 'THIRDROW';

const toggleFeature: ChangeTo = (value) => (current) => toggleValue(current, 'featureCode', value);

/** Numbers of seats, and the feature that large families look for. */
export function SeatsSection({ panel }: { panel: PanelSection }): ReactNode {
  const thirdRow = useFilter('featureCode')?.options.find(({ value }) => value === THIRD_ROW);
  return (
    <>
      {thirdRow && (
        <ChoiceRow
          type="checkbox"
          param="featureCode"
          option={{
            value: THIRD_ROW,
            label: 'Third row',
            isUnavailable: thirdRow.disabled || thirdRow.count === 0,
            ...(thirdRow.count !== undefined && { count: thirdRow.count }),
          }}
          changeTo={toggleFeature}
        />
      )}
      <CheckboxSection panel={panel} />
    </>
  );
}
