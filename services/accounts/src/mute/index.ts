/** Names of this module that other modules use. */
export { muteAs } from './begin.js'
