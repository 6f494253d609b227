/**
 * What slots share of React Redux under its own name: its hooks and what they read from. Without `connect`, a third of the
 * library, which no slot with hooks needs.
 */
export { Provider, ReactReduxContext, shallowEqual, useDispatch, useSelector, useStore } from 'react-redux';
