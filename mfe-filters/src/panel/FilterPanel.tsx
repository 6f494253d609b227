import { memo, type ReactNode } from 'react';
import { DEFAULT_PATH, type FilterParam } from '@forecourt/search/criteria';
import { buttonClass } from '@forecourt/slots/ui';
import { searchHref } from '../search/links.ts';
import { NoScript } from '../search/NoScript.tsx';
import { useDeferredCriteria } from '../search/searchEdits.tsx';
import { usePanelData } from '../search/panelData.tsx';
import { Section } from './Section.tsx';
import { BooleanSection } from '../sections/BooleanSection.tsx';
import { PANEL_GROUPS, PANEL_SECTIONS, type PanelSection } from '../sections/panelSections.ts';
import styles from './FilterPanel.module.css';
import { HiddenFields, carriedFields } from '../search/HiddenFields.tsx';
import {
  isOpenByDefault,
  hasValue,
  isHidden,
  isDisabled,
  selectedSummary,
  NEEDS_NO_OPTIONS,
} from './sectionRules.ts';

/** Hidden fields for criteria that no visible section controls. */
const CarriedFields = memo(function CarriedFields(): ReactNode {
  const criteria = useDeferredCriteria();
  const { filters } = usePanelData();
  const shownSections = PANEL_SECTIONS.filter((panel) => !isHidden(panel, filters, criteria));
  const own = new Set<FilterParam>(shownSections.flatMap(({ params }) => params));
  // City and state have no visible field.
  for (const param of ['city', 'state'] as const) own.delete(param);
  return <HiddenFields fields={carriedFields(criteria, own)} />;
});

/** One section; one that is on or off needs no disclosure around its box. */
function PanelPart({ panel }: { panel: PanelSection }): ReactNode {
  const criteria = useDeferredCriteria();
  const { filters, labelOf } = usePanelData();
  if (panel.section.kind === 'boolean')
    return (
      <div className={styles['switch']}>
        <BooleanSection panel={panel} />
      </div>
    );
  const filter = filters.find(({ name }) => name === panel.name);
  return (
    <Section
      panel={panel}
      summary={selectedSummary(panel, criteria, labelOf)}
      hasValue={hasValue(criteria, panel)}
      opensByDefault={isOpenByDefault(panel, criteria)}
      isDisabled={isDisabled(panel, filter, criteria)}
      hasOptions={NEEDS_NO_OPTIONS.has(panel.name) || (filter?.options.length ?? 0) > 0}
    />
  );
}

/** Leads to the same page with all sections open, without JavaScript. */
function AllOptionsLink(): ReactNode {
  const criteria = useDeferredCriteria();
  if (criteria.openSection === 'all') return null;
  return (
    <NoScript>
      <a
        className={styles['allOptions']}
        href={`${searchHref({ ...criteria, openSection: 'all' })}#slot-filters`}
      >
        Show all options
      </a>
    </NoScript>
  );
}

/** The panel as one GET form: each change searches; without JavaScript, the button does. */
export function FilterPanel(): ReactNode {
  const criteria = useDeferredCriteria();
  const { filters } = usePanelData();
  return (
    <form
      className={styles['form']}
      action={DEFAULT_PATH}
      method="get"
      aria-label="Filters"
      onSubmit={(event) => event.preventDefault()}
    >
      <CarriedFields />
      {PANEL_GROUPS.map(({ heading, sections }) => {
        const shownSections = sections.filter((panel) => !isHidden(panel, filters, criteria));
        if (shownSections.length === 0) return null;
        return (
          <div key={heading ?? ''} className={styles['group']}>
            {heading !== undefined && <h3 className={styles['heading']}>{heading}</h3>}
            {shownSections.map((panel) => (
              <PanelPart key={panel.name} panel={panel} />
            ))}
          </div>
        );
      })}
      <AllOptionsLink />
      <button type="submit" className={buttonClass('primary', styles['submit'])}>
        Show results
      </button>
    </form>
  );
}
