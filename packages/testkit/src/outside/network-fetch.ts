/** `fetch` and an undici dispatcher for servers in a test network, by their host names. */
import { connect as connectTls } from 'node:tls'
import { Agent, fetch } from 'undici'
import type { Network } from './network.js'

export interface NetworkFetch {
  fetch: typeof fetch
  dispatcher: Agent
  close(): Promise<void>
}

/**
 * @param ca PEM of the authority that issued the certificates of the servers
 * @example const { fetch } = fetchInside(network, authority.certificate)
 */
export const fetchInside = (network: Pick<Network, 'openSocket'>, ca: string): NetworkFetch => {
  const dispatcher = new Agent({
    connect: ({ hostname, port, protocol }, callback) => {
      const secure = protocol === 'https:'
      const raw = network.openSocket(hostname, Number(port) || (secure ? 443 : 80))
      const socket = secure ? connectTls({ socket: raw, servername: hostname, ca }) : raw
      const failed = (error?: Error) => callback(error ?? new Error(`${hostname}:${port} does not respond`), null)
      const early = () => failed()
      socket.once('error', failed)
      socket.once('close', early)
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        socket.off('error', failed)
        socket.off('close', early)
        callback(null, socket)
      })
    },
  })
  return {
    dispatcher,
    fetch: ((input, init) => fetch(input, { ...init, dispatcher })) as typeof fetch,
    close: () => dispatcher.destroy(),
  }
}
