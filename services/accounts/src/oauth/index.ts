/** The exports of this module for other modules. */
export { endAccess, endAccessOf } from './access.js'
export { OUT_OF_BAND } from './application.rules.js'
export { applicationByClientId, applicationById, insertApplication } from './application.store.js'
export { deleteOldCodes } from './authorization-code.store.js'
export { tokenReply } from './token-reply.js'
