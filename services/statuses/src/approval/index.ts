/** Names of this module that other modules use. */

export { forgetEarly } from './early.store.js'
export { holdAdopted, holdBack, recheckBelow } from './held-reply.js'
export { claimsOther, heldBack, storeClaim, syncApproval, type Waiting, waitingFor } from './remote-reply.js'
export { repliedToOf, waitingOf } from './replied-to.js'
