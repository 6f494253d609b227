/** Openings between the lamps: bars in a frame, slots side by side, two kidneys, a shield, an opening above another one, or none. */
export type Grille = 'bars' | 'slots' | 'kidneys' | 'shield' | 'low' | 'tall' | 'split' | 'none';
export type Lamps = 'usual' | 'slim' | 'round' | 'tall' | 'double';
export type TailLamps = 'usual' | 'slim' | 'bar' | 'tall' | 'round';

/** What the makes of one family have in common from ahead and from behind. */
export interface Face {
  readonly grille: Grille;
  readonly lamps: Lamps;
  readonly tail: TailLamps;
}

const face = (grille: Grille, lamps: Lamps, tail: TailLamps): Face => ({ grille, lamps, tail });

export const PLAIN_FACE: Face = face('bars', 'usual', 'usual');

/** By code of the make. Invented after the families that people tell apart on the road, without their marks. */
export const FACES: Readonly<Record<string, Face>> = {
  ACURA: face('tall', 'slim', 'slim'),
  ALFAROMEO: face('shield', 'slim', 'slim'),
  ASTONMARTIN: face('low', 'usual', 'slim'),
  AUDI: face('tall', 'slim', 'bar'),
  BENTLEY: face('bars', 'round', 'round'),
  BMW: face('kidneys', 'slim', 'slim'),
  BUICK: face('low', 'slim', 'slim'),
  CADILLAC: face('shield', 'tall', 'tall'),
  CHEVROLET: face('split', 'slim', 'usual'),
  CHRYSLER: face('low', 'slim', 'bar'),
  DODGE: face('low', 'double', 'bar'),
  FERRARI: face('low', 'slim', 'round'),
  FIAT: face('low', 'round', 'round'),
  FISKER: face('none', 'slim', 'bar'),
  FORD: face('bars', 'usual', 'usual'),
  GENESIS: face('shield', 'double', 'slim'),
  GMC: face('tall', 'tall', 'usual'),
  HONDA: face('low', 'slim', 'usual'),
  HYUNDAI: face('tall', 'double', 'slim'),
  INFINITI: face('tall', 'slim', 'slim'),
  JAGUAR: face('bars', 'slim', 'slim'),
  JEEP: face('slots', 'round', 'tall'),
  KIA: face('low', 'tall', 'slim'),
  LAMBORGHINI: face('split', 'slim', 'slim'),
  LANDROVER: face('bars', 'round', 'tall'),
  LEXUS: face('shield', 'slim', 'bar'),
  LINCOLN: face('bars', 'slim', 'bar'),
  LUCID: face('none', 'slim', 'bar'),
  MASERATI: face('low', 'usual', 'slim'),
  MAZDA: face('tall', 'slim', 'round'),
  MCLAREN: face('none', 'usual', 'slim'),
  MERCEDESBENZ: face('bars', 'slim', 'slim'),
  MINI: face('low', 'round', 'tall'),
  MITSUBISHI: face('split', 'double', 'slim'),
  NISSAN: face('split', 'slim', 'slim'),
  POLESTAR: face('none', 'double', 'bar'),
  PORSCHE: face('none', 'round', 'bar'),
  RAM: face('split', 'usual', 'tall'),
  RIVIAN: face('none', 'tall', 'bar'),
  ROLLSROYCE: face('slots', 'slim', 'tall'),
  SMART: face('low', 'round', 'round'),
  SUBARU: face('bars', 'slim', 'slim'),
  TESLA: face('none', 'slim', 'slim'),
  TOYOTA: face('low', 'usual', 'slim'),
  VINFAST: face('none', 'slim', 'bar'),
  VOLKSWAGEN: face('low', 'usual', 'usual'),
  VOLVO: face('bars', 'slim', 'tall'),
};
