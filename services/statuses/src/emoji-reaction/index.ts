/** Names of this module that other modules use. */
export { dropReaction, keepReaction, readReaction } from './remote.js'
