/** The exports of this module for other modules. */
export { anyFollows, broughtBy, followersOfTags } from './follow.store.js'
