/** The exports of this module for other modules. */
export {
  ensureInboxes,
  replaceAllOf,
  replaceWaiting,
  type Sending,
  sendTo,
  sendToReached,
  sendToRecipients,
} from './delivery.store.js'
export { isUnavailable } from './host.store.js'
export type { Lanes } from './lanes.js'
export { openDelivery } from './open.js'
export { createPeers, type Peers } from './peers.js'
