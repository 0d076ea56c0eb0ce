/** Access to NATS; contains no logic of a service. */

export {
  type ConsumerInfo,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
export { headers, type Msg, type MsgHdrs, type NatsConnection, type Subscription } from '@nats-io/transport-node'
export * from './connect.js'
export * from './consume.js'
export { publishCoreMessage } from './core-message.js'
export * from './endpoint-list.js'
export * from './event-batch.js'
export { isNotFound } from './missing.js'
export { MAX_RESPONSE, openMailbox } from './parts.js'
export * from './permissions.js'
export * from './policy-bucket.js'
export * from './publish.js'
export type { RpcRequest, RpcResponse } from './request-batch.js'
export { ResponderLost } from './responders.js'
export * from './rpc.js'
export * from './topology.js'
export * from './wire.js'
