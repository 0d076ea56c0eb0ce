/** Files are streamed to staging, and only their keys are passed on. Interrupted and refused uploads leave no file there. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { BlobError, type BlobStore, createBlobStore } from '@murmuration/blob'
import { Failure } from '@murmuration/contracts/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMultipart, type Staging } from './multipart.js'

let dir = ''
let blobs: BlobStore
let server: Server
let port = 0
let open = 0
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'murmuration-multipart-'))
  blobs = createBlobStore({ kind: 'disk', dir })
  server = createServer(async (req, res) => {
    open++
    try {
      const read = await readMultipart({ headers: req.headers, body: req }, ['file', 'avatar', 'items[][cover]'], blobs)
      res.end(JSON.stringify(read))
    } catch (error) {
      res.statusCode = error instanceof Failure ? error.status : 500
      res.end(String((error as Error).message))
      req.resume()
    }
    open--
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await blobs.close()
  await rm(dir, { recursive: true })
})

const send = async (body: FormData | string, type?: string) => {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body,
    ...(type ? { headers: { 'content-type': type } } : {}),
  })
  return { status: response.status, text: await response.text() }
}
const filesLeft = async (): Promise<string[]> =>
  (await readdir(dir, { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).map((one) => one.name)
const picture = (size: number) => new Blob([Buffer.alloc(size, 7)], { type: 'image/png' })

test('a file is stored in staging under a random key, and fields are returned beside it', async () => {
  const data = new FormData()
  data.append('description', 'Ánh ✨')
  data.append('user[avatar]', picture(100_000), '../../x.png')
  data.append('other', picture(10), 'skipped.png')
  const { fields, files } = JSON.parse((await send(data)).text)
  expect(fields).toEqual({ description: 'Ánh ✨' })
  expect(Object.keys(files)).toEqual(['avatar'])
  expect(files.avatar).toMatchObject({ size: 100_000, type: 'image/png' })
  expect(files.avatar.key).toMatch(/^staging\/[\da-f-]{36}$/)
  expect((await blobs.head(files.avatar.key))?.size).toBe(100_000)
  await blobs.delete([files.avatar.key])
})

test('files of a list are returned in their items, with and without indexes, and with other keys', async () => {
  for (const names of [
    ['items[0][id]', 'items[0][cover]', 'items[1][id]', 'items[1][cover]'],
    ['items[][id]', 'items[][cover]', 'items[][id]', 'items[][cover]'],
    ['items[x][id]', 'items[x][cover]', 'items[an id][id]', 'items[an id][cover]'],
  ] as const) {
    const data = new FormData()
    data.append(names[0], '7')
    data.append(names[1], picture(70), 'seven.png')
    data.append(names[2], '8')
    data.append(names[3], picture(80), 'eight.png')
    data.append('items[0][other]', picture(10), 'skipped.png')
    const { fields, files } = JSON.parse((await send(data)).text)
    const cover = (size: number, name: string) => ({ key: expect.any(String), size, type: 'image/png', name })
    const items: { cover: { key: string } }[] = Object.values(fields.items)
    expect(items).toEqual([
      { id: '7', cover: cover(70, 'seven.png') },
      { id: '8', cover: cover(80, 'eight.png') },
    ])
    const keys = items.map((one) => one.cover.key)
    expect(Object.keys(files).sort()).toEqual([...keys].sort())
    await blobs.delete(keys)
  }
  const flat = new FormData()
  flat.append('cover', picture(10), 'x.png')
  flat.append('items[0][cover]', 'staging/no-file')
  expect(JSON.parse((await send(flat)).text)).toEqual({ fields: { items: [{ cover: 'staging/no-file' }] }, files: {} })
  expect(await filesLeft()).toEqual([])
})

test('F074 uploads cut at any byte leave no file and no open request', async () => {
  const head =
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n'
  const body = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\nContent-Type: image/png\r\n\r\n${'y'.repeat(60_000)}`
  const cut = (at: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(head + body.slice(0, at), () => socket.destroy()))
      socket.on('close', () => resolve()).on('error', () => undefined)
    })
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 50 }, (_, i) => cut(Math.floor(((round * 50 + i) * 60_157) / 500))))
  await expect.poll(() => open).toBe(0)
  expect(await filesLeft()).toEqual([])
})

test.each([
  ['no boundary', 'multipart/form-data', 'x', 400],
  [
    'a form that ends in the middle',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nabc',
    400,
  ],
  [
    'a part without a name',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--b--\r\n',
    200,
  ],
  [
    'an empty name',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name=""; filename="x"\r\n\r\nabc\r\n--b--\r\n',
    200,
  ],
  ['an empty body', 'multipart/form-data; boundary=b', '', 400],
])('A195 %s', async (_name, type, body, status) => {
  expect((await send(body, type)).status).toBe(status)
  expect(await filesLeft()).toEqual([])
})

test.each([
  ['ten thousand fields', 10_000, (i: number) => `name="f${i}"\r\n\r\n1`],
  ['a thousand files', 1_000, (i: number) => `name="file${i}"; filename="x"\r\n\r\n1`],
])('A196 %s are refused', async (_name, count, part) => {
  const parts = Array.from({ length: count }, (_, i) => `--b\r\nContent-Disposition: form-data; ${part(i)}\r\n`).join(
    '',
  )
  expect((await send(`${parts}--b--\r\n`, 'multipart/form-data; boundary=b')).status).toBe(400)
  expect(await filesLeft()).toEqual([])
})

test('A196 long names and large fields are refused, and the files beside them are deleted', async () => {
  const data = new FormData()
  data.append('file', picture(1_000), 'x.png')
  data.append('description', 'x'.repeat(300_000))
  expect((await send(data)).status).toBe(413)
  const other = new FormData()
  other.append(`a${'[b]'.repeat(100)}`, '1')
  expect((await send(other)).status).toBe(413)
  expect(await filesLeft()).toEqual([])
})

/** A store that fails with `error` after it read more than `after` bytes. */
const failing = (error: Error, after: number): Staging => ({
  async put(_key, source) {
    let size = 0
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > after) throw error
    }
    return { size, sha256: '' }
  },
  delete: async () => undefined,
})

test.each([
  ['no_space', 507],
  ['unavailable', 503],
] as const)('a store that fails with %s in the middle of a body gives status %d', async (code, status) => {
  const data = new FormData()
  data.append('file', picture(3_000_000), 'a.png')
  data.append('description', 'after the file')
  const { headers, body } = new Response(data)
  const read = readMultipart(
    { headers: { 'content-type': headers.get('content-type') ?? '' }, body: Readable.fromWeb(body as never) },
    ['file'],
    failing(new BlobError(code, 'it is full'), 500_000),
  )
  await expect(read).rejects.toMatchObject({ status, extras: { retryAfter: expect.any(Number) } })
})

test('null characters and lone surrogates are removed from the name of a file', async () => {
  const body = `--b\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''a%00b.csv\r\n\r\nabc\r\n--b--\r\n`
  const { text } = await send(body, 'multipart/form-data; boundary=b')
  expect(text).toContain('"name":"ab.csv"')
})
