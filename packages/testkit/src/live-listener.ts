/** Replaces the streaming service in a test, and receives the messages for open streams. */
import { type App, service } from '@murmuration/kernel'

/**
 * An app with the bus permissions of the streaming service, and without connections of clients. `onMessage` is called
 * with each message below a `live.` subject.
 *
 * ```ts
 * const heard: string[] = []
 * const listener = liveListener<{ e: string }>('live.user.*', ({ e }, subject) => heard.push(`${subject} ${e}`))
 * const cluster = await startCluster({ apps: [app, listener] })
 * ```
 */
export const liveListener = <Message>(
  subject: string,
  onMessage: (message: Message, subject: string) => void,
): App => ({
  manifest: service('streaming', {
    receivesLive: true,
    database: false,
    roles: { ws: { scales: 'tests', needs: [] } },
  }),
  createContext(base) {
    base.nc.subscribe(subject, { callback: (_error, message) => onMessage(message.json<Message>(), message.subject) })
    return base
  },
})
