/** Names of this module that other modules use. */
export { answeredOf, waitingOf } from './answered.js'
export { forgetEarly } from './early.store.js'
export { holdAdopted, holdBack, judgeBelow } from './held-reply.js'
export { claimsOther, heldBack, storeClaim, syncApproval, type Waiting, waitingFor } from './remote-reply.js'
