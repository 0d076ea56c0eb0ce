/**
 * Remote servers: one process that listens on many loopback addresses, responds 202 to every delivery and reports the arrival
 * times. Addresses with a leading minus accept requests and never respond.
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
      report()
    })
  }).listen(Number(port), isSilent ? address.slice(1) : address)
}
await Promise.all(addresses.map((address) => once(listen(address), 'listening')))

/** Sends the arrival times in ms since the epoch, once the expected number of deliveries has arrived. */
const report = () => {
  if (arrivals.length < expected) return
  const times = arrivals.slice(0, expected)
  arrivals = arrivals.slice(expected)
  expected = Number.POSITIVE_INFINITY
  process.send?.(times)
}
process.on('message', (message) => {
  // Sends the number of arrivals that were not expected, and discards them.
  if (message === 'count') {
    process.send?.(arrivals.length)
    arrivals = []
    return
  }
  expected = Number(message)
  report()
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
