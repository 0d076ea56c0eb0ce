/** Names of this module that other modules use. */
export { blockDomainAs } from './begin.js'
