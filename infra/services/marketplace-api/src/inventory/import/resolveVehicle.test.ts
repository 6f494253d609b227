import { describe, expect, it } from '@jest/globals';
import { demoContent } from '../../testing/testApp.ts';
import { createVehicleResolver } from './resolveVehicle.ts';

const resolveVehicle = createVehicleResolver(demoContent.catalog);

describe('vehicle resolution of feeds', () => {
  it.each([
    ['Nissan', 'Altima SR FWD', 2022, 'NISSAN', 'ALTIMA', 'ALTIMA|SR'],
    ['Alfa', 'Romeo Giulia Ti', 2022, 'ALFAROMEO', 'GIULIA', 'GIULIA|Ti'],
    [
      'Land',
      'Rover Range Rover Sport HSE Silver Edition',
      2020,
      'LANDROVER',
      'RANGEROVERSPORT',
      'RANGEROVERSPORT|HSE',
    ],
    ['RAM', '1500 Laramie', 2022, 'RAM', '1500', '1500|Laramie'],
    ['Hyundai', 'SANTA FE Limited', 2023, 'HYUNDAI', 'SANTAFE', 'SANTAFE|Limited'],
    ['Ford', 'F-150 XLT 4WD SuperCrew 145', 2021, 'FORD', 'F150', 'F150|XLT'],
    [
      'Chevrolet',
      'Silverado 1500 High Country',
      2021,
      'CHEVROLET',
      'SILVERADO1500',
      'SILVERADO1500|High Country',
    ],
    ['Mercedes-Benz', 'E-Class E 350', 2020, 'MERCEDESBENZ', 'ECLASS', 'ECLASS|E 350'],
    ['Buick', 'Enclave AWD Avenir', 2022, 'BUICK', 'ENCLAVE', 'ENCLAVE|Avenir'],
  ])(
    'resolves %s %s of %d to make %s, model %s and trim %s',
    (make, model, year, makeCode, modelCode, trimCode) => {
      const vehicle = resolveVehicle(make, model, '', year);
      expect([vehicle.make.code, vehicle.model.code, vehicle.trim?.code]).toEqual([
        makeCode,
        modelCode,
        trimCode,
      ]);
      expect(vehicle.isModelKnown).toBe(true);
    },
  );

  it('matches the longest model name', () => {
    expect(resolveVehicle('Jeep', 'Grand Cherokee L Limited', '', 2022).model.code).toBe('GRANDCHEROKEEL');
    expect(resolveVehicle('Ford', 'Mustang Mach-E Premium', '', 2022).model.code).toBe('MUSTANGMACHE');
  });

  it('derives codes of unknown makes and models from their names', () => {
    const unknown = resolveVehicle('Plymouth', 'Roadrunner Convertible', undefined, 1970);
    expect(unknown).toMatchObject({
      make: { code: 'PLYMOUTH', name: 'Plymouth' },
      model: { code: 'ROADRUNNER', name: 'Roadrunner' },
      trim: { code: 'ROADRUNNER|Convertible', name: 'Convertible' },
      bodyStyle: 'CONVERT',
      isModelKnown: false,
    });
    // Nothing says what it burns.
    expect(unknown).not.toHaveProperty('fuel');
    expect(resolveVehicle('Ford', 'Gran Torino', 'Sport', 1972).model).toEqual({
      code: 'GRANTORINO',
      name: 'Gran Torino',
    });
  });

  it('keeps the name of an unknown model whole in a feed with trims, also where a row has none', () => {
    const models = ['Aero', '', undefined].map(
      (trim) => resolveVehicle('Saab', 'C4 Cactus', trim, 2014).model.name,
    );
    expect(models).toEqual(['C4 Cactus', 'C4 Cactus', 'C4']);
  });

  it('keeps an unknown trim of a known model', () => {
    const vehicle = resolveVehicle('Toyota', 'Camry Nightshade', '', 2021);
    expect(vehicle.trim).toEqual({ code: 'CAMRY|Nightshade', name: 'Nightshade' });
    expect(vehicle.bodyStyle).toBe('SEDAN');
  });

  it('adds facts only if all variants of trim and year agree', () => {
    expect(resolveVehicle('Ford', 'F-150 XL', '', 2022).engineName).toBeUndefined();
    expect(resolveVehicle('Ford', 'F-150 Raptor', '', 2021)).toMatchObject({
      engineCode: '6CLDR',
      drive: 'AWD4WD',
      bodySubtype: 'CREWCAB',
    });
    expect(resolveVehicle('Ford', 'F-150 XL 5.0L', '', 2022).engineName).toBe('5.0L V8');
  });

  it('chooses among variants by the words for body style and fuel, and ignores words that fit none', () => {
    const resolve = (make: string, model: string, bodyStyle: string, fuel: string) =>
      resolveVehicle(make, model, '', 2022, { bodyStyle, fuel });
    expect(resolve('Honda', 'Accord', '', 'Gas/Electric Hybrid').fuel).toBe('HYB');
    expect(resolve('Honda', 'Accord', '', 'Gasoline').fuel).toBe('GSL');
    expect(resolve('Subaru', 'Outback', 'Wagon', 'Gasoline').bodyStyle).toBe(
      resolveVehicle('Subaru', 'Outback', '', 2022).bodyStyle,
    );
    expect(resolve('Chevrolet', 'Tahoe', 'SUV', '').bodyStyle).toBe('SUVCROSS');
    expect(resolve('Plymouth', 'Prowler', 'Convertible', 'Electric')).toMatchObject({
      bodyStyle: 'CONVERT',
      fuel: 'ELE',
    });
  });
});
