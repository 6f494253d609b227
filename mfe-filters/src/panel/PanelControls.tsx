import type { ReactNode } from 'react';
import { BodyStyleSection } from '../sections/BodyStyleSection.tsx';
import { FuelTypeSection } from '../sections/FuelTypeSection.tsx';
import { LocationSection } from '../sections/LocationSection.tsx';
import { PackagesSection } from '../sections/PackagesSection.tsx';
import { PaymentSection } from '../sections/PaymentSection.tsx';
import { PriceSection } from '../sections/PriceSection.tsx';
import { VehicleSection } from '../sections/VehicleSection.tsx';
import { YearSection } from '../sections/YearSection.tsx';
import type { PanelOption, PanelSection } from '../sections/panelSections.ts';
import { CheckboxSection } from '../sections/CheckboxSection.tsx';
import { RadioSection } from '../sections/RadioSection.tsx';
import { SeatsSection } from '../sections/SeatsSection.tsx';
import { TruckCabSection } from '../sections/TruckCabSection.tsx';
import { ColorSwatch } from '../sections/ColorSwatch.tsx';

const swatchOf = ({ value }: PanelOption): ReactNode => <ColorSwatch code={value} />;

/** The controls of a section, by its name or else by its kind. */
export function PanelControls({ panel }: { panel: PanelSection }): ReactNode {
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
    case 'seatCount':
      return <SeatsSection panel={panel} />;
    case 'fuelTypeGroup':
      return <FuelTypeSection panel={panel} />;
    case 'packages':
      return <PackagesSection panel={panel} />;
    case 'bodyStyleSubtypeCode':
      return <TruckCabSection />;
    default:
      if (panel.section.kind === 'single') return <RadioSection panel={panel} />;
      return <CheckboxSection panel={panel} />;
  }
}
