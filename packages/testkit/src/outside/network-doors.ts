/** Proxies of a test network: connections from the test into it, and from it to servers of the test. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Doors {
  /** A connection to a listener inside; the name is resolved inside. A refused one is destroyed. */
  openSocket(host: string, port: number): Socket
  /**
   * Lets a server of the test process be reached from inside at an address of the network; bytes pass unchanged, so
   * TLS ends at the server.
   */
  expose(inside: { host: string; port: number }, server: { host: string; port: number }): Promise<void>
  close(): Promise<void>
}

/**
 * @param run starts a command inside the network
 * @param dir folder for the Unix sockets; its path must be short
 */
export const openDoors = async (run: (command: readonly string[]) => ChildProcess, dir: string): Promise<Doors> => {
  const doorPath = join(dir, 'door')
  const program = fileURLToPath(new URL(import.meta.url.replace(/network-doors(\.[jt]s)/, 'network-door$1')))
  const door = run([process.execPath, program, doorPath])
  const answers = createInterface(door.stdout!)
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  let orders: Promise<void> = Promise.resolve()
  await said(answers, door)
  return {
    openSocket: (host, port) => {
      const socket = connect(doorPath)
      socket.write(`${host} ${port}\n`)
      return socket
    },
    expose: async (inside, target) => {
      const path = join(dir, `out-${servers.length}`)
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        const onward = connect({ ...target, allowHalfOpen: true })
        for (const [one, other] of [[socket, onward] as const, [onward, socket] as const]) {
          sockets.add(one)
          one.on('error', () => other.destroy())
          one.on('close', () => {
            sockets.delete(one)
            other.destroySoon()
          })
          one.pipe(other)
        }
      })
      servers.push(server)
      server.listen(path)
      await once(server, 'listening')
      // One order at a time, since the answers carry no mark.
      const order = orders.then(() => {
        door.stdin!.write(`${inside.host} ${inside.port} ${path}\n`)
        return said(answers, door)
      })
      orders = order.catch(() => {})
      await order
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

/** Waits for `ready`. Rejects with any other line, or with the exit code. */
const said = (answers: Interface, door: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the door of the network ended with ${code}`))
    door.once('exit', ended)
    answers.once('line', (line) => {
      door.off('exit', ended)
      if (line === 'ready') resolve()
      else reject(new Error(`the door of the network: ${line}`))
    })
  })
