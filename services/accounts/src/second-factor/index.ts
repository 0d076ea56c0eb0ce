/** Names of this module that other modules use. */
export { type Factors, factorsOf, relyingParty } from './factors.js'
export { askKnownKeys } from './passkeys.js'
export { removeFactors, takeCode, takeKey } from './use.js'
