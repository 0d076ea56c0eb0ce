/** The exports of this module for other modules. */
export { muteAs } from './begin.js'
