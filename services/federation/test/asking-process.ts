/** One of several processes that request other servers at the same time. It receives orders and returns results as messages. */
import { createSingleFlight, openRedis } from '@murmuration/cache'
import { createMemoryCache } from '@murmuration/flow'
import { createRequestLimits, type RequestReason } from '../src/resolver/request-limits.js'

export interface Order {
  /** Fetches this address in single flight, and caches the result for the given milliseconds. */
  read?: { url: string; keepMs: number }
  /** Counts the given number of requests to a host. Returns how many were permitted. */
  sendRequest?: { host: string; times: number; why?: RequestReason }
}

const [, , url = '', prefix = ''] = process.argv
const redis = await openRedis({ url, name: 'asking', timeoutMs: 20_000 })
const flight = createSingleFlight(redis, prefix)
const now = () => Date.now()
const limits = createRequestLimits({
  redis,
  prefix,
  now: () => 0,
  local: createMemoryCache<number>({ max: 100, ttlMs: 60_000, now }),
  inAll: 600,
})

const carryOut = async ({ read, sendRequest }: Order): Promise<unknown> => {
  if (read)
    return flight.run(
      read.url,
      async () => (await fetch(read.url)).text(),
      () => read.keepMs,
    )
  const answers = await Promise.all(
    Array.from({ length: sendRequest?.times ?? 0 }, () => limits.mayRequest(sendRequest?.host ?? '', sendRequest?.why)),
  )
  return answers.filter(Boolean).length
}

process.on('message', (order: Order) => {
  void carryOut(order).then((answer) => process.send?.({ answer }))
})
process.send?.('ready')
