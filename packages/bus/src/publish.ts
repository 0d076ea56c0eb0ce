/** Publishes to JetStream. Up to `window` messages are sent before their acknowledgements arrive. */
import { chunk } from '@murmuration/flow'
import { type JetStreamClient, jetstream } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { isMissing } from './missing.js'
import { WIRE_VERSION } from './wire.js'

export interface Outgoing {
  subject: string
  data: Uint8Array | string
  /** `Nats-Msg-Id`: the server drops a second publication with the same id within the duplicate window. */
  id: string
  headers?: Record<string, string>
}

export interface Publisher {
  /**
   * Publishes all messages. At most `window` of them are unacknowledged at a time. Returns the ids of the acknowledged
   * messages. `refused` is called with the error of each message that was not acknowledged.
   */
  publish(messages: readonly Outgoing[], refused?: (error: unknown) => void): Promise<Set<string>>
  /** Publishes one job or event. Rejects when the message was not stored. */
  one(message: Outgoing): Promise<void>
  /** Sets the function that is called when the stream of a message is missing. */
  onMissing(call: () => void): void
}

/**
 * Creates a publisher. `window`: maximum number of messages without acknowledgement. An acknowledgement is awaited for five
 * seconds.
 */
export const createPublisher = (nc: NatsConnection, window = 256): Publisher => {
  const js: JetStreamClient = jetstream(nc)
  let missing = (): void => undefined
  const send = async (message: Outgoing): Promise<void> => {
    const h = headers()
    h.set('Version', WIRE_VERSION)
    for (const [key, value] of Object.entries(message.headers ?? {})) if (value) h.set(key, value)
    try {
      await js.publish(message.subject, message.data, { msgID: message.id, headers: h, timeout: 5_000 })
    } catch (error) {
      if (isMissing(error)) missing()
      throw error
    }
  }
  return {
    async publish(messages, refused) {
      const stored = new Set<string>()
      for (const some of chunk(messages, window))
        await Promise.all(
          some.map((message) =>
            send(message).then(
              () => void stored.add(message.id),
              (error) => refused?.(error),
            ),
          ),
        )
      return stored
    },
    one: send,
    onMissing(call) {
      missing = call
    },
  }
}
