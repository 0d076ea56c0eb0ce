/** The exports of this module for other modules. */
export { queueAllowEnforcement } from './allow.js'
export { announceBlocks, type BlockChange, recordBlockChanges } from './change.js'
export { checkSpaceFor } from './new-block.js'
