import { defineSlot } from '@forecourt/shared-contracts/slots';
import { loadVehicle, type VehicleData } from '../vehicle/loadVehicle.ts';
import { vehicleHead, vehicleStructuredData } from '../vehicle/vehicleHead.ts';
import { UnknownVehicle, VehicleView } from '../vehicle/VehicleView.tsx';

/** Main slot of `GET /cars-for-sale/vehicle/{listingId}` (A2-ROUTE-08). */
export default defineSlot<VehicleData>({
  needs: ['page', 'session'],
  load: loadVehicle,
  page: ({ data }) => vehicleHead(data),
  structuredData: ({ data }) => (data.kind === 'forSale' ? vehicleStructuredData(data) : undefined),
  view: ({ data }) =>
    data?.kind === 'forSale' ? (
      <VehicleView {...data} />
    ) : data?.kind === 'unknown' ? (
      <UnknownVehicle searchUrl={data.searchUrl} />
    ) : null,
});
