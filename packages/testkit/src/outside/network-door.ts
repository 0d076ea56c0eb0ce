/** Runs inside a test network: takes connections on a Unix socket and passes each on to the host and port it names first. */
import { connect, createServer, type Socket } from 'node:net'

const [path] = process.argv.slice(2)
const LONGEST_LINE = 300

const passOn = (outside: Socket): void => {
  let head = Buffer.alloc(0)
  outside.on('error', () => outside.destroy())
  const read = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk])
    const at = head.indexOf('\n')
    if (at < 0 && head.length <= LONGEST_LINE) return
    outside.off('data', read)
    const [, host, port] = /^(\S+) (\d{1,5})$/.exec(head.subarray(0, Math.max(at, 0)).toString()) ?? []
    if (!host) return void outside.destroy()
    const inside = connect({ host, port: Number(port), allowHalfOpen: true })
    inside.on('error', () => outside.destroy())
    inside.write(head.subarray(at + 1))
    outside.pipe(inside)
    inside.pipe(outside)
    inside.on('close', () => outside.destroySoon())
  }
  outside.on('data', read)
}

createServer({ allowHalfOpen: true }, passOn).listen(path, () => process.stdout.write('ready\n'))
