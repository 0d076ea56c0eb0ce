/** The exports of this module for other modules. */
export { blockDomainAs } from './begin.js'
