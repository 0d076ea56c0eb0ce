/** The exports of this module for other modules. */
export { setEmailBlocks } from './block-email.js'
export { carryOut, decide, decideAll } from './decide.js'
export { rulesInForce } from './domain-rule.js'
export { queueEnforcement } from './enforce.js'
export { type DecisionRow, decisionsOf, deleteDecisions, lockDecisions, putDecisions } from './store.js'
