/** The exports of this module for other modules. */
export { ageArchives } from './store.js'
