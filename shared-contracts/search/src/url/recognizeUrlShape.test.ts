import { describe, expect, it } from '@jest/globals';
import { decodeQuery } from '../criteria/decode.ts';
import { recognizeUrlShape } from './recognizeUrlShape.ts';

const shape = (query: string) => recognizeUrlShape(decodeQuery(query).filters);
const MM = 'makeCode=FORD&modelCode=F150';

describe('recognizeUrlShape', () => {
  // rows: B2-SHAPE-01, B2-SHAPE-02
  it('recognizes one make and nothing else', () => {
    expect(shape('makeCode=FORD')).toBe('make');
    expect(shape('makeCode=FORD&zip=30303&searchRadius=50&sortBy=yearASC')).toBe('make');
    expect(shape('makeCode=FORD&extColorSimple=RED')).toBeUndefined();
    expect(shape('makeCodeList=FORD,BMW')).toBeUndefined();
    expect(shape('makeCodeList=FORD,BMW&modelCode=F150')).toBeUndefined();
    expect(shape('')).toBeUndefined();
  });

  // rows: B2-SHAPE-03
  it('recognizes make and model', () => {
    expect(shape(MM)).toBe('make+model');
    expect(shape('makeCode=FORD&modelCodeList=F150,F250')).toBeUndefined();
    expect(shape('modelCode=F150')).toBeUndefined();
  });

  // rows: B2-SHAPE-04
  it('recognizes make, model and trim', () => {
    expect(shape(`${MM}&trimCode=F150|XLT`)).toBe('make+model+trim');
  });

  // rows: B2-SHAPE-05, B2-SHAPE-06
  it('recognizes a year with make and model', () => {
    expect(shape(`${MM}&startYear=2019&endYear=2019`)).toBe('year+make+model');
    expect(shape(`${MM}&startYear=2019&endYear=2019&trimCode=F150|XLT`)).toBe('year+make+model+trim');
    expect(shape(`${MM}&startYear=2018&endYear=2019`)).toBe('make+model');
    expect(shape(`${MM}&startYear=2018`)).toBe('make+model');
    expect(shape(`${MM}&endYear=2018`)).toBe('make+model');
  });

  // rows: B2-SHAPE-07
  it('recognizes a city', () => {
    expect(shape(`${MM}&city=Atlanta&state=GA`)).toBe('make+model+city');
    expect(shape(`${MM}&city=Atlanta`)).toBe('make+model+city');
    expect(shape(`${MM}&state=GA`)).toBe('make+model');
  });

  // rows: B2-SHAPE-08
  it('recognizes a color', () => {
    expect(shape(`${MM}&extColorSimple=RED`)).toBe('make+model+color');
    expect(shape(`${MM}&extColorSimple=RED,BLUE`)).toBe('make+model');
  });

  // rows: B2-SHAPE-09
  it('recognizes a body style', () => {
    expect(shape(`${MM}&vehicleStyleCode=TRUCKS`)).toBe('make+model+bodyStyle');
  });

  // rows: B2-SHAPE-10
  it('recognizes a seller type', () => {
    expect(shape(`${MM}&sellerType=p`)).toBe('make+model+sellerType');
  });

  // rows: B2-SHAPE-11
  it('recognizes one price bound', () => {
    expect(shape(`${MM}&maxPrice=20000`)).toBe('make+model+price');
    expect(shape(`${MM}&minPrice=20000`)).toBe('make+model+price');
    expect(shape(`${MM}&minPrice=1&maxPrice=20000`)).toBe('make+model');
  });

  // rows: B2-SHAPE-12
  it('recognizes a fuel group', () => {
    expect(shape(`${MM}&fuelTypeGroup=ELE`)).toBe('make+model+fuel');
  });

  // rows: B2-SHAPE-13
  it('recognizes a drive group', () => {
    expect(shape(`${MM}&driveGroup=AWD4WD`)).toBe('make+model+drive');
  });

  // rows: B2-SHAPE-14
  it('recognizes a feature', () => {
    expect(shape(`${MM}&featureCode=1078`)).toBe('make+model+feature');
  });

  it('falls back to make and model with two extras or another filter', () => {
    expect(shape(`${MM}&featureCode=1078&driveGroup=AWD4WD`)).toBe('make+model');
    expect(shape(`${MM}&mileage=1000`)).toBe('make+model');
  });
});
