/** The exports of this module for other modules. */
export { authorizeRole } from './change.js'
