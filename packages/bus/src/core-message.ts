/** Core NATS messages, which may be lost. */
import type { NatsConnection, PublishOptions } from '@nats-io/transport-node'

/**
 * Publishes a core NATS message. Does nothing if the connection is closed, or at the end of its drain, when the client
 * refuses messages. Because a stopping process may still ping responders, or publish messages of its last commits.
 */
export const publishCoreMessage = (
  nc: NatsConnection,
  subject: string,
  payload: string,
  options?: PublishOptions,
): void => {
  if (nc.isClosed()) return
  try {
    nc.publish(subject, payload, options)
  } catch (error) {
    if (!nc.isDraining()) throw error
  }
}
