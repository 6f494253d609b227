import { electric, gas, hybrid, make, model, plugIn } from './define.ts';

export const VOLVO = make('Volvo', { wmi: 'YV4', luxury: true }, [
  model(
    'S60',
    { body: 'SEDAN', years: [2001, 2025], sales: 12, subtype: 'LUXURYSEDAN' },
    gas(
      '2.0L I4 Turbo',
      'FA',
      [26, 35],
      { 'B5 Core': 42500, 'B5 Plus': 46500, 'T5 Momentum': 39500 },
      { years: [2019, 2025] },
    ),
    plugIn(
      '2.0L I4 Turbo Plug-in Hybrid',
      'A',
      [28, 34, 41],
      { 'T8 Recharge': 52500 },
      { years: [2019, 2025] },
    ),
    gas('2.5L I5 Turbo', 'FA', [21, 30], { T5: 36500 }, { years: [2011, 2018] }),
  ),
  model(
    'S90',
    { body: 'SEDAN', years: [2017, 2025], sales: 3, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'A', [23, 31], { 'B6 Plus': 58500, 'B6 Ultimate': 62500 }),
  ),
  model(
    'XC40',
    { body: 'SUVCROSS', years: [2019], sales: 25, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4 Turbo', 'FA', [23, 30], {
      'B5 Core': 42500,
      'B5 Plus': 46500,
      'B5 Ultimate': 49500,
      'T5 Momentum': 38500,
    }),
  ),
  model(
    'XC40 Recharge',
    { body: 'SUVCROSS', years: [2021, 2024], sales: 8, subtype: 'SUBCOMPACTSUV', series: 'XC40' },
    electric('Dual Motor', 'A', [95, 79, 254], { Core: 54500, Plus: 57500, Ultimate: 60500 }),
  ),
  model(
    'XC60',
    { body: 'SUVCROSS', years: [2010], sales: 42, subtype: 'COMPACTSUV' },
    gas(
      '2.0L I4 Turbo',
      'FA',
      [22, 28],
      {
        'B5 Core': 48500,
        'B5 Plus': 53500,
        'B5 Ultimate': 57500,
        'B5 Momentum': 46500,
        'T5 Momentum': 44500,
        'T6 R-Design': 50500,
        'T6 Inscription': 52500,
      },
      { years: [2016] },
    ),
    plugIn(
      '2.0L I4 Turbo Plug-in Hybrid',
      'A',
      [28, 28, 35],
      { 'T8 Plus': 61500, 'T8 Ultimate': 67500 },
      { years: [2018] },
    ),
  ),
  model(
    'XC90',
    { body: 'SUVCROSS', years: [2003], sales: 37, subtype: 'MIDSIZESUV', seats: 7 },
    gas(
      '2.0L I4 Turbo',
      'A',
      [21, 27],
      {
        'B5 Core': 60500,
        'B5 Plus': 64500,
        'B6 Plus': 68500,
        'B6 Ultimate': 72500,
        'T5 Momentum': 51500,
        'T6 Momentum': 56500,
        'T6 Inscription': 62500,
      },
      { years: [2016] },
    ),
    plugIn(
      '2.0L I4 Turbo Plug-in Hybrid',
      'A',
      [26, 27, 32],
      { 'T8 Plus': 77500, 'T8 Ultimate': 82500 },
      { years: [2016] },
    ),
  ),
  model(
    'EX30',
    { body: 'SUVCROSS', years: [2025], sales: 6, subtype: 'SUBCOMPACTSUV' },
    electric('Dual Motor', 'A', [117, 100, 253], { Plus: 46195, Ultra: 48395 }),
  ),
  model(
    'V60 Cross Country',
    { body: 'HATCH', years: [2015, 2026], sales: 4 },
    gas('2.0L I4 Turbo', 'A', [23, 30], { 'B5 Plus': 52500, 'B5 Ultimate': 56500 }),
  ),
  model(
    'C40 Recharge',
    { body: 'SUVCROSS', years: [2022, 2024], sales: 5, subtype: 'COMPACTSUV' },
    electric('Dual Motor', 'A', [108, 93, 257], { Core: 55100, Plus: 57700, Ultimate: 60550 }),
  ),
  model(
    'EX90',
    { body: 'SUVCROSS', years: [2025], sales: 5, subtype: 'MIDSIZESUV', seats: 7 },
    electric('Dual Motor', 'A', [81, 76, 310], { Plus: 79995, Ultra: 84345 }),
  ),
]);

