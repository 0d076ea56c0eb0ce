/** The exports of this module for other modules. */
export { type Factors, factorsOf, relyingParty } from './factors.js'
export { deleteUnconfirmedCode } from './one-time-code.store.js'
export { authenticationOptions } from './passkeys.js'
export { codeSecrets } from './renewal.store.js'
export { removeFactors, takeCode, takeKey } from './use.js'
