/** Exports for other modules: filters of the account list, and final decisions. */
export { checkVerdict, filterOfV2 } from './rules.js'
export { decideVerdicts } from './verdict.js'
