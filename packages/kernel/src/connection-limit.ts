/** Limit of open connections per IP address (D035). */
import { BlockList, isIPv6 } from 'node:net'
import { addressKey } from './address-key.js'

/** Private networks. Their connections are not limited, because they come from proxies that limit their clients themselves. */
const own = new BlockList()
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  own.addSubnet(net, bits)
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  own.addSubnet(net, bits, 'ipv6')

export interface ConnectionLimit {
  /** Counts one more open connection of an address until `leave` is called. Returns false if the address has reached its limit. */
  enter(address: string): boolean
  leave(address: string): void
}

/** Creates a limit of `max` open connections per IP address, or per network of an IPv6 address. */
export const createConnectionLimit = (max: number): ConnectionLimit => {
  const open = new Map<string, number>()
  const keyOf = (given: string): string | null => {
    const address = given.replace(/^::ffff:(?=\d+\.)/i, '')
    if (address === '' || own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return null
    return addressKey(address)
  }
  return {
    enter(address) {
      const key = keyOf(address)
      if (key === null) return true
      const now = open.get(key) ?? 0
      if (now >= max) return false
      open.set(key, now + 1)
      return true
    },
    leave(address) {
      const key = keyOf(address)
      const now = key === null ? 0 : (open.get(key) ?? 0)
      if (key === null || now === 0) return
      if (now === 1) open.delete(key)
      else open.set(key, now - 1)
    },
  }
}
