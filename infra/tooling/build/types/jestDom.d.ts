// The matchers that jestSetup.mjs adds, for `expect` of @jest/globals.
import '@testing-library/jest-dom/jest-globals';
