// In tests, a CSS module maps each class name to itself.
module.exports = new Proxy({}, { get: (_, name) => (name === '__esModule' ? false : name) });
