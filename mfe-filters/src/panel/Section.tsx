import { memo, useEffect, useRef, useState, type ReactNode } from 'react';
import { Skeleton } from '@forecourt/shared-contracts/ui';
import { searchHref, NoScript } from '../search/links.tsx';
import { useDeferredCriteria } from '../search/searchEdits.tsx';
import styles from './Section.module.css';
import { BodyStyleSection, TruckCabSection } from '../sections/BodyStyleSection.tsx';
import {
  BooleanSection,
  CheckboxSection,
  RadioSection,
  FuelTypeSection,
} from '../sections/ChoiceSection.tsx';
import { LocationSection } from '../sections/LocationSection.tsx';
import { PackagesSection } from '../sections/PackagesSection.tsx';
import { PaymentSection } from '../sections/PaymentSection.tsx';
import { PriceSection } from '../sections/PriceSection.tsx';
import { VehicleSection } from '../sections/VehicleSection.tsx';
import { YearSection } from '../sections/YearSection.tsx';
import type { PanelSection, PanelOption } from '../sections/panelSections.ts';
import swatchStyles from '../sections/ColorSwatch.module.css';

/** CSS colors by the API's color codes. */
const PAINTS: Readonly<Record<string, string>> = {
  BEIGE: '#d9c9a8',
  BLACK: '#15171a',
  BLUE: '#2456a6',
  BROWN: '#6b4a2f',
  BURGUNDY: '#6d1a2d',
  CHARCOAL: '#3b4046',
  CREAM: '#f1e8d2',
  GOLD: '#bf9b45',
  GRAY: '#7d848c',
  GREEN: '#2f6b46',
  MAROON: '#6d1a2d',
  ORANGE: '#d9691e',
  PINK: '#d98aa4',
  PURPLE: '#5b3a86',
  RED: '#b5202a',
  SILVER: '#c3c8cd',
  TAN: '#c4a57b',
  TEAL: '#1f7a7d',
  TURQUOISE: '#31a3a6',
  WHITE: '#ffffff',
  YELLOW: '#e3bf2d',
};

/** A color swatch; striped for unknown colors such as 'Other'. Decorative: the label is next to it. */
const swatchOf = ({ value }: PanelOption): ReactNode => {
  const paint = PAINTS[value.toUpperCase()];
  return (
    <span
      aria-hidden="true"
      className={swatchStyles['swatch']}
      style={paint ? { backgroundColor: paint } : undefined}
    />
  );
};

interface SectionProps {
  readonly panel: PanelSection;
  /** The selected values as text. */
  readonly summary: string | undefined;
  readonly hasValue: boolean;
  readonly opensByDefault: boolean;
  readonly isDisabled: boolean;
  /** Without options, a skeleton is shown (B4-PANEL-02). */
  readonly hasOptions: boolean;
}

/**
 * A section as a `details` element. It opens when it gets a value and only the shopper closes it, so that a focused
 * control never disappears. A closed section has no controls; without JavaScript, a link leads to them.
 */
export const Section = memo(function Section(props: SectionProps): ReactNode {
  const { panel, summary, hasValue, opensByDefault, isDisabled, hasOptions } = props;
  const { label } = panel;
  const ref = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(opensByDefault || hasValue);
  const [hadValue, setHadValue] = useState(hasValue);
  if (hadValue !== hasValue) {
    setHadValue(hasValue);
    if (hasValue) setIsOpen(true);
  }
  // The shopper may have opened it before hydration.
  useEffect(() => setIsOpen(ref.current?.open ?? false), []);
  return (
    <details
      ref={ref}
      className={styles['section']}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary
        className={styles['summary']}
        onClick={(event) => {
          // Toggled by React, so that the controls appear in the same paint instead of a skeleton.
          event.preventDefault();
          setIsOpen(!isOpen);
        }}
      >
        <span className={styles['label']}>{label}</span>
        {summary !== undefined && <span className={styles['value']}>{summary}</span>}
      </summary>
      {isOpen && hasOptions ? (
        <fieldset className={styles['content']} disabled={isDisabled}>
          <legend className={styles['legend']}>{label}</legend>
          {isDisabled && <p className={styles['note']}>Not available for this search.</p>}
          <PanelControls panel={panel} />
        </fieldset>
      ) : (
        <>
          <NoScript>{hasOptions && <OptionsLink panel={panel} />}</NoScript>
          <Skeleton height="156px" className={styles['skeleton']} />
        </>
      )}
    </details>
  );
});

/** Leads to the same page with the section open. */
function OptionsLink({ panel: { label, params } }: { panel: PanelSection }): ReactNode {
  const criteria = useDeferredCriteria();
  return (
    <a
      className={styles['open']}
      href={`${searchHref({ ...criteria, openSection: params[0] })}#slot-filters`}
    >
      {`Show options for ${label}`}
    </a>
  );
}

/** The controls of a section, by its name or else by its kind. */
function PanelControls({ panel }: { panel: PanelSection }): ReactNode {
  switch (panel.name) {
    case 'location':
      return <LocationSection />;
    case 'makeCode':
      return <VehicleSection />;
    case 'priceRange':
      return <PriceSection />;
    case 'monthlyPayment':
      return <PaymentSection panel={panel} />;
    case 'yearRange':
      return <YearSection />;
    case 'vehicleStyleCode':
      return <BodyStyleSection panel={panel} />;
    case 'extColorSimple':
    case 'intColorSimple':
      return <CheckboxSection panel={panel} pictureOf={swatchOf} />;
    case 'fuelTypeGroup':
      return <FuelTypeSection panel={panel} />;
    case 'packages':
      return <PackagesSection panel={panel} />;
    case 'bodyStyleSubtypeCode':
      return <TruckCabSection />;
    default:
      if (panel.section.kind === 'boolean') return <BooleanSection panel={panel} />;
      if (panel.section.kind === 'single') return <RadioSection panel={panel} />;
      return <CheckboxSection panel={panel} />;
  }
}