export const POLESTAR = make('Polestar', { wmi: 'YSM', luxury: true }, [
  model(
    '2',
    { body: 'HATCH', years: [2021], sales: 9 },
    electric('Single Motor', 'R', [121, 107, 320], { 'Long Range Single Motor': 51300 }),
    electric('Dual Motor', 'A', [113, 97, 276], { 'Long Range Dual Motor': 56700 }),
  ),
  model(
    '3',
    { body: 'SUVCROSS', years: [2025], sales: 4, subtype: 'MIDSIZESUV' },
    electric('Dual Motor', 'A', [87, 74, 315], { 'Long Range Dual Motor': 74800 }),
  ),
  model(
    '4',
    { body: 'SUVCROSS', years: [2025], sales: 2, subtype: 'COMPACTSUV' },
    electric('Single Motor', 'R', [107, 92, 310], { 'Long Range Single Motor': 56400 }),
  ),
]);

export const JAGUAR = make('Jaguar', { wmi: 'SAD', luxury: true }, [
  model(
    'F-PACE',
    { body: 'SUVCROSS', years: [2017], sales: 8, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [22, 27], { P250: 52500, 'P250 R-Dynamic S': 59500, '25t Premium': 47500 }),
    gas('3.0L I6 Turbo', 'A', [19, 26], { 'P400 R-Dynamic S': 68500 }, { years: [2021] }),
  ),
  model(
    'E-PACE',
    { body: 'SUVCROSS', years: [2018, 2024], sales: 3, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [21, 27], { 'P250 S': 45500, 'P250 SE': 48500 }),
  ),
  model(
    'I-PACE',
    { body: 'SUVCROSS', years: [2019, 2024], sales: 2, subtype: 'COMPACTSUV' },
    electric('Dual Motor', 'A', [80, 72, 246], { S: 69850, SE: 72500, HSE: 74500 }),
  ),
  model(
    'XF',
    { body: 'SEDAN', years: [2009, 2024], sales: 4, subtype: 'LUXURYSEDAN' },
    gas('2.0L I4 Turbo', 'RA', [23, 31], { 'P250 SE': 47500, 'P300 R-Dynamic SE': 50500 }),
  ),
  model(
    'F-TYPE',
    { body: 'COUPE', years: [2014, 2024], sales: 3, seats: 2 },
    gas('5.0L V8 Supercharged', 'RA', [16, 24], { 'R-Dynamic': 79500, R: 109500 }),
    gas('5.0L V8 Supercharged', 'RA', [16, 24], { 'R-Dynamic': 82500 }, { body: 'CONVERT', seats: 2 }),
  ),
]);

