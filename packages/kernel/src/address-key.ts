/** Rate limits count requests of an IP address under the key that this file returns. */

/**
 * Key under which requests of an IP address are counted. IPv4 addresses are their own key, also IPv4-mapped ones. Other IPv6
 * addresses are counted by /64, because one client can use 2^64 of them. Any other text is its own key.
 * @example
 * addressKey('2001:db8::1:2:3:4:5') // '2001:db8:0:1'
 */
export const addressKey = (given: string): string => {
  const address = given.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? []
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).map(plain).join(':')
}

const plain = (group: string): string => group.replace(/^0+(?=.)/, '')
