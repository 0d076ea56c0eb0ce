/** The exports of this module for other modules. */
export { dropReaction, keepReaction, readReaction } from './remote.js'
