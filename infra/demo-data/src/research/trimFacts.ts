import type { TrimSpec, SafetyInfo } from '@forecourt/marketplace-api/callTypes';
import { featureShare, richnessOf } from '../inventory/equipment.ts';
import type { ReferenceVehicle } from './vehicles.ts';
import { steady } from '../inventory/random.ts';

/** Feature codes behind the spec ids; the most common of several decides. */
const FEATURES_OF: Readonly<Record<number, readonly string[]>> = {
  546: ['HEATEDSEATS'],
  561: ['LEATHER'],
  610: ['BACKUPCAMERA'],
  170: ['BLUETOOTH'],
  160: ['KEYLESSENTRY'],
  557: ['LANEASSIST'],
  236: ['NAVIGATION'],
  615: ['REMOTESTART'],
  578: ['SUNROOF', 'PANOROOF'],
};

/** Shares of a trim's cars from which a feature counts as standard or as available. */
const STANDARD_FROM = 0.7;
const AVAILABLE_FROM = 0.12;
/** Model year from which United States law requires a rearview camera. */
const CAMERA_IS_LAW_FROM = 2019;
const CAMERA = 610;
/** Model year from which equipment is recorded. */
const KNOWN_FROM = 2004;

/** Share of such vehicles that have a feature, 0 to 1. */
const shareOf = (vehicle: ReferenceVehicle, feature: string): number =>
  featureShare(feature, vehicle.variant, vehicle.year, richnessOf(vehicle.make, vehicle.model, vehicle.trim));

/** Spec values of a vehicle: what most vehicles of its kind have is standard. */
export function specsOf(vehicle: ReferenceVehicle): TrimSpec[] {
  if (vehicle.year < KNOWN_FROM) return [];
  return Object.entries(FEATURES_OF).map(([id, features]) => {
    const specId = Number(id);
    if (specId === CAMERA && vehicle.year >= CAMERA_IS_LAW_FROM) return { specId, value: 'Standard' };
    const share = Math.max(...features.map((feature) => shareOf(vehicle, feature)));
    const value =
      share >= STANDARD_FROM ? 'Standard' : share >= AVAILABLE_FROM ? 'Optional' : 'Not Available';
    return { specId, value };
  });
}

/** Model year of the current star rating; older ones cannot be compared with it. */
const RATED_FROM = 2011;
/** Bodies that are too heavy to be crashed for stars. */
const UNRATED_STYLES = ['VANS'];

/** Equipment in display order: the feature code that indicates it, and the model year from which the law requires it. */
const SAFETY_FEATURES: readonly (readonly [name: string, feature: string | undefined, since: number])[] = [
  ['Antilock Brakes', undefined, 2012],
  ['Electronic Stability Control', undefined, 2012],
  ['Front Airbags', undefined, 1999],
  ['Side-Impact Airbags', undefined, 2010],
  ['Tire Pressure Monitor', undefined, 2008],
  ['Rearview Camera', 'BACKUPCAMERA', 2019],
  ['Automatic Emergency Braking', 'AEB', Infinity],
  ['Blind Spot Monitor', 'BLINDSPOT', Infinity],
  ['Lane Departure Warning', 'LANEASSIST', Infinity],
  ['Rear Cross-Traffic Alert', 'REARCROSS', Infinity],
  ['Adaptive Cruise Control', 'ADAPTIVECRUISE', Infinity],
  ['Parking Sensors', 'PARKSENSORS', Infinity],
];

/** Inches of front and rear legroom by body style, and how much models differ. */
const LEGROOM: Readonly<Record<string, readonly [front: number, rear: number]>> = {
  TRUCKS: [43, 36],
  SUVCROSS: [41.5, 38.5],
  SUV: [41.5, 38],
  VANMV: [40.5, 38],
  VANS: [41, 38],
  SEDAN: [42.5, 37],
  HATCH: [42, 35],
  COUPE: [43, 31],
  CONVERT: [42.5, 30],
};
const LEGROOM_SPREAD = 2.4;

/** One to five stars: newer designs protect better, heavy and low ones roll over less. */
function stars(vehicle: ReferenceVehicle, test: string, base: number): string {
  const { year, make, model } = vehicle;
  const progress = Math.min(0.6, (year - RATED_FROM) * 0.04);
  const own = (steady('stars', test, make.code, model.code, Math.floor(year / 6)) - 0.5) * 1.1;
  return String(Math.max(3, Math.min(5, Math.round(base + progress + own))));
}

function ratingsOf(vehicle: ReferenceVehicle): { name: string; value: string }[] {
  const { bodyStyle, seats } = vehicle.variant;
  if (vehicle.year < RATED_FROM || UNRATED_STYLES.includes(bodyStyle) || seats <= 2) return [];
  const isTall = ['TRUCKS', 'SUVCROSS', 'SUV', 'VANMV'].includes(bodyStyle);
  const frontal = stars(vehicle, 'frontal', 4.3);
  const side = stars(vehicle, 'side', 4.6);
  const rollover = stars(vehicle, 'rollover', isTall ? 3.7 : 4.4);
  const overall = Math.round((Number(frontal) + Number(side) + Number(rollover)) / 3);
  return [
    { name: 'Overall', value: String(overall) },
    { name: 'Frontal Crash', value: frontal },
    { name: 'Side Crash', value: side },
    { name: 'Rollover', value: rollover },
  ];
}

function legroomOf({ make, model, variant }: ReferenceVehicle): { name: string; value: string }[] {
  const [front, rear] = LEGROOM[variant.bodyStyle] ?? [41, 36];
  const own = (row: string) => (steady('legroom', row, make.code, model.code) - 0.5) * LEGROOM_SPREAD;
  const inches = (length: number) => `${length.toFixed(1)} in`;
  return [
    { name: 'Front Legroom', value: inches(front + own('front')) },
    ...(variant.seats >= 4 ? [{ name: 'Rear Legroom', value: inches(rear + own('rear')) }] : []),
    ...(variant.seats >= 7 && variant.bodyStyle !== 'TRUCKS'
      ? [{ name: 'Third Row Legroom', value: inches(rear - 7 + own('third')) }]
      : []),
  ];
}

/** Safety of a vehicle: 'std', 'opt' or 'n/a' for each feature, stars where it is rated. */
export function safetyOf(vehicle: ReferenceVehicle): SafetyInfo {
  const features = SAFETY_FEATURES.map(([name, feature, since]) => {
    const share = vehicle.year >= since ? 1 : feature === undefined ? 0.5 : shareOf(vehicle, feature);
    const value = share >= STANDARD_FROM ? 'std' : share >= AVAILABLE_FROM ? 'opt' : 'n/a';
    return { name, value };
  });
  return {
    vehicleId: vehicle.id,
    features: { 'Safety Ratings': ratingsOf(vehicle), 'Safety Features': features },
    Specifications: legroomOf(vehicle),
  };
}
