/** Exports for other modules: filters of the account list, and final decisions. */

export { decideSignUps } from './decide.js'
export { checkDecision, filterOfV2 } from './rules.js'
