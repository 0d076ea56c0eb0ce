/** Names of this module that other modules use. */
export { areTerms } from './store.js'
