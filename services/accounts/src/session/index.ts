/** The exports of this module for other modules. */
export { beginSession, recordFailure } from './begin.js'
export { isLoginDisabled, passFirstStep } from './first-step.js'
