import { electric, gas, make, model, plugIn } from './define.ts';

export const NISSAN = make('Nissan', { wmi: '1N4' }, [
  model(
    'Altima',
    { body: 'SEDAN', years: [1993], sales: 130, subtype: 'MIDSIZESEDAN' },
    gas('2.5L I4', 'FA', [27, 39], { S: 26900, SV: 27580, SR: 28980, SL: 32500 }, { years: [2007] }),
    gas('2.0L I4 Turbo', 'F', [25, 34], { 'SR VC-Turbo': 35430 }, { years: [2019, 2025] }),
  ),
  model(
    'Sentra',
    { body: 'SEDAN', years: [1982], sales: 150, subtype: 'COMPACTSEDAN' },
    gas('2.0L I4', 'F', [30, 40], { S: 21590, SV: 22360, SR: 24980 }, { years: [2020] }),
    gas('1.8L I4', 'F', [29, 37], { S: 18500, SV: 19800, SR: 21500, SL: 23500 }, { years: [2013, 2019] }),
  ),
  model(
    'Versa',
    { body: 'SEDAN', years: [2007, 2025], sales: 45, subtype: 'COMPACTSEDAN' },
    gas('1.6L I4', 'F', [32, 40], { S: 17190, SV: 20500, SR: 21200 }, { gearbox: ['AUT', 'MAN'] }),
  ),
  model(
    'Maxima',
    { body: 'SEDAN', years: [1981, 2023], sales: 35, subtype: 'FULLSIZESEDAN' },
    gas('3.5L V6', 'F', [20, 30], { S: 36500, SV: 38500, SL: 40500, SR: 43500, Platinum: 43500 }),
  ),
  model(
    'Leaf',
    { body: 'HATCH', years: [2011], sales: 14 },
    electric('Single Motor', 'F', [123, 99, 149], { S: 28140, SV: 32500 }, { years: [2018, 2025] }),
    electric(
      'Single Motor',
      'F',
      [121, 98, 212],
      { 'SV Plus': 36190, 'SL Plus': 39500 },
      { years: [2019, 2025] },
    ),
    electric(
      'Single Motor',
      'F',
      [126, 101, 84],
      { S: 30000, SV: 33500, SL: 36500 },
      { years: [2011, 2017] },
    ),
  ),
  model(
    'Z',
    { body: 'COUPE', years: [2023], sales: 3, seats: 2, gearbox: ['AUT', 'MAN'] },
    gas('3.0L V6 Turbo', 'R', [19, 28], { Sport: 42970, Performance: 52970, NISMO: 65750 }),
  ),
  model(
    '370Z',
    { body: 'COUPE', years: [2009, 2020], sales: 6, seats: 2, gearbox: ['AUT', 'MAN'] },
    gas('3.7L V6', 'R', [19, 26], { Base: 31500, Sport: 34500, NISMO: 46500 }),
  ),
  model(
    'Kicks',
    { body: 'SUVCROSS', years: [2018], sales: 80, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4', 'FA', [28, 35], { S: 22500, SV: 24300, SR: 26800 }, { years: [2025] }),
    gas('1.6L I4', 'F', [31, 36], { S: 20500, SV: 22500, SR: 23500 }, { years: [2018, 2024] }),
  ),
  model(
    'Rogue',
    { body: 'SUVCROSS', years: [2008], sales: 260, subtype: 'COMPACTSUV' },
    gas(
      '1.5L I3 Turbo',
      'FA',
      [30, 37],
      { S: 29500, SV: 31000, SL: 36500, Platinum: 39500 },
      { years: [2022] },
    ),
    gas('2.5L I4', 'FA', [26, 33], { S: 26500, SV: 28500, SL: 33500 }, { years: [2008, 2021] }),
  ),
  model(
    'Rogue Sport',
    { body: 'SUVCROSS', years: [2017, 2022], sales: 45, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4', 'FA', [25, 32], { S: 25500, SV: 27000, SL: 30500 }),
  ),
  model(
    'Murano',
    { body: 'SUVCROSS', years: [2003], sales: 45, subtype: 'MIDSIZESUV' },
    gas(
      '3.5L V6',
      'FA',
      [20, 28],
      { S: 34500, SV: 38500, SL: 43500, Platinum: 47000 },
      { years: [2003, 2024] },
    ),
    gas('2.0L I4 Turbo', 'FA', [21, 27], { SV: 41500, SL: 46600, Platinum: 50500 }, { years: [2025] }),
  ),
  model(
    'Ariya',
    { body: 'SUVCROSS', years: [2023, 2025], sales: 18, subtype: 'COMPACTSUV' },
    electric('Single Motor', 'F', [111, 95, 289], { Engage: 39770, 'Evolve+': 44500 }),
    electric('Dual Motor', 'A', [103, 88, 272], { 'Engage+ e-4ORCE': 45500, 'Platinum+ e-4ORCE': 54500 }),
  ),
  model(
    'Pathfinder',
    { body: 'SUVCROSS', years: [1986], sales: 75, subtype: 'MIDSIZESUV', seats: 7 },
    gas('3.5L V6', 'FA', [20, 27], { S: 37500, SV: 40500, SL: 44000, 'Rock Creek': 45500, Platinum: 50500 }),
  ),
  model(
    'Armada',
    { body: 'SUVCROSS', years: [2004], sales: 20, subtype: 'FULLSIZESUV', seats: 8 },
    gas('5.6L V8', 'RA', [14, 19], { SV: 52500, SL: 58500, Platinum: 66500 }, { years: [2004, 2024] }),
    gas('3.5L V6 Turbo', 'RA', [16, 20], { SV: 58500, SL: 64500, 'PRO-4X': 73500 }, { years: [2025] }),
  ),
  model(
    'Frontier',
    { body: 'TRUCKS', years: [1998], sales: 65, cabs: ['EXTCAB', 'CREWCAB'], beds: ['SHORT', 'STANDARD'] },
    gas('3.8L V6', 'RA', [19, 24], { S: 32500, SV: 35500, 'PRO-4X': 41500, SL: 40500 }, { years: [2020] }),
    gas('4.0L V6', 'RA', [16, 22], { SV: 28500, 'PRO-4X': 33500 }, { years: [2005, 2019] }),
  ),
  model(
    'Titan',
    {
      body: 'TRUCKS',
      years: [2004, 2024],
      sales: 22,
      cabs: ['EXTCAB', 'CREWCAB'],
      beds: ['SHORT', 'STANDARD'],
    },
    gas('5.6L V8', 'RA', [15, 21], { S: 46500, SV: 49500, 'PRO-4X': 57500, Platinum: 64500 }),
  ),
  model(
    'NV200',
    { body: 'VANS', years: [2013, 2021], sales: 15, subtype: 'CARGOVAN', commercial: true },
    gas('2.0L I4', 'F', [24, 26], { S: 24500, SV: 25900 }),
  ),
  model(
    'NV2500 HD',
    { body: 'VANS', years: [2012, 2021], sales: 9, subtype: 'CARGOVAN', commercial: true },
    gas('4.0L V6', 'R', [], { S: 34500, SV: 36500 }),
  ),
  model(
    'Juke',
    { body: 'SUVCROSS', years: [2011, 2017], sales: 32, subtype: 'SUBCOMPACTSUV' },
    gas('1.6L I4 Turbo', 'FA', [28, 32], { S: 20400, SV: 22500, SL: 25500 }),
  ),
  model(
    'Xterra',
    { body: 'SUVCROSS', years: [2005, 2015], sales: 17, subtype: 'MIDSIZESUV', gearbox: ['AUT', 'MAN'] },
    gas('4.0L V6', 'RA', [16, 22], { X: 24000, S: 26000, 'Pro-4X': 31500 }),
  ),
  model(
    'Quest',
    { body: 'VANMV', years: [2011, 2017], sales: 12, subtype: 'MINIVAN', seats: 7 },
    gas('3.5L V6', 'F', [20, 27], { S: 26800, SV: 30500, SL: 34500, Platinum: 43500 }),
  ),
]);

export const INFINITI = make('INFINITI', { wmi: 'JN1', luxury: true }, [
  model(
    'Q50',
    { body: 'SEDAN', years: [2014, 2024], sales: 25, subtype: 'LUXURYSEDAN' },
    gas('3.0L V6 Turbo', 'RA', [20, 29], { Luxe: 43500, Sensory: 49500, 'Red Sport 400': 59500 }),
  ),
  model(
    'Q60',
    { body: 'COUPE', years: [2014, 2022], sales: 7 },
    gas('3.0L V6 Turbo', 'RA', [20, 28], { Pure: 42500, Luxe: 48500, 'Red Sport 400': 59500 }),
  ),
  model(
    'QX50',
    { body: 'SUVCROSS', years: [2014, 2025], sales: 20, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'FA', [23, 29], { Pure: 41500, Luxe: 44500, Sensory: 51500, Autograph: 57500 }),
  ),
  model(
    'QX55',
    { body: 'SUVCROSS', years: [2022, 2025], sales: 6, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [22, 28], { Luxe: 50500, Essential: 54500, Sensory: 59500 }),
  ),
  model(
    'QX60',
    { body: 'SUVCROSS', years: [2014], sales: 35, subtype: 'MIDSIZESUV', seats: 7 },
    gas(
      '2.0L I4 Turbo',
      'FA',
      [22, 28],
      { Pure: 50200, Luxe: 55500, Sensory: 60500, Autograph: 65500 },
      { years: [2025] },
    ),
    gas(
      '3.5L V6',
      'FA',
      [20, 26],
      { Base: 44500, Pure: 47500, Luxe: 52500, Sensory: 58500, Autograph: 62500 },
      { years: [2014, 2024] },
    ),
  ),
  model(
    'QX80',
    { body: 'SUVCROSS', years: [2014], sales: 15, subtype: 'FULLSIZESUV', seats: 7 },
    gas(
      '3.5L V6 Turbo',
      'RA',
      [16, 20],
      { Pure: 84500, Luxe: 91500, Sensory: 102500, Autograph: 112500 },
      { years: [2025] },
    ),
    gas(
      '5.6L V8',
      'RA',
      [14, 20],
      { Luxe: 72500, 'Premium Select': 77500, Sensory: 85500 },
      { years: [2014, 2024] },
    ),
  ),
  model(
    'G37',
    { body: 'SEDAN', years: [2008, 2013], sales: 50, subtype: 'LUXURYSEDAN', gearbox: ['AUT', 'MAN'] },
    gas('3.7L V6', 'RA', [19, 27], { Journey: 36200, Sport: 41400 }),
  ),
  model(
    'QX30',
    { body: 'SUVCROSS', years: [2017, 2019], sales: 10, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4 Turbo', 'FA', [24, 33], { Pure: 30100, Luxe: 32700, Essential: 38700 }),
  ),
]);

export const MITSUBISHI = make('Mitsubishi', { wmi: 'JA4' }, [
  model(
    'Outlander',
    { body: 'SUVCROSS', years: [2003], sales: 45, subtype: 'COMPACTSUV', seats: 7 },
    gas(
      '2.5L I4',
      'FA',
      [24, 30],
      { ES: 29500, SE: 32500, SEL: 36500, 'Black Edition': 35500 },
      { years: [2022] },
    ),
    gas('2.4L I4', 'FA', [24, 30], { ES: 25500, SE: 27500, SEL: 28900, GT: 33500 }, { years: [2010, 2020] }),
    plugIn(
      '2.4L I4 Plug-in Hybrid',
      'A',
      [26, 27, 38],
      { 'PHEV ES': 40500, 'PHEV SE': 45500, 'PHEV SEL': 49500 },
      { years: [2018] },
    ),
  ),
  model(
    'Outlander Sport',
    { body: 'SUVCROSS', years: [2011, 2024], sales: 30, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4', 'FA', [23, 29], { ES: 23500, LE: 25500, SE: 26500 }),
  ),
  model(
    'Eclipse Cross',
    { body: 'SUVCROSS', years: [2018, 2025], sales: 14, subtype: 'COMPACTSUV' },
    gas('1.5L I4 Turbo', 'A', [25, 28], { ES: 26500, LE: 27900, SE: 29500, SEL: 31500 }),
  ),
  model(
    'Mirage',
    { body: 'HATCH', years: [2014, 2024], sales: 20 },
    gas('1.2L I3', 'F', [36, 43], { ES: 16900, LE: 18200, SE: 19500 }, { gearbox: ['AUT', 'MAN'] }),
  ),
]);
