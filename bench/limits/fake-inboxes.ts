/** Servers of others: one process that listens on many loopback addresses and answers every delivery with 202. */
import { once } from 'node:events'
import { createServer } from 'node:http'

const [port = '0', ...addresses] = process.argv.slice(2)
let arrived = 0
let told = 0
let expected = Number.POSITIVE_INFINITY

const servers = addresses.map((address) =>
  createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    req.resume()
    req.once('end', () => {
      res.writeHead(202, { 'content-length': 0 }).end()
      arrived++
      tell()
    })
  }).listen(Number(port), address),
)
await Promise.all(servers.map((server) => once(server, 'listening')))

/** Says so when everything that is waited for has arrived. */
const tell = () => {
  if (arrived - told < expected) return
  told += expected
  expected = Number.POSITIVE_INFINITY
  process.send?.('arrived')
}
process.on('message', (count) => {
  expected = Number(count)
  tell()
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
