import type { ReactNode } from 'react';
import { setValues } from '../search/criteriaChanges.ts';
import { valuesOf } from '@forecourt/search/criteria';
import { useFilter } from '../search/panelData.tsx';
import type { PanelSection } from './panelSections.ts';
import { useSelectedValues, useEdit } from '../search/searchEdits.tsx';
import { PlainRow } from './OptionRow.tsx';

/** A single checkbox with the section's label. */
export function BooleanSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const [option] = useFilter(panel.name)?.options ?? [];
  const [param] = panel.section.params;
  const isChosen = useSelectedValues(param).length > 0;
  if (!param) return null;
  const value = option?.value ?? 'true';
  return (
    <PlainRow
      type="checkbox"
      name={param}
      option={{
        value,
        label: panel.section.label,
        ...(option?.count !== undefined && { count: option.count }),
      }}
      isChosen={isChosen}
      isUnavailable={option?.count === 0}
      onChoose={() =>
        edit(
          (current) => setValues(current, param, valuesOf(current, param).length > 0 ? [] : [value]),
          `filter:${param}`,
        )
      }
    />
  );
}
