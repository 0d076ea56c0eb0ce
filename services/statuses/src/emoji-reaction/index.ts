/** The exports of this module for other modules. */
export { readReaction, removeReaction, storeReaction } from './remote.js'
