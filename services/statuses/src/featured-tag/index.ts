/** Names of this module that other modules use. */
export { tagOfPath } from './feature.js'
