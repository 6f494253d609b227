import { electric, make, model } from './define.ts';

export const TESLA = make('Tesla', { wmi: '5YJ' }, [
  model(
    'Model 3',
    { body: 'SEDAN', years: [2017], sales: 200, subtype: 'MIDSIZESEDAN' },
    electric('Single Motor', 'R', [147, 126, 363], {
      'Long Range': 42490,
      'Standard Range Plus': 38990,
      Standard: 36990,
    }),
    electric('Dual Motor', 'A', [136, 119, 346], { 'Long Range AWD': 47490, Performance: 54990 }),
  ),
  model(
    'Model Y',
    { body: 'SUVCROSS', years: [2020], sales: 370, subtype: 'COMPACTSUV' },
    electric(
      'Single Motor',
      'R',
      [138, 117, 357],
      { 'Long Range RWD': 44990, Standard: 39990 },
      { years: [2023] },
    ),
    electric('Dual Motor', 'A', [125, 111, 327], { 'Long Range': 48990, Performance: 57490 }),
  ),
  model(
    'Model S',
    { body: 'HATCH', years: [2012], sales: 18 },
    electric('Dual Motor', 'A', [129, 120, 405], {
      'Long Range': 79990,
      Base: 84990,
      '75D': 76500,
      '100D': 94500,
    }),
    electric('Tri Motor', 'A', [108, 100, 359], { Plaid: 94990 }, { years: [2021] }),
  ),
  model(
    'Model X',
    { body: 'SUVCROSS', years: [2016], sales: 18, subtype: 'MIDSIZESUV', seats: 6 },
    electric('Dual Motor', 'A', [107, 97, 348], { 'Long Range': 84990, Base: 84990, '100D': 97500 }),
    electric('Tri Motor', 'A', [96, 89, 326], { Plaid: 99990 }, { years: [2022] }),
  ),
  model(
    'Cybertruck',
    { body: 'TRUCKS', years: [2024], sales: 38, cabs: ['CREWCAB'], beds: ['STANDARD'] },
    electric('Dual Motor', 'A', [83, 75, 325], { 'All-Wheel Drive': 79990 }),
    electric('Tri Motor', 'A', [83, 73, 301], { Cyberbeast: 99990 }),
  ),
  model(
    'Roadster',
    { body: 'CONVERT', years: [2008, 2012], sales: 0.5, seats: 2 },
    electric('Single Motor', 'R', [112, 105, 244], { Base: 109000, Sport: 128500 }),
  ),
]);

export const RIVIAN = make('Rivian', { wmi: '7FC', luxury: true }, [
  model(
    'R1T',
    { body: 'TRUCKS', years: [2022], sales: 14, cabs: ['CREWCAB'], beds: ['SHORT'] },
    electric('Dual Motor', 'A', [87, 76, 329], { Adventure: 71700, 'Dual Large': 79900 }),
    electric('Quad Motor', 'A', [74, 66, 314], { 'Launch Edition': 80500 }),
  ),
  model(
    'R1S',
    { body: 'SUVCROSS', years: [2022], sales: 27, subtype: 'MIDSIZESUV', seats: 7 },
    electric('Dual Motor', 'A', [84, 75, 329], { Adventure: 77700, 'Dual Large': 84900 }),
    electric('Quad Motor', 'A', [73, 65, 316], { 'Launch Edition': 87500 }),
  ),
  model(
    'EDV 700',
    { body: 'VANS', years: [2023], sales: 3, subtype: 'CARGOVAN', commercial: true },
    electric('Single Motor', 'F', [], { Delivery: 87900 }),
  ),
]);

export const LUCID = make('Lucid', { wmi: '50E', luxury: true }, [
  model(
    'Air',
    { body: 'SEDAN', years: [2022], sales: 8, subtype: 'LUXURYSEDAN' },
    electric('Single Motor', 'R', [149, 142, 420], { Pure: 71400 }),
    electric('Dual Motor', 'A', [134, 131, 512], { Touring: 80400, 'Grand Touring': 112400 }),
  ),
  model(
    'Gravity',
    { body: 'SUVCROSS', years: [2025], sales: 3, subtype: 'MIDSIZESUV', seats: 7 },
    electric('Dual Motor', 'A', [112, 102, 450], { 'Grand Touring': 96550, Touring: 81550 }),
  ),
]);

export const SMART = make('smart', { wmi: 'WME' }, [
  model(
    'fortwo',
    { body: 'HATCH', years: [2008, 2019], sales: 5, doors: 2, seats: 2 },
    electric(
      'Single Motor',
      'R',
      [124, 94, 58],
      { 'electric drive pure': 23900, 'electric drive passion': 26500 },
      { years: [2013, 2019] },
    ),
  ),
]);

export const FISKER = make('Fisker', { wmi: 'VCF', luxury: true }, [
  model(
    'Ocean',
    { body: 'SUVCROSS', years: [2023, 2024], sales: 3, subtype: 'MIDSIZESUV' },
    electric('Dual Motor', 'A', [98, 87, 360], { Extreme: 61500, One: 68999 }),
    electric('Single Motor', 'F', [103, 86, 231], { Sport: 38999 }),
  ),
]);

export const VINFAST = make('VinFast', { wmi: 'RLL' }, [
  model(
    'VF 8',
    { body: 'SUVCROSS', years: [2023], sales: 4, subtype: 'COMPACTSUV' },
    electric('Dual Motor', 'A', [93, 81, 256], { Eco: 46000, Plus: 51800 }),
  ),
  model(
    'VF 9',
    { body: 'SUVCROSS', years: [2024], sales: 1, subtype: 'MIDSIZESUV', seats: 7 },
    electric('Dual Motor', 'A', [83, 74, 330], { Eco: 69800, Plus: 73800 }),
  ),
]);
