/** Staff's account list and final decisions, as far as other modules use them. */
export { checkVerdict, filterOfV2 } from './rules.js'
export { decideVerdicts } from './verdict.js'
