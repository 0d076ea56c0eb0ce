/** Names of this module that other modules use. */
export { announceRemoved, removeQuietly, removeStatus } from './remove.js'
