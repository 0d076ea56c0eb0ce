/** The exports of this module for other modules. */
export { type Factors, factorsOf, relyingParty } from './factors.js'
export { askKnownKeys } from './passkeys.js'
export { removeFactors, takeCode, takeKey } from './use.js'
