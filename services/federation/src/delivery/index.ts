/** The exports of this module for other modules. */

export { createDeliveryLoop } from './create-delivery-loop.js'
export {
  ensureInboxes,
  replaceAllOf,
  replaceWaiting,
  type Sending,
  sendTo,
  sendToReached,
  sendToRecipients,
} from './delivery.store.js'
export type { DeliveryLoop } from './delivery-loop.js'
export { isUnavailable } from './host-queue.store.js'
export { createPeers, type Peers } from './peers.js'
