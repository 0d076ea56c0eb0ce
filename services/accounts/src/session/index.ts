/** Names of this module that other modules use. */
export { beginSession, recordFailure } from './begin.js'
export { isShut, passFirstStep } from './first-step.js'
