/** The exports of this module for other modules. */
export { hexOfBits } from './rules.js'
export { digestsOf, keptDigestsOf, listedNonFollowers, moveDigests, unlistedFollowers } from './store.js'
