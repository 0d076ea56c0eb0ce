/** The exports of this module for other modules. */
export { announceRemoved, removeQuietly, removeStatus } from './remove.js'
