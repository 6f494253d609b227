import type { ReactNode } from 'react';
import { BodyStyleSection } from '../sections/BodyStyleSection.tsx';
import { BooleanSection, CheckboxSection, RadioSection } from '../sections/ChoiceSection.tsx';
import { FuelTypeSection } from '../sections/FuelTypeSection.tsx';
import { LocationSection } from '../sections/LocationSection.tsx';
import { PackagesSection } from '../sections/PackagesSection.tsx';
import { PriceSection } from '../sections/PriceSection.tsx';
import { swatchOf } from '../sections/swatches.tsx';
import { TruckCabSection } from '../sections/TruckCabSection.tsx';
import { VehicleSection } from '../sections/VehicleSection.tsx';
import { YearSection } from '../sections/YearSection.tsx';
import type { PanelSection } from './sectionRules.ts';

/** The controls of a section: by its name where it has its own, else by its kind. */
export function PanelControls({ panel }: { panel: PanelSection }): ReactNode {
  switch (panel.name) {
    case 'location':
      return <LocationSection />;
    case 'makeCode':
      return <VehicleSection />;
    case 'priceRange':
      return <PriceSection />;
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
