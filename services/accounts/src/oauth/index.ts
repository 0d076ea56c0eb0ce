/** The exports of this module for other modules. */
export { endAccess, endAccessOf } from './access.js'
export { applicationById } from './application.store.js'
export { deleteOldCodes } from './authorization-code.store.js'
export { tokenReply } from './token-reply.js'
