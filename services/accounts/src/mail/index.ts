/** Names of this module that other modules use. */
export { type Addressee, writeMail, writeToAll } from './compose.js'
export { deleteOldLinks, dropLinks, linkHolder, takeLink } from './link.store.js'
export { countMails, deleteOldMails } from './store.js'
