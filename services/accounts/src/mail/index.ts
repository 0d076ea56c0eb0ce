/** The exports of this module for other modules. */
export { type Addressee, writeMail, writeToAll } from './compose.js'
export { deleteOldLinks, dropLinks, takeLink, userOfLink } from './link.store.js'
export { countMails, deleteOldMails } from './store.js'
