export { parsePicturePath, picturePath } from './picturePath.ts';
export { renderVehicleSvg } from './renderVehicleSvg.ts';
