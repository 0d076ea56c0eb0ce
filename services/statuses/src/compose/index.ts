/** The exports of this module for other modules. */
export { applicationOf } from './application.js'
export { type Composed, compose } from './compose.js'
export { createOnce } from './create.js'
export { editOwn } from './edit-own.js'
export { showNew } from './new-status.js'
export { changePolicy, requestedPolicy } from './quote-policy.js'
export { quotedOf } from './quoted.js'
export { storeStatus } from './status.js'
