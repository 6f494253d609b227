import type { ReactNode } from 'react';
import { VehicleCards, type VehicleWithSeller } from './VehicleCards.tsx';

/** Links to similar vehicles; `extraParams` are URL parameters that the links keep. */
export function SimilarVehicles(props: {
  vehicles: readonly VehicleWithSeller[];
  extraParams: Readonly<Record<string, string>>;
}): ReactNode {
  const { vehicles, extraParams } = props;
  if (vehicles.length === 0) return null;
  return (
    <VehicleCards
      headingId="similar-title"
      heading="Similar vehicles"
      vehicles={vehicles}
      extraParams={extraParams}
    />
  );
}
