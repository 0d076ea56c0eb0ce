/** The exports of this module for other modules. */
export { changePassword } from './change.js'
