/** Checks without a client library whether PostgreSQL accepts connections. */
import { connect } from 'node:net'

/**
 * Sends a startup message (PostgreSQL protocol 3.0, "Start-up"). A recovering server responds with an error, a ready one requests
 * the password.
 * @returns {Promise<boolean>}
 */
export const acceptsConnections = (port, user) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (ready) => {
      socket.destroy()
      resolve(ready)
    }
    socket.setTimeout(1_000, () => end(false))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
    socket.once('connect', () => socket.write(greeting(user)))
    socket.once('data', (bytes) => end(bytes.subarray(0, 1).toString() === 'R'))
  })

function greeting(user) {
  const body = Buffer.from(`user\0${user}\0database\0postgres\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + body.length, 0)
  head.writeInt32BE(3 << 16, 4)
  return Buffer.concat([head, body])
}
