/** The exports of this module for other modules. */
export { beginSession, recordFailure } from './begin.js'
export { isShut, passFirstStep } from './first-step.js'
