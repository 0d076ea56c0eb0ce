/** The exports of this module for other modules. */
export { keepDomain } from './store.js'
