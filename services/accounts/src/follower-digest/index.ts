/** Names of this module that other modules use. */
export { hexOfBits } from './rules.js'
export { digestsOf, keptDigestsOf, listedNonFollowers, moveDigests, unlistedFollowers } from './store.js'
