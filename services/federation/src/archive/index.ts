/** Names of this module that other modules use. */
export { ageArchives } from './store.js'
