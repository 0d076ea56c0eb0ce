/**
 * Servers of others: one process that listens on many loopback addresses, answers every delivery with 202 and says when they
 * came. Addresses that begin with a minus take requests and never answer them.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'

const [port = '0', ...addresses] = process.argv.slice(2)
let arrivals: number[] = []
let expected = Number.POSITIVE_INFINITY

const listen = (address: string) => {
  const isSilent = address.startsWith('-')
  return createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    req.resume()
    if (isSilent) return
    req.once('end', () => {
      res.writeHead(202, { 'content-length': 0 }).end()
      arrivals.push(performance.timeOrigin + performance.now())
      tell()
    })
  }).listen(Number(port), isSilent ? address.slice(1) : address)
}
await Promise.all(addresses.map((address) => once(listen(address), 'listening')))

/** Tells the moments at which they came when everything that is waited for is there, in ms since the epoch. */
const tell = () => {
  if (arrivals.length < expected) return
  const told = arrivals.slice(0, expected)
  arrivals = arrivals.slice(expected)
  expected = Number.POSITIVE_INFINITY
  process.send?.(told)
}
process.on('message', (message) => {
  // How many came that nobody waited for; they are forgotten.
  if (message === 'count') {
    process.send?.(arrivals.length)
    arrivals = []
    return
  }
  expected = Number(message)
  tell()
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
