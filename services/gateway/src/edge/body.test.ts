/** Every form a body comes in becomes one input; files go to staging; what is too large or broken is refused cleanly. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
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
import { readInput, type Staging } from './body.js'
import { parseInput } from './input.js'

const poll = z.object({ options: list(text(), 4), multiple: flag(), expires_in: z.coerce.number().optional() })
const op: AnyOperation = operation('statuses.test.create', {
  http: post('/x'),
  viewer: user('write'),
  input: z.object({
    status: text().optional(),
    media_ids: ids(4).optional(),
    sensitive: flag(),
    poll: poll.optional(),
    in_reply_to_id: id().optional(),
    fields_attributes: list(z.object({ name: text(), value: text() })).optional(),
    file: z.unknown().optional(),
  }),
  output: z.object({}),
  files: ['file'],
  about: 'A test.',
})
const staged = new Map<string, number>()
const deleted: string[] = []
const staging: Staging = {
  put: async (key, source, { maxBytes }) => {
    let size = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new Error('too large')
    }
    staged.set(key, size)
    return { size, sha256: '' }
  },
  delete: async (keys) => {
    deleted.push(...keys)
  },
}
let server: Server
let origin = ''
beforeAll(async () => {
  server = createServer((req, res) => {
    readInput(req, op, staging)
      .then((given) => parseInput(op, given))
      .then(
        (input) => res.end(JSON.stringify(input)),
        (error) => {
          res.statusCode = error instanceof Failure ? error.status : 500
          res.end(String((error as Error).message))
        },
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const send = async (body: NonNullable<RequestInit['body']>, type?: string) => {
  const answer = await fetch(origin, { method: 'POST', body, ...(type ? { headers: { 'content-type': type } } : {}) })
  return { status: answer.status, text: await answer.text() }
}
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
    'application/json',
  )
  const form = await send(
    'status=hi&media_ids[]=1&media_ids[]=2&sensitive=True&poll[options][]=a&poll[options][]=b&poll[multiple]=false&poll[expires_in]=300',
    'application/x-www-form-urlencoded',
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

test('a list of objects may be a map keyed by index', async () => {
  const answer = await send(
    'fields_attributes[0][name]=a&fields_attributes[0][value]=b&fields_attributes[1][name]=c&fields_attributes[1][value]=d',
    'application/x-www-form-urlencoded',
  )
  expect(JSON.parse(answer.text).fields_attributes).toEqual([
    { name: 'a', value: 'b' },
    { name: 'c', value: 'd' },
  ])
})

test('a file goes to staging and only its key travels', async () => {
  const data = new FormData()
  data.append('file', new Blob([Buffer.alloc(100_000)], { type: 'image/png' }), 'x.png')
  const { file } = JSON.parse((await send(data)).text)
  expect(file).toMatchObject({ size: 100_000, type: 'image/png', name: 'x.png' })
  expect(staged.get(file.key)).toBe(100_000)
})

test.each([
  ['not JSON', '{"status":', 400, 'The body is not valid JSON'],
  ['an array', '[1]', 400, 'The body must be a JSON object'],
  ['a wrong type', '{"status":{"a":1}}', 422, /Validation failed: Status/],
  ['a null character', '{"status":"a\\u0000b"}', 422, 'Validation failed: Status contains a null character'],
  ['prototype keys', '{"__proto__":{"status":"x"}}', 200, '{"sensitive":false}'],
])('D-4 %s', async (_name, body, status, message) => {
  const answer = await send(body, 'application/json')
  expect(answer.status).toBe(status)
  if (status !== 200) expect(answer.text).toMatch(message)
  else expect(JSON.parse(answer.text).status).toBeUndefined()
})

test('D-4 a body above the cap is refused', async () => {
  expect((await send(JSON.stringify({ status: 'x'.repeat(1_100_000) }), 'application/json')).status).toBe(413)
})

test('F074 an upload cut in the middle leaves nothing in staging', async () => {
  const before = deleted.length
  await new Promise<void>((resolve) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      socket.write(
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\nContent-Type: image/png\r\n\r\nabc',
      )
      setTimeout(() => socket.destroy(), 50)
    })
    socket.on('close', () => resolve())
  })
  await expect.poll(() => deleted.length).toBeGreaterThan(before)
})