export const LAND_ROVER = make('Land Rover', { wmi: 'SAL', luxury: true }, [
  model(
    'Range Rover',
    { body: 'SUVCROSS', years: [1987], sales: 20, subtype: 'FULLSIZESUV' },
    gas('3.0L I6 Turbo', 'A', [18, 26], { SE: 108500, HSE: 95500, Westminster: 112500 }, { years: [2019] }),
    gas('4.4L V8 Turbo', 'A', [16, 22], { Autobiography: 157500 }, { years: [2022] }),
    gas(
      '5.0L V8 Supercharged',
      'A',
      [14, 19],
      { Supercharged: 104500, 'Autobiography LWB': 145500 },
      { years: [2010, 2022] },
    ),
  ),
  model(
    'Range Rover Sport',
    { body: 'SUVCROSS', years: [2006], sales: 24, subtype: 'MIDSIZESUV' },
    gas('3.0L I6 Turbo', 'A', [19, 25], { SE: 83500, Dynamic: 89500, HSE: 79500 }),
    plugIn(
      '3.0L I6 Turbo Plug-in Hybrid',
      'A',
      [21, 21, 51],
      { 'Autobiography PHEV': 104500 },
      { years: [2023] },
    ),
  ),
  model(
    'Range Rover Velar',
    { body: 'SUVCROSS', years: [2018], sales: 11, subtype: 'COMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [20, 26], { S: 61500, 'Dynamic SE': 64500 }),
  ),
  model(
    'Range Rover Evoque',
    { body: 'SUVCROSS', years: [2012], sales: 10, subtype: 'SUBCOMPACTSUV' },
    gas('2.0L I4 Turbo', 'A', [20, 27], { S: 49500, 'Dynamic SE': 54500 }),
    gas('2.0L I4 Turbo', 'A', [20, 28], { 'SE Dynamic': 52500 }, { body: 'CONVERT', years: [2017, 2019] }),
  ),
  model(
    'Defender',
    { body: 'SUVCROSS', years: [2020], sales: 26, subtype: 'MIDSIZESUV' },
    gas('2.0L I4 Turbo', 'A', [18, 21], { '110 S': 60500 }),
    gas('3.0L I6 Turbo', 'A', [17, 21], {
      '110 X-Dynamic SE': 70500,
      '90 X-Dynamic SE': 67500,
      '130 SE': 77500,
    }),
  ),
  model(
    'Discovery',
    { body: 'SUVCROSS', years: [1994], sales: 8, subtype: 'MIDSIZESUV', seats: 7 },
    gas('3.0L I6 Turbo', 'A', [18, 24], { S: 61500, 'Dynamic SE': 69500 }),
  ),
  model(
    'Discovery Sport',
    { body: 'SUVCROSS', years: [2015], sales: 8, subtype: 'COMPACTSUV', seats: 7 },
    gas('2.0L I4 Turbo', 'A', [19, 24], { S: 49500, 'Dynamic SE': 54500 }),
  ),
]);

export const BENTLEY = make('Bentley', { wmi: 'SJA', luxury: true }, [
  model(
    'Bentayga',
    { body: 'SUVCROSS', years: [2017], sales: 1.5, subtype: 'FULLSIZESUV' },
    gas('4.0L V8 Turbo', 'A', [14, 21], { V8: 203500, Azure: 240500 }),
  ),
  model(
    'Continental',
    { body: 'COUPE', years: [2004], sales: 1.2 },
    gas('4.0L V8 Turbo', 'A', [14, 22], { 'GT V8': 245500 }),
    gas('4.0L V8 Turbo', 'A', [14, 22], { 'GTC V8': 270500 }, { body: 'CONVERT' }),
  ),
]);

export const ASTON_MARTIN = make('Aston Martin', { wmi: 'SCF', luxury: true }, [
  model(
    'DBX',
    { body: 'SUVCROSS', years: [2021], sales: 0.6, subtype: 'MIDSIZESUV' },
    gas('4.0L V8 Turbo', 'A', [14, 20], { Base: 195500, '707': 246500 }),
  ),
  model(
    'Vantage',
    { body: 'COUPE', years: [2006], sales: 0.7, seats: 2 },
    gas('4.0L V8 Turbo', 'R', [15, 22], { Base: 194500 }),
  ),
]);

export const LAMBORGHINI = make('Lamborghini', { wmi: 'ZHW', luxury: true }, [
  model(
    'Urus',
    { body: 'SUVCROSS', years: [2019], sales: 1.8, subtype: 'MIDSIZESUV' },
    gas('4.0L V8 Turbo', 'A', [14, 19], { Base: 235500, Performante: 275500 }),
    plugIn('4.0L V8 Turbo Plug-in Hybrid', 'A', [17, 21, 37], { SE: 263500 }, { years: [2025] }),
  ),
  model(
    'Huracan',
    { body: 'COUPE', years: [2015, 2024], sales: 0.8, seats: 2 },
    gas('5.2L V10', 'RA', [13, 18], { EVO: 215500, Tecnica: 248500 }),
  ),
]);

export const FERRARI = make('Ferrari', { wmi: 'ZFF', luxury: true }, [
  model(
    'Roma',
    { body: 'COUPE', years: [2021, 2025], sales: 0.8 },
    gas('3.9L V8 Turbo', 'R', [17, 22], { Base: 247500 }),
  ),
  model(
    '296 GTB',
    { body: 'COUPE', years: [2022], sales: 0.7, seats: 2 },
    plugIn('3.0L V6 Turbo Plug-in Hybrid', 'R', [16, 21, 8], { Base: 342500 }),
  ),
  model(
    'Purosangue',
    { body: 'SUVCROSS', years: [2023], sales: 0.4, subtype: 'MIDSIZESUV', seats: 4 },
    gas('6.5L V12', 'A', [12, 16], { Base: 402500 }),
  ),
]);

export const ROLLS_ROYCE = make('Rolls-Royce', { wmi: 'SCA', luxury: true }, [
  model(
    'Ghost',
    { body: 'SEDAN', years: [2010], sales: 0.5, subtype: 'LUXURYSEDAN' },
    gas('6.7L V12 Turbo', 'A', [12, 19], { Base: 355500 }),
  ),
  model(
    'Cullinan',
    { body: 'SUVCROSS', years: [2019], sales: 0.6, subtype: 'FULLSIZESUV' },
    gas('6.7L V12 Turbo', 'A', [12, 20], { Base: 407500 }),
  ),
  model(
    'Spectre',
    { body: 'COUPE', years: [2024], sales: 0.3 },
    electric('Dual Motor', 'A', [79, 76, 291], { Base: 420000 }),
  ),
]);

export const MCLAREN = make('McLaren', { wmi: 'SBM', luxury: true }, [
  model(
    'Artura',
    { body: 'COUPE', years: [2023], sales: 0.4, seats: 2 },
    hybrid('3.0L V6 Turbo Hybrid', 'R', [16, 22], { Base: 254500 }),
  ),
]);
