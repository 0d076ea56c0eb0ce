/** The exports of this module for other modules. */

export { deleteEarly } from './early.store.js'
export { holdLinkedReplies, holdReply, recheckBelow } from './held-reply.js'
export { claimsOther, storeClaim, syncApproval, type Waiting, waitingFor, withHold } from './remote-reply.js'
export { repliedToOf, waitingOf } from './replied-to.js'
