/** Names of this module that other modules use. */
export { createPolicyPublication, keepPublished } from './publication.js'
