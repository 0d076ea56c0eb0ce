/** The exports of this module for other modules. */
export { reblog } from './reblog.js'
