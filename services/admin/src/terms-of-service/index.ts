/** The exports of this module for other modules. */
export { areTerms } from './store.js'
