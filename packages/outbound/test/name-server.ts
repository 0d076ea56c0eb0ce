/** A name server for tests, over UDP and TCP on one loopback port, that can also fail or not respond. */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6 } from 'node:net'

/** Response of the name server to a query: addresses of both families, a failure, or none at all. */
export type Reply = { addresses: string[]; ttl?: number } | 'nxdomain' | 'servfail' | 'silent'

/** A running server. `questions` counts queries per name. */
export type NameServer = { address: string; questions: Map<string, number>; close(): Promise<void> }

const typeA = 1
const typeAaaa = 28

/** Starts a server. `answer` returns the response for each name (lower case). */
export async function startNameServer(answer: (name: string) => Reply): Promise<NameServer> {
  const questions = new Map<string, number>()
  const reply = (query: Buffer, room: number): Buffer | null => {
    const { name, type, end } = readQuestion(query)
    if (type === typeA) questions.set(name, (questions.get(name) ?? 0) + 1)
    const said = answer(name)
    if (said === 'silent') return null
    const records = typeof said === 'string' ? [] : recordsOf(said, type)
    const size = records.reduce((sum, record) => sum + record.length, end)
    const fits = size <= room
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    const code = said === 'nxdomain' ? 3 : said === 'servfail' ? 2 : 0
    head.writeUInt16BE(0x8180 | (fits ? 0 : 0x0200) | code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(fits ? records.length : 0, 6)
    return Buffer.concat([head, query.subarray(12, end), ...(fits ? records : [])])
  }

  const tcp = createServer((socket) => {
    let seen = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      seen = Buffer.concat([seen, chunk])
      while (seen.length >= 2 && seen.length >= 2 + seen.readUInt16BE(0)) {
        const size = seen.readUInt16BE(0)
        const back = reply(seen.subarray(2, 2 + size), 65_535)
        seen = seen.subarray(2 + size)
        if (back) socket.write(Buffer.concat([Buffer.from([back.length >> 8, back.length & 0xff]), back]))
      }
    })
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  const open = new Set<{ destroy(): void }>()
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4')
  udp.on('message', (query, from) => {
    const back = reply(query, 512)
    if (back) udp.send(back, from.port, from.address)
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')

  return {
    address: `127.0.0.1:${port}`,
    questions,
    async close() {
      udp.close()
      for (const socket of open) socket.destroy()
      tcp.close()
      await once(tcp, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (query[at]! > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    at += 1 + query[at]!
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function recordsOf(said: { addresses: string[]; ttl?: number }, type: number): Buffer[] {
  return said.addresses
    .filter((address) => isIPv6(address) === (type === typeAaaa))
    .map((address) => {
      const data = addressBytes(address)
      const head = Buffer.alloc(12)
      head.writeUInt16BE(0xc00c, 0)
      head.writeUInt16BE(type, 2)
      head.writeUInt16BE(1, 4)
      head.writeUInt32BE(said.ttl ?? 60, 6)
      head.writeUInt16BE(data.length, 10)
      return Buffer.concat([head, data])
    })
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text ? text.split(':') : [])
  const tail = groups(right ?? '')
  const all = [...groups(left), ...Array(8 - groups(left).length - tail.length).fill('0'), ...tail]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
