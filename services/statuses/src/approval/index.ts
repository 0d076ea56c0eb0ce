/** The exports of this module for other modules. */

export { deleteEarly } from './early.store.js'
export { holdAdopted, holdBack, recheckBelow } from './held-reply.js'
export { claimsOther, heldBack, storeClaim, syncApproval, type Waiting, waitingFor } from './remote-reply.js'
export { repliedToOf, waitingOf } from './replied-to.js'
