/** Names of this module that other modules use. */
export { settleAllows } from './allow.js'
export { announceBlocks, type BlockChange, tellOfBlocks } from './change.js'
export { mustFit } from './place.js'
