/** The exports of this module for other modules. */
export { createUser } from './create.js'
export { nameProblems } from './sign-up.js'
