/** The exports of this module for other modules. */
export { createPolicyPublication, keepPublished } from './publication.js'
