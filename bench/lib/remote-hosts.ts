/** Starts remote servers for delivery scenarios, and measures the arrival times of deliveries. */
import { freePort } from '@murmuration/testkit'
import { startLimit } from './limit-process.js'
import { type Load, loadOf } from './load.js'

export interface RemoteHosts {
  /** Inboxes of the servers that respond. */
  readonly inboxes: readonly string[]
  /** Inboxes of the servers that never respond. */
  readonly unresponsive: readonly string[]
  /** Resolves once `count` deliveries have arrived. Latencies are measured from this call. */
  awaitDeliveries(count: number): Promise<Load>
  /** Number of deliveries that arrived without being awaited since the last call. */
  extra(): Promise<number>
  stop(): Promise<void>
}

const inboxesOf = (addresses: readonly string[], port: number, each: number): string[] =>
  each === 1
    ? addresses.map((address) => `http://${address}:${port}/inbox`)
    : addresses.flatMap((address) =>
        Array.from({ length: each }, (_, n) => `http://${address}:${port}/users/reader${n}/inbox`),
      )

/** Starts `hosts` servers that respond and `unresponsive` ones that accept requests and never respond. Each has `inboxesEach` inboxes. */
export const startRemoteHosts = async (it: {
  hosts: number
  unresponsive?: number
  inboxesEach?: number
}): Promise<RemoteHosts> => {
  const port = await freePort()
  const { hosts, unresponsive = 0, inboxesEach = 1 } = it
  const address = (block: number) => (_: unknown, i: number) => `127.${block}.${(i >> 7) + 1}.${(i & 127) + 1}`
  const up = Array.from({ length: hosts }, address(77))
  const down = Array.from({ length: unresponsive }, address(78))
  const process = await startLimit('fake-inboxes.ts', String(port), ...up, ...down.map((one) => `-${one}`))
  return {
    inboxes: inboxesOf(up, port, inboxesEach),
    unresponsive: inboxesOf(down, port, inboxesEach),
    async awaitDeliveries(count) {
      const from = performance.timeOrigin + performance.now()
      const arrivals = (await process.request(String(count))) as number[]
      return loadOf(arrivals.map((at) => at - from))
    },
    extra: async () => (await process.request('count')) as number,
    stop: process.stop,
  }
}
