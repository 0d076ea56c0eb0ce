/** The exports of this module for other modules. */
export { hexOfBits } from './rules.js'
export { digestsOf, listedNonFollowers, moveDigests, storedDigestsOf, unlistedFollowers } from './store.js'
