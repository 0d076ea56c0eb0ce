/**
 * Program that runs in a test network, and connects it with the test process by Unix sockets. Network namespaces do not
 * separate Unix sockets. The first line of a connection from the test contains its target host and port. The program
 * also listens on those addresses of the network that the test process names. Connections to these addresses are passed
 * to the test process.
 */
import { connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

const [path] = process.argv.slice(2)
const MAX_LINE = 300

/** Pipes both sockets in both directions until one ends. An error on one socket ends the other. */
const join = (one: Socket, other: Socket): void => {
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
  one.on('close', () => other.destroySoon())
  other.on('close', () => one.destroySoon())
  one.pipe(other)
  other.pipe(one)
}

const passIn = (outside: Socket): void => {
  let head = Buffer.alloc(0)
  outside.on('error', () => outside.destroy())
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk])
    const at = head.indexOf('\n')
    if (at < 0 && head.length <= MAX_LINE) return
    outside.off('data', read)
    const [, host, port] = /^(\S+) (\d{1,5})$/.exec(head.subarray(0, Math.max(at, 0)).toString()) ?? []
    if (!host) {
      outside.destroy()
      return
    }
    const inside = connect({ host, port: Number(port), allowHalfOpen: true })
    inside.write(head.subarray(at + 1))
    join(outside, inside)
  }
  outside.on('data', read)
}

/** Handles a request `host port path`. Each connection to the address is then passed to the Unix socket at `path`. */
const listenInside = (request: string): void => {
  const [host, port, to] = request.split(' ')
  const server = createServer({ allowHalfOpen: true }, (inside) =>
    join(inside, connect({ path: to!, allowHalfOpen: true })),
  )
  server.once('error', (error) => process.stdout.write(`${error.message}\n`))
  server.listen(Number(port), host, () => process.stdout.write('ready\n'))
}

// The standard input closes when the test process ends, for any reason.
const requests = createInterface(process.stdin)
requests.on('line', listenInside)
requests.on('close', () => process.exit())
createServer({ allowHalfOpen: true }, passIn).listen(path, () => process.stdout.write('ready\n'))
