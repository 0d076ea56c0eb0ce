/** JSON, urlencoded and multipart bodies become the same input. Bodies that are too large, too deep or broken are refused (D-4). */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import {
  type AnyOperation,
  Failure,
  flag,
  id,
  ids,
  list,
  operation,
  post,
  text,
  user,
} from '@murmuration/contracts/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { bytesOf, parseBody, readUpload } from './body.js'
import { parseInput } from './input.js'
import { lastOfEach } from './repeated.js'

const poll = z.object({ options: list(text(), 4), multiple: flag(), expires_in: z.coerce.number().optional() })
const op: AnyOperation = operation('statuses.test.create', {
  http: post('/x'),
  viewer: user('write'),
  input: z.object({
    status: text().optional(),
    media_ids: ids(4).optional(),
    sensitive: flag(),
    visibility: z.enum(['public', 'private']).optional(),
    poll: poll.optional(),
    in_reply_to_id: id().optional(),
    fields_attributes: list(z.object({ name: text(), value: text() })).optional(),
  }),
  output: z.object({}),
  about: 'A test.',
})

let server: Server
let origin = ''
beforeAll(async () => {
  server = createServer(async (req, res) => {
    try {
      const bytes = await bytesOf(req, op)
      const { given, form } = await parseBody(req, bytes ?? Buffer.alloc(0))
      res.end(JSON.stringify(parseInput(op, form ? lastOfEach(op, given) : given)))
    } catch (error) {
      res.statusCode = error instanceof Failure ? error.status : 500
      res.end(String((error as Error).message))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const send = async (body: NonNullable<RequestInit['body']>, type?: string, headers: Record<string, string> = {}) => {
  const started = process.threadCpuUsage()
  const response = await fetch(origin, {
    method: 'POST',
    body,
    headers: { ...(type ? { 'content-type': type } : {}), ...headers },
  })
  return { status: response.status, text: await response.text(), cpuMs: process.threadCpuUsage(started).user / 1_000 }
}
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const expected = {
  status: 'hi',
  media_ids: ['1', '2'],
  sensitive: true,
  poll: { options: ['a', 'b'], multiple: false, expires_in: 300 },
}

test('JSON, urlencoded and multipart with brackets give the same input', async () => {
  const json = await send(
    JSON.stringify({
      status: 'hi',
      media_ids: [1, '2'],
      sensitive: 'on',
      poll: { options: ['a', 'b'], multiple: 0, expires_in: '300' },
    }),
    JSON_TYPE,
  )
  const form = await send(
    'status=hi&media_ids[]=1&media_ids[]=2&sensitive=True&poll[options][]=a&poll[options][]=b&poll[multiple]=false&poll[expires_in]=300',
    FORM_TYPE,
  )
  const data = new FormData()
  for (const [name, value] of [
    ['status', 'hi'],
    ['media_ids[0]', '1'],
    ['media_ids[1]', '2'],
    ['sensitive', '1'],
    ['poll[options][]', 'a'],
    ['poll[options][]', 'b'],
    ['poll[multiple]', ''],
    ['poll[expires_in]', '300'],
  ] as const)
    data.append(name, value)
  const multipart = await send(data)
  for (const one of [json, form, multipart]) expect(JSON.parse(one.text)).toEqual(expected)
})

test('ids that are JSON numbers keep all of their digits, with any content type', async () => {
  const body =
    '{"in_reply_to_id":109876543210987654,"media_ids":[109876543210987655,"3"],"status":12345678901234567890}'
  for (const type of [JSON_TYPE, 'text/plain'])
    expect(JSON.parse((await send(body, type)).text)).toEqual({
      in_reply_to_id: '109876543210987654',
      media_ids: ['109876543210987655', '3'],
      status: '12345678901234567890',
    })
})

test('a JSON body with thousands of long numbers is parsed within two seconds of CPU time', async () => {
  const many = `{"status":"hi","x":[${Array(4_000).fill('12345678901234567890').join(',')}]}`
  const { status, cpuMs } = await send(many, JSON_TYPE)
  expect(status).toBe(200)
  expect(cpuMs).toBeLessThan(2_000)
  expect((await send(`{"x":${'['.repeat(20_000)}12345678901234567890${']'.repeat(20_000)}}`, JSON_TYPE)).status).toBe(
    400,
  )
})

test('a body without a content type, or with an unknown one, is parsed as JSON if it starts with a brace, else as a form', async () => {
  for (const [body, type] of [
    ['{"status":"hi"}', 'text/plain'],
    ['status=hi', 'text/plain'],
    [' {"status":"hi"}', ''],
  ] as const)
    expect(JSON.parse((await send(body, type || undefined)).text).status).toBe('hi')
})

test('a list of objects may be a map keyed by index', async () => {
  const response = await send(
    'fields_attributes[0][name]=a&fields_attributes[0][value]=b&fields_attributes[1][name]=c&fields_attributes[1][value]=d',
    FORM_TYPE,
  )
  expect(JSON.parse(response.text).fields_attributes).toEqual([
    { name: 'a', value: 'b' },
    { name: 'c', value: 'd' },
  ])
})

test('a list of objects keyed by numbers keeps the order of the body, for each content type', async () => {
  const pairs = [
    ['fields_attributes[1700000000001][name]', 'first'],
    ['fields_attributes[1700000000001][value]', '1'],
    ['fields_attributes[5][name]', 'second'],
    ['fields_attributes[5][value]', '2'],
    ['fields_attributes[0][name]', 'third'],
    ['fields_attributes[0][value]', '3'],
  ] as [string, string][]
  const multipart = new FormData()
  for (const [name, value] of pairs) multipart.append(name, value)
  const form = new Response(multipart)
  const json =
    '{"fields_attributes":{"1700":{"name":"first","value":"1"},"5":{"name":"second","value":"2"},"0":{"name":"third","value":"3"}}}'
  const answers = [
    await send(new URLSearchParams(pairs).toString(), FORM_TYPE),
    await send(await form.text(), form.headers.get('content-type') ?? ''),
    await send(json, JSON_TYPE),
  ]
  for (const response of answers)
    expect(JSON.parse(response.text).fields_attributes).toEqual([
      { name: 'first', value: '1' },
      { name: 'second', value: '2' },
      { name: 'third', value: '3' },
    ])
})

test.each([
  ['negative numbers', ['-1', '0']],
  ['words and numbers', ['new_1', '0']],
  ['numbers and words', ['5', 'new_1']],
  ['numbers of ten digits', ['1700000002', '1700000001']],
  ['words', ['b', 'a']],
])('a list of objects keyed by %s keeps all objects in the order of the body', async (_what, [one = '', two = '']) => {
  const pairs = [
    [`fields_attributes[${one}][name]`, 'first'],
    [`fields_attributes[${one}][value]`, '1'],
    [`fields_attributes[${two}][name]`, 'second'],
    [`fields_attributes[${two}][value]`, '2'],
  ] as [string, string][]
  const json = `{"fields_attributes":{"${one}":{"name":"first","value":"1"},"${two}":{"name":"second","value":"2"}}}`
  for (const response of [await send(new URLSearchParams(pairs).toString(), FORM_TYPE), await send(json, JSON_TYPE)])
    expect(JSON.parse(response.text).fields_attributes).toEqual([
      { name: 'first', value: '1' },
      { name: 'second', value: '2' },
    ])
})

test('a list of plain values keyed by numbers keeps the order of the body, for each content type', async () => {
  const pairs = [9, 5, 0].map((at): [string, string] => [`poll[options][${at}]`, `option ${at}`])
  const multipart = new FormData()
  for (const [name, value] of pairs) multipart.append(name, value)
  for (const response of [
    await send(new URLSearchParams(pairs).toString(), FORM_TYPE),
    await send('poll[options][9]=option+9&poll[options][5]=option+5&poll[options][0]=option+0', FORM_TYPE),
    await send(multipart),
    await send('{"poll":{"options":{"9":"option 9","5":"option 5","0":"option 0"}}}', JSON_TYPE),
  ])
    expect(JSON.parse(response.text).poll.options).toEqual(['option 9', 'option 5', 'option 0'])
})

test('in a list of objects without indexes, a repeated name starts the next object', async () => {
  const pairs = [
    ['fields_attributes[][name]', 'a b'],
    ['fields_attributes[][value]', 'b'],
    ['fields_attributes[][name]', 'c'],
    ['fields_attributes[][value]', 'd&e'],
  ] satisfies [string, string][]
  const data = new FormData()
  for (const [name, value] of pairs) data.append(name, value)
  const form = 'fields_attributes[][name]=a+b&fields_attributes[][value]=b&fields_attributes[][name]=c'
  for (const response of [
    await send(new URLSearchParams(pairs).toString(), FORM_TYPE),
    await send(`${form}&fields_attributes%5B%5D%5Bvalue%5D=d%26e`, FORM_TYPE),
    await send(data),
  ])
    expect(JSON.parse(response.text).fields_attributes).toEqual([
      { name: 'a b', value: 'b' },
      { name: 'c', value: 'd&e' },
    ])
})

test('of a repeated field the last value counts; a list keeps all values', async () => {
  const response = await send('status=a&status=b&sensitive=true&sensitive=false&media_ids=1&media_ids=2', FORM_TYPE)
  expect(JSON.parse(response.text)).toEqual({ status: 'b', sensitive: false, media_ids: ['1', '2'] })
})

test.each([
  ['not JSON', '{"status":', 400, 'The body is not valid JSON'],
  ['an array', '[1]', 400, 'The body must be a JSON object'],
  ['a wrong type', '{"status":{"a":1}}', 422, 'Validation failed: Status is invalid'],
  ['a list in place of one value', '{"status":["a","b"]}', 422, 'Validation failed: Status is invalid'],
  ['a null character', '{"status":"a\\u0000b"}', 422, 'Validation failed: Status contains a null character'],
  ['an unknown choice', '{"visibility":"loud"}', 422, 'Validation failed: Visibility is not included in the list'],
])('D036 %s', async (_name, body, status, message) => {
  const response = await send(body, JSON_TYPE)
  expect([response.status, response.text]).toEqual([status, message])
})

test('D036 prototype keys and unknown fields are dropped', async () => {
  for (const body of ['{"__proto__":{"status":"x"},"constructor":{"a":1}}', '{"role":"admin"}'])
    expect(JSON.parse((await send(body, JSON_TYPE)).text)).toEqual({ sensitive: undefined })
  expect(JSON.parse((await send('__proto__[status]=x&constructor[a]=1', FORM_TYPE)).text).status).toBeUndefined()
})

test('D034 a body of the largest size is parsed and one byte more is refused with 413', async () => {
  const filled = (size: number) => `{"status":"${'x'.repeat(size - 13)}"}`
  expect((await send(filled(262_144), JSON_TYPE)).status).toBe(200)
  expect((await send(filled(262_145), JSON_TYPE)).status).toBe(413)
})

test('an upload whose whole body is too large is refused with the size that a file may have', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '209000000' }
  const staging = { put: () => Promise.reject(new Error('unused')), delete: async () => undefined }
  await expect(
    readUpload({ headers } as IncomingMessage, { ...op, files: ['file', 'thumbnail'] }, staging),
  ).rejects.toMatchObject({ status: 413, message: 'The request is too large: a file must be smaller than 99 MB' })
})

test('D034 compressed bodies are refused', async () => {
  const response = await send(gzipSync('{"status":"a"}'), JSON_TYPE, { 'content-encoding': 'gzip' })
  expect([response.status, response.text]).toEqual([415, 'Compressed requests are not accepted'])
})

test('A181 a body nested 60,000 levels deep is refused', async () => {
  const response = await send(`{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, JSON_TYPE)
  expect(response.status).toBe(400)
})

test('A184 a body with more than 20,000 values is refused', async () => {
  expect((await send(`{"a":[${'1,'.repeat(99_999)}1]}`, JSON_TYPE)).status).toBe(400)
  expect(
    (await send(JSON.stringify(Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`k${i}`, 1]))), JSON_TYPE))
      .status,
  ).toBe(400)
})

test('A191 40,000 parameters are refused within 200 ms of CPU time', async () => {
  const response = await send('a[]=1&'.repeat(40_000), FORM_TYPE)
  expect(response.status).toBe(400)
  expect(response.cpuMs).toBeLessThan(200)
})

test.each([['media_ids[]=1&'.repeat(10_000)], ['media_ids[9999]=1'], [`a${'[b]'.repeat(500)}=1`]])(
  'A194 long lists, sparse indexes and deep names are parsed or refused with 400: %s',
  async (body) => {
    expect([200, 400]).toContain((await send(body.slice(0, -1), FORM_TYPE)).status)
  },
)

test('the body of a client that disconnected before the body is read is refused at once', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const socket = connect((other.address() as AddressInfo).port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: here.example\r\nContent-Length: 100\r\n\r\nstatus=')
  const [req] = (await once(other, 'request')) as [IncomingMessage]
  socket.destroy()
  await once(req, 'close').catch(() => undefined)
  await expect(bytesOf(req, op)).rejects.toThrow('The request broke off')
  other.close()
})
