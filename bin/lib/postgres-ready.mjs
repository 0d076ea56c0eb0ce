/** Checks without a client library whether PostgreSQL accepts connections. */
import { connect } from 'node:net'

/** SQLSTATE `cannot_connect_now` as a field of an error response: the server is starting up or recovering. */
const CANNOT_CONNECT_NOW = 'C57P03\0'

/**
 * State of PostgreSQL by its response to a startup message (protocol 3.0, "Start-up"). A ready server requests the
 * password.
 * @returns {Promise<'ready' | 'recovering' | 'silent'>}
 */
export const stateOf = (port, user) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (state) => {
      socket.destroy()
      resolve(state)
    }
    socket.setTimeout(1_000, () => end('silent'))
    socket.once('error', () => end('silent'))
    socket.once('close', () => end('silent'))
    socket.once('connect', () => socket.write(greeting(user)))
    socket.once('data', (bytes) => {
      const text = bytes.toString('latin1')
      end(text.startsWith('R') ? 'ready' : text.includes(CANNOT_CONNECT_NOW) ? 'recovering' : 'silent')
    })
  })

function greeting(user) {
  const body = Buffer.from(`user\0${user}\0database\0postgres\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + body.length, 0)
  head.writeInt32BE(3 << 16, 4)
  return Buffer.concat([head, body])
}
