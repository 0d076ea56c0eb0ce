/** The exports of this module for other modules. */
export { tagOfPath } from './feature.js'
