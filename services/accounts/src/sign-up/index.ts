/** Names of this module that other modules use. */
export { createPerson } from './create.js'
export { nameProblems } from './sign-up.js'
