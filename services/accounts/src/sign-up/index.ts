/** Names of this module that other modules use. */
export { createUser } from './create.js'
export { nameProblems } from './sign-up.js'
