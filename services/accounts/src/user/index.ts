/** The exports of this module for other modules. */
export { changeUser } from './change.js'
