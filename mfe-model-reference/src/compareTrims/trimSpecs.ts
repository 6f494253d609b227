/** Equipment which the trim comparison tells, by specId (B3-SPEC-01, B3-SPEC-04..12), in its order. */
export const TRIM_SPECS = {
  546: 'Heated Seats',
  561: 'Leather Seats',
  610: 'Rearview Camera',
  170: 'Bluetooth',
  160: 'Alarm',
  557: 'Lane Departure Warning',
  236: 'Navigation',
  615: 'Remote Start',
  578: 'Sunroof',
} as const satisfies Record<number, string>;

export type TrimSpecId = keyof typeof TRIM_SPECS;

/** In the order of the table: a plain object sorts its numeric keys. */
export const TRIM_SPEC_IDS = [
  546, 561, 610, 170, 160, 557, 236, 615, 578,
] as const satisfies readonly TrimSpecId[];
