export { BuildNews, createApp } from './app.ts';
export { definePage, scenariosOf } from './definePage.ts';
