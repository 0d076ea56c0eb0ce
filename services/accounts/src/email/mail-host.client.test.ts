/** Tests of the mail host look-up against a name server of the test. */
import { createSocket, type Socket } from 'node:dgram'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailHosts } from './mail-host.client.js'

type Answer = { mx: string[] } | { a: true } | 'nothing' | 'unknown' | 'broken'
const MX = 15
const A = 1

/** DNS records of the test name server, by name and type. Every other name does not exist. */
const zone: Record<string, Partial<Record<number, Answer>>> = {
  'listed.example': { [MX]: { mx: ['mx1.mail.example', 'MX2.mail.example'] } },
  'itself.example': { [MX]: 'nothing', [A]: { a: true } },
  'empty.example': { [MX]: 'nothing', [A]: 'nothing', 28: 'nothing' },
  'refusing.example': { [MX]: { mx: [''] } },
  'broken.example': { [MX]: 'broken' },
}

const named = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter(Boolean)
      .map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])

/** An answer record whose name is a pointer to the name of the question (RFC 1035 section 4.1.4). */
const record = (type: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const answerTo = (question: Buffer): Buffer => {
  let at = 12
  const labels: string[] = []
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.subarray(at + 1, at + 1 + length).toString())
    at += length + 1
  }
  const type = question.readUInt16BE(at + 1)
  const given: Answer = zone[labels.join('.').toLowerCase()]?.[type] ?? 'unknown'
  const records =
    typeof given === 'string'
      ? []
      : 'mx' in given
        ? given.mx.map((host, i) => record(MX, Buffer.concat([Buffer.from([0, i]), named(host)])))
        : [record(A, Buffer.from([192, 0, 2, 1]))]
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | (given === 'unknown' ? 3 : given === 'broken' ? 2 : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, question.subarray(12, at + 5), ...records])
}

let server: Socket
let address = ''
beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (question, { port }) => server.send(answerTo(question), port, '127.0.0.1'))
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  address = `127.0.0.1:${server.address().port}`
})
afterAll(() => server.close())

test.each([
  ['listed.example', ['mx1.mail.example', 'mx2.mail.example']],
  ['itself.example', ['itself.example']],
  ['empty.example', []],
  ['absent.example', []],
  ['refusing.example', []],
  ['broken.example', null],
])('the mail hosts of %s are %j', async (domain, hosts) =>
  expect(await createMailHosts([address]).of(domain)).toEqual(hosts),
)

test('an unreachable name server gives null instead of an error', async () => {
  const silent = createSocket('udp4')
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
  expect(await createMailHosts([`127.0.0.1:${silent.address().port}`]).of('listed.example')).toBeNull()
  silent.close()
})
