/** Names of this module that other modules use. */
export { type Addressee, writeLetter, writeToAll } from './compose.js'
export { deleteOldLinks, dropLinks, linkHolder, takeLink } from './link.store.js'
export { countLetters, deleteOldLetters } from './store.js'
