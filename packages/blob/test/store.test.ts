/** Behaviour common to all blob stores, tested on a folder and on a bucket. */

import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BlobError, type BlobStore, createBlobStore } from '../src/index.js'
import { type Bucket, startBucket } from './bucket.js'

const dir = mkdtempSync(join(tmpdir(), 'blobs-'))
const stores: Record<string, BlobStore> = {}
let bucket: Bucket

beforeAll(async () => {
  bucket = await startBucket()
  stores.disk = createBlobStore({ kind: 'disk', dir })
  stores.s3 = createBlobStore(bucket.options)
})
afterAll(async () => {
  await Promise.all(Object.values(stores).map((store) => store.close()))
  await bucket.close()
  rmSync(dir, { recursive: true, force: true })
})

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const png = { contentType: 'image/png', maxBytes: 1_000 }

async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  )
  return error instanceof BlobError ? error.code : `no BlobError: ${error}`
}

describe.each(['disk', 's3'])('%s', (kind) => {
  const store = () => stores[kind]!

  test('a stored blob is read back, from a buffer and from a stream', async () => {
    const put = await store().put('media/a.png', Buffer.from('hello'), png)
    expect(put).toEqual({ size: 5, sha256: sha256('hello') })
    await store().put('media/b.png', Readable.from([Buffer.from('hel'), 'lo']), png)
    const blob = await store().get('media/b.png')
    expect(blob).toMatchObject({ size: 5, contentType: 'image/png' })
    expect(await text(blob!.body)).toBe('hello')
    expect(Math.abs(blob!.lastModified.getTime() - Date.now())).toBeLessThan(60_000)
    expect(blob!.etag).toMatch(/^"[^"]+"$/)
    const head = await store().head('media/b.png')
    expect(head).toEqual({ size: 5, contentType: 'image/png', etag: blob!.etag, lastModified: blob!.lastModified })
  })

  test('a copy has the bytes and the type of what it was made of, and a life of its own', async () => {
    await store().put('media/first', Buffer.from('hello'), png)
    expect(await store().copy('media/first', 'cache/second.jpg')).toBe(5)
    expect(await store().copy('media/first', 'cache/second.jpg')).toBe(5)
    await store().put('media/first', Buffer.from('other bytes'), png)
    const blob = await store().get('cache/second.jpg')
    expect([blob?.contentType, await text(blob!.body)]).toEqual(['image/png', 'hello'])
    await store().delete(['media/first'])
    expect(await store().copy('media/first', 'cache/third')).toBeNull()
    expect(await store().head('cache/third')).toBeNull()
    await store().put('media/first', Buffer.from('x'), png)
    await store().copy('media/first', 'cache/second.jpg')
    await store().delete(['media/first'])
    expect(await text((await store().get('cache/second.jpg'))!.body)).toBe('x')
    await store().delete(['cache/second.jpg'])
  })

  test('an empty blob is a blob', async () => {
    expect(await store().put('media/empty', Buffer.alloc(0), png)).toEqual({ size: 0, sha256: sha256('') })
    const blob = await store().get('media/empty')
    expect((await buffer(blob!.body)).length).toBe(0)
  })

  test('the content type is kept, whatever the key says', async () => {
    const put = (key: string, contentType: string) => store().put(key, Buffer.from('x'), { contentType, maxBytes: 9 })
    await put('staging/t1', 'image/webp')
    await put('media/t2.png', 'video/mp4')
    await put('media/t3.mp4', 'video/mp4')
    await put('media/t2.png', 'image/png')
    await store().move('staging/t1', 'media/t1.jpg')
    await store().move('media/t3.mp4', 'media/t4')
    const types = await Promise.all(['t1.jpg', 't2.png', 't4'].map((name) => store().head(`media/${name}`)))
    expect(types.map((head) => head?.contentType)).toEqual(['image/webp', 'image/png', 'video/mp4'])
  })

  test('a blob is replaced whole, with a new etag', async () => {
    await store().put('media/r.png', Buffer.from('first, longer'), png)
    const before = await store().head('media/r.png')
    await store().put('media/r.png', Buffer.from('second'), png)
    const after = await store().get('media/r.png')
    expect(await text(after!.body)).toBe('second')
    expect(after!.etag).not.toBe(before!.etag)
  })

  test('parts of a blob', async () => {
    await store().put('media/parts', Buffer.from('0123456789'), png)
    const read = async (range: { start: number; end?: number }) => {
      const blob = await store().get('media/parts', { range })
      return [blob!.size, await text(blob!.body)]
    }
    expect(await read({ start: 0, end: 1 })).toEqual([10, '01'])
    expect(await read({ start: 1, end: 1 })).toEqual([10, '1'])
    expect(await read({ start: 2, end: 4 })).toEqual([10, '234'])
    expect(await read({ start: 7 })).toEqual([10, '789'])
    expect(await read({ start: 7, end: 99 })).toEqual([10, '789'])
    expect(await failure(store().get('media/parts', { range: { start: 10 } }))).toBe('bad_range')
    expect(await failure(store().get('media/parts', { range: { start: 3, end: 2 } }))).toBe('bad_range')
    expect(await store().get('media/none', { range: { start: 0 } })).toBeNull()
  })

  test('a missing blob is null', async () => {
    expect(await store().get('media/none')).toBeNull()
    expect(await store().head('media/none')).toBeNull()
  })

  test('too many bytes, exactly one too many, leave nothing', async () => {
    const put = (bytes: number) => store().put('media/limit', Buffer.alloc(bytes), { ...png, maxBytes: 100 })
    expect(await failure(put(101))).toBe('too_large')
    expect(await store().head('media/limit')).toBeNull()
    expect((await put(100)).size).toBe(100)
    const endless = Readable.from(
      (function* () {
        while (true) yield Buffer.alloc(65_536)
      })(),
    )
    expect(await failure(store().put('media/limit2', endless, png))).toBe('too_large')
    expect(endless.destroyed).toBe(true)
    expect(await store().head('media/limit2')).toBeNull()
  })

  test('announced bytes are verified', async () => {
    const put = (hash: string) => store().put('media/hash', Buffer.from('hello'), { ...png, sha256: hash })
    expect(await failure(put(sha256('other')))).toBe('hash_mismatch')
    expect(await store().head('media/hash')).toBeNull()
    expect((await put(sha256('hello'))).size).toBe(5)
  })

  test('F074 a source that breaks off leaves what was there before', async () => {
    await store().put('media/cut', Buffer.from('before'), png)
    const source = new PassThrough()
    source.write('half')
    const put = store().put('media/cut', source, png)
    setTimeout(() => source.destroy(new Error('client went away')), 20)
    expect(await failure(put)).toBe('interrupted')
    expect(await text((await store().get('media/cut'))!.body)).toBe('before')
    const gone = new PassThrough()
    gone.destroy()
    expect(await failure(store().put('media/cut2', gone, png))).toBe('interrupted')
    expect(await store().head('media/cut2')).toBeNull()
  })

  test('large streams come back byte for byte', async () => {
    const bytes = randomBytes(20 * 1024 * 1024 + 17)
    const source = Readable.from(
      (function* () {
        for (let at = 0; at < bytes.length; at += 700_001) yield bytes.subarray(at, at + 700_001)
      })(),
    )
    const put = await store().put('media/large.mp4', source, { contentType: 'video/mp4', maxBytes: bytes.length })
    expect(put).toEqual({ size: bytes.length, sha256: sha256(bytes) })
    const blob = await store().get('media/large.mp4')
    expect(sha256(await buffer(blob!.body))).toBe(put.sha256)
    const tail = await store().get('media/large.mp4', { range: { start: bytes.length - 5 } })
    expect(await buffer(tail!.body)).toEqual(bytes.subarray(-5))
  })

  test('a move can be repeated', async () => {
    await store().put('staging/m1', Buffer.from('moved'), png)
    await store().move('staging/m1', 'media/m1.png')
    await store().move('staging/m1', 'media/m1.png')
    expect(await store().head('staging/m1')).toBeNull()
    expect(await text((await store().get('media/m1.png'))!.body)).toBe('moved')
    expect(await failure(store().move('staging/m2', 'media/m2.png'))).toBe('not_found')
  })

  test('deleting takes many, and absent ones too', async () => {
    await store().put('media/d1', Buffer.from('1'), png)
    await store().put('media/d2', Buffer.from('2'), png)
    await store().delete(['media/d1', 'media/d2', 'media/d3'])
    await store().delete([])
    expect(await store().head('media/d1')).toBeNull()
    expect(await store().head('media/d2')).toBeNull()
    expect(await failure(store().delete(Array(10_001).fill('media/x')))).toBe('bad_key')
  })

  test('lists pages of a thousand, each blob once, and only under the prefix', async () => {
    const keys = Array.from({ length: 1_030 }, (_, i) => `listed/${i % 7}/${i}`)
    const queue = [...keys]
    const worker = async (): Promise<void> => {
      const key = queue.pop()
      if (!key) return
      await store().put(key, Buffer.from('x'), png)
      return worker()
    }
    await Promise.all(Array.from({ length: 32 }, worker))
    const first = await store().list('listed/')
    const second = await store().list('listed/', first.cursor)
    expect([first.blobs.length, second.blobs.length, second.cursor]).toEqual([1_000, 30, undefined])
    expect([...first.blobs, ...second.blobs].map((blob) => blob.key).sort()).toEqual(keys.sort())
    expect(first.blobs[0]).toMatchObject({ size: 1, lastModified: expect.any(Date) })
    const three = await store().list('listed/3/')
    expect(three.blobs.map((blob) => blob.key).sort()).toEqual(keys.filter((key) => key.startsWith('listed/3/')).sort())
    expect(await store().list('nothing/')).toEqual({ blobs: [] })
    const swept = await store().sweep('listed/', new Date(Date.now() + 60_000))
    expect(swept).toEqual({ deleted: 1_030, undeleted: 0, complete: true })
    expect((await store().list('listed/')).blobs).toEqual([])
  })

  test('a sweep leaves what is young or elsewhere', async () => {
    await store().put('staging/young', Buffer.from('x'), png)
    await store().put('media/other', Buffer.from('x'), png)
    expect(await store().sweep('staging/', new Date(Date.now() - 60_000))).toEqual({
      deleted: 0,
      undeleted: 0,
      complete: true,
    })
    expect((await store().sweep('staging/', new Date(Date.now() + 60_000))).deleted).toBeGreaterThanOrEqual(1)
    expect(await store().head('staging/young')).toBeNull()
    expect(await store().head('media/other')).not.toBeNull()
  })

  test.each(['../../etc/passwd', 'media/../../x', '/etc/passwd', 'media', 'media/a\u0000', '.incoming/x'])(
    'A157 every method refuses the key %j',
    async (key) => {
      const codes = await Promise.all([
        failure(store().put(key, Buffer.from('x'), png)),
        failure(store().get(key)),
        failure(store().head(key)),
        failure(store().move(key, 'media/x')),
        failure(store().move('media/other', key)),
        failure(store().delete(['media/x', key])),
      ])
      expect(codes).toEqual(Array(6).fill('bad_key'))
      expect(await failure(store().list(key.replace(/x$|[^/]*$/, '../')))).toBe('bad_key')
      expect(await failure(store().sweep('', new Date()))).toBe('bad_key')
    },
  )
})
