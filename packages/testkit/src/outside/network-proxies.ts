/** Proxies of a test network: connections from the test into the network, and from the network to servers of the test. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface NetworkProxies {
  /** Connects to a server in the network. The host name is resolved there. The socket is destroyed if the connection is refused. */
  openSocket(host: string, port: number): Socket
  /**
   * Makes a server of the test process available at an address of the network. The bytes are not changed, so TLS ends
   * at the server.
   */
  expose(inside: { host: string; port: number }, server: { host: string; port: number }): Promise<void>
  close(): Promise<void>
}

/**
 * @param run starts a command inside the network
 * @param dir folder for the Unix sockets; its path must be short
 */
export const openProxies = async (
  run: (command: readonly string[]) => ChildProcess,
  dir: string,
): Promise<NetworkProxies> => {
  const proxyPath = join(dir, 'proxy')
  const program = fileURLToPath(new URL(import.meta.url.replace(/network-proxies(\.[jt]s)/, 'network-proxy$1')))
  const proxy = run([process.execPath, program, proxyPath])
  const lines = createInterface(proxy.stdout!)
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  let pending: Promise<void> = Promise.resolve()
  await waitForReady(lines, proxy)
  return {
    openSocket: (host, port) => {
      const socket = connect(proxyPath)
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
      // Requests to the proxy are sent one after the other, because its responses contain no id.
      const next = pending.then(() => {
        proxy.stdin!.write(`${inside.host} ${inside.port} ${path}\n`)
        return waitForReady(lines, proxy)
      })
      pending = next.catch(() => {})
      await next
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

/** Waits for the line `ready`. Rejects with any other line, or with the exit code of the proxy. */
const waitForReady = (lines: Interface, proxy: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the proxy of the network ended with ${code}`))
    proxy.once('exit', ended)
    lines.once('line', (line) => {
      proxy.off('exit', ended)
      if (line === 'ready') resolve()
      else reject(new Error(`the proxy of the network: ${line}`))
    })
  })
