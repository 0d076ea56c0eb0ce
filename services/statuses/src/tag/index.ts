/** The exports of this module for other modules. */
export { anyFollows, followersOfTags, statusesOnlyByTag } from './follow.store.js'
