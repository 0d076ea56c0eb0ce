/** Failures of a blob store in a bucket: errors, timeouts, partial writes and wrong responses. */

import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BlobError, type BlobStore, createBlobStore, deleteMost } from '../src/index.js'
import { type Bucket, startBucket } from './bucket.js'

let bucket: Bucket
let store: BlobStore
/** A store with short timeouts, for buckets that do not respond. */
let hasty: BlobStore
const png = { contentType: 'image/png', maxBytes: 100_000_000 }

beforeAll(async () => {
  bucket = await startBucket()
  store = createBlobStore(bucket.options)
  hasty = createBlobStore({ ...bucket.options, timeoutMs: 1_500 })
})
beforeEach(() => {
  bucket.fault.handler = null
  bucket.requests.length = 0
})
afterAll(async () => {
  await Promise.all([store.close(), hasty.close()])
  await bucket.close()
})

async function failure(work: Promise<unknown>): Promise<BlobError> {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  )
  if (!(error instanceof BlobError)) throw new Error('expected a BlobError', { cause: error })
  return error
}

const etagOf = (text: string) => `"${createHash('md5').update(text).digest('hex')}"`

const respondWith = (status: number, code: string) => {
  bucket.fault.handler = (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(request.method === 'HEAD' ? '' : `<Error><Code>${code}</Code><Message>no</Message></Error>`)
    return true
  }
}

const everything = (on: BlobStore) => [
  on.put('media/x', Buffer.from('x'), png),
  on.get('media/x'),
  on.head('media/x'),
  on.move('media/x', 'media/y'),
  on.delete(['media/x']),
  on.list('media/'),
  on.sweep('media/', new Date()),
]

test('F076 a bucket that responds 500 is unavailable for every operation, after a few tries', async () => {
  respondWith(500, 'InternalError')
  const errors = await Promise.all(everything(store).map(failure))
  expect(errors.map((error) => [error.code, error.retryable])).toEqual(Array(7).fill(['unavailable', true]))
  expect(bucket.requests.filter((line) => line.startsWith('PUT /media/x'))).toHaveLength(3)
})

test('F076 a bucket that does not respond is unavailable within the time limit', async () => {
  bucket.fault.handler = () => true
  const errors = await Promise.all(everything(hasty).map(failure))
  expect(errors.every((error) => error.code === 'unavailable')).toBe(true)
})

test('F076 one failed response is retried', async () => {
  let bad = 1
  bucket.fault.handler = (request, response) => {
    if (bad-- <= 0) return false
    request.resume()
    response.writeHead(503).end()
    return true
  }
  expect((await store.put('media/again', Buffer.from('x'), png)).size).toBe(1)
})

test('F076 an object with missing bytes is detected and deleted', async () => {
  bucket.fault.handler = (request, response) => {
    if (request.method !== 'HEAD') return false
    response.writeHead(200, { 'content-length': '3', etag: etagOf('whole') }).end()
    return true
  }
  expect((await failure(store.put('media/short', Buffer.from('whole'), png))).code).toBe('unavailable')
  bucket.fault.handler = null
  expect(await store.head('media/short')).toBeNull()
})

describe('an upload that cannot be checked', () => {
  const key = 'archives/shared.zip'
  /** Another upload under the same key is stored before the check of this one. */
  const replaced = async (check: (response: ServerResponse) => void) => {
    let isStored = false
    bucket.fault.handler = (request, response) => {
      if (request.method !== 'HEAD' || isStored) return false
      isStored = true
      const other = createBlobStore(bucket.options)
      void other
        .put(key, Buffer.from('by another job'), png)
        .then(() => other.close())
        .then(() => check(response))
      return true
    }
    const error = await failure(hasty.put(key, Buffer.from('whole'), png))
    expect([error.code, error.retryable]).toEqual(['unavailable', true])
    bucket.fault.handler = null
    expect(await buffer((await store.get(key))!.body)).toEqual(Buffer.from('by another job'))
    // A repeated job replaces the blob.
    expect((await store.put(key, Buffer.from('whole'), png)).size).toBe(5)
  }

  test.each<[string, (response: ServerResponse) => void]>([
    ['the connection breaks', (response) => response.destroy()],
    ['the server has an error', (response) => response.writeHead(400).end()],
    ['the key is forbidden', (response) => response.writeHead(403).end()],
    ['the blob is hidden for a moment', (response) => response.writeHead(404).end()],
    [
      'the size is that of the other blob',
      (response) => response.writeHead(200, { 'content-length': '14', etag: etagOf('by another job') }).end(),
    ],
  ])('fails and keeps the blob of another upload under its key if %s', async (_, check) => {
    await replaced(check)
  })
})

test('F076 a body that breaks off or stalls fails for its reader', async () => {
  await store.put('media/body', randomBytes(300_000), png)
  const partial = (end: boolean) => {
    bucket.fault.handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '300000', etag: '"x"' })
      response.write(Buffer.alloc(1_000), () => end && response.destroy())
      return true
    }
  }
  partial(true)
  await expect(buffer((await hasty.get('media/body'))!.body)).rejects.toThrow()
  partial(false)
  await expect(buffer((await hasty.get('media/body'))!.body)).rejects.toThrow()
})

test.each([
  ['no range', {}],
  ['another start', { 'content-range': 'bytes 0-4/10' }],
  ['another end', { 'content-range': 'bytes 5-5/10' }],
  ['a range without the size', { 'content-range': 'bytes 5-9/*' }],
])('a response to a range request with %s is refused', async (_what, headers) => {
  bucket.fault.handler = (_request, response) => {
    response.writeHead(206, { 'content-length': '5', etag: '"x"', ...headers }).end('01234')
    return true
  }
  expect((await failure(store.get('media/ranged', { range: { start: 5 } }))).code).toBe('unavailable')
})

test.each([
  [507, 'InsufficientStorage', 'no_space'],
  [403, 'QuotaExceeded', 'no_space'],
  [507, 'XMinioStorageFull', 'no_space'],
  [400, 'XMinioAdminBucketQuotaExceeded', 'no_space'],
  [403, 'AccessDenied', 'unavailable'],
  [404, 'NoSuchBucket', 'unavailable'],
])('F075 the response %i %s to a put means %s', async (status, name, code) => {
  respondWith(status, name)
  expect((await failure(store.put('media/x', Buffer.from('x'), png))).code).toBe(code)
})

test('a missing bucket is not reported as a missing blob', async () => {
  respondWith(404, 'NoSuchBucket')
  expect((await failure(store.get('media/x'))).code).toBe('unavailable')
})

test('small blobs are sent in one request, large ones in parts that become visible together', async () => {
  await store.put('media/small', Readable.from([Buffer.alloc(1_000)]), png)
  // Slow requests are retried, so the test compares the set of requests.
  expect([...new Set(bucket.requests)]).toEqual(['PUT /media/small?x-id=PutObject', 'HEAD /media/small'])
  bucket.requests.length = 0
  const size = 8 * 1024 * 1024
  await store.put('media/exact', Buffer.alloc(size), png)
  expect(new Set(bucket.requests)).toEqual(new Set(['PUT /media/exact?x-id=PutObject', 'HEAD /media/exact']))
  await store.put('media/more', Buffer.alloc(2 * size + 1), png)
  const parts = bucket.requests.flatMap((line) => /^PUT \/media\/more.*partNumber=(\d+)/.exec(line)?.[1] ?? [])
  expect(new Set(parts)).toEqual(new Set(['1', '2', '3']))
  expect((await store.head('media/more'))!.size).toBe(2 * size + 1)
})

test.each([
  ['the source breaks off', 'interrupted'],
  ['a part is refused', 'unavailable'],
  ['the completion is refused', 'unavailable'],
  ['the hash is wrong', 'hash_mismatch'],
])('F074 when %s, the parts are given up and nothing appears', async (what, code) => {
  const aborted: string[] = []
  bucket.fault.handler = (request, response) => {
    const { method, url = '' } = request
    const refuse =
      (what === 'a part is refused' && url.includes('partNumber=2')) ||
      (what === 'the completion is refused' && method === 'POST' && url.includes('uploadId='))
    // The test server does not support this call.
    const abort = method === 'DELETE' && url.includes('uploadId=')
    if (abort) aborted.push(url)
    if (!abort && !refuse) return false
    request.resume()
    response.writeHead(abort ? 204 : 400).end()
    return true
  }
  const source = Readable.from(
    (function* () {
      for (let i = 0; i < 20; i++) {
        yield Buffer.alloc(1024 * 1024)
        if (what === 'the source breaks off' && i === 12) throw new Error('cut')
      }
    })(),
  )
  const options = what === 'the hash is wrong' ? { ...png, sha256: '0'.repeat(64) } : png
  expect((await failure(store.put('media/gone', source, options))).code).toBe(code)
  expect(aborted).toHaveLength(1)
  bucket.fault.handler = null
  expect(await store.head('media/gone')).toBeNull()
})

describe('a server that does not list absent keys as deleted', () => {
  /** Deletes these objects with the real server, and lists only those among `listed` as deleted. */
  const respond = (listed: readonly string[], removed: readonly string[]) => {
    bucket.fault.handler = (request, response) => {
      if (request.method !== 'POST') return false
      request.resume()
      bucket.fault.handler = null
      const items = listed.map((key) => `<Deleted><Key>${key}</Key></Deleted>`).join('')
      const body = `<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${items}</DeleteResult>`
      const done = removed.length > 0 ? store.delete(removed) : Promise.resolve()
      void done.then(() => response.writeHead(200, { 'content-type': 'application/xml' }).end(body))
      return true
    }
  }
  const fill = async (...keys: string[]) => {
    await Promise.all(keys.map((key) => store.put(key, Buffer.from('x'), png)))
    bucket.requests.length = 0
  }
  const checks = () => new Set(bucket.requests.filter((line) => line.startsWith('HEAD')))

  test('has deleted one key that is absent', async () => {
    respond([], [])
    await store.delete(['media/never'])
    expect(checks()).toEqual(new Set(['HEAD /media/never']))
  })
  test('has deleted all keys, of which it lists one', async () => {
    await fill('media/one')
    respond(['media/one'], ['media/one'])
    await store.delete(['media/one', 'media/never', 'media/gone'])
    expect(checks()).toEqual(new Set(['HEAD /media/never', 'HEAD /media/gone']))
  })
  test('has not deleted a key that exists', async () => {
    await fill('media/one', 'media/two')
    respond(['media/one'], ['media/one'])
    expect(await failure(store.delete(['media/one', 'media/two']))).toMatchObject({
      code: 'unavailable',
      retryable: true,
    })
    await store.delete(['media/one', 'media/two'])
    expect(await store.head('media/two')).toBeNull()
  })
  test('is asked once about each absent key', async () => {
    const keys = Array.from({ length: 50 }, (_, i) => `media/absent-${i}`)
    respond([], [])
    await store.delete(keys)
    expect(checks()).toEqual(new Set(keys.map((key) => `HEAD /${key}`)))
  })
  test('ends a sweep although a blob was deleted meanwhile', async () => {
    await fill('staging/a', 'staging/b')
    respond([], ['staging/a', 'staging/b'])
    expect(await store.sweep('staging/', new Date(Date.now() + 60_000))).toEqual({
      deleted: 2,
      undeleted: 0,
      complete: true,
    })
  })
})

test('objects that were not deleted are counted', async () => {
  bucket.fault.handler = (request, response) => {
    request.resume()
    const body = '<DeleteResult><Error><Key>media/x</Key><Code>AccessDenied</Code></Error></DeleteResult>'
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body)
    return true
  }
  const refused = { code: 'unavailable', undeleted: ['media/x'] }
  expect(await failure(store.delete(['media/x']))).toMatchObject(refused)
})

test('an object that cannot be deleted is named, and the others of the request are deleted', async () => {
  bucket.fault.handler = (request, response) => {
    request.resume()
    const body =
      '<DeleteResult><Deleted><Key>media/y</Key></Deleted><Error><Key>media/x</Key><Code>AccessDenied</Code></Error></DeleteResult>'
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body)
    return true
  }
  expect(await deleteMost(store, ['media/x', 'media/y'])).toEqual(['media/x'])
  // An error without a key is about the whole request.
  bucket.fault.handler = (request, response) => {
    request.resume()
    const body = '<DeleteResult><Error><Code>SlowDown</Code></Error></DeleteResult>'
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body)
    return true
  }
  await expect(deleteMost(store, ['media/x', 'media/y'])).rejects.toMatchObject({ undeleted: null })
})

test('a single object that cannot be deleted is named, unless the bucket deletes nothing', async () => {
  let refused = ['media/x']
  bucket.fault.handler = (request, response) => {
    const key = request.method === 'POST' ? refused.shift() : undefined
    if (key === undefined) return false
    request.resume()
    const body = `<DeleteResult><Error><Key>${key}</Key><Code>AccessDenied</Code></Error></DeleteResult>`
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body)
    return true
  }
  expect(await deleteMost(store, ['media/x'])).toEqual(['media/x'])
  expect(await store.head('media/deletion-probe')).toBe(null)
  refused = ['media/x', 'media/deletion-probe']
  await expect(deleteMost(store, ['media/x'])).rejects.toThrow('the store deletes no blobs')
  await store.delete(['media/deletion-probe'])
})

test('a public URL is the configured one with the key', () => {
  const open = (publicUrl?: string) => createBlobStore({ ...bucket.options, publicUrl })
  expect(open('https://cdn.example/files/').publicUrl('media/a.png')).toBe('https://cdn.example/files/media/a.png')
  expect(open().publicUrl('media/a.png')).toBeNull()
  expect(() => open('https://cdn.example').publicUrl('../x')).toThrow(BlobError)
})

test('no connection is opened before the first use', async () => {
  const idle = createBlobStore(bucket.options)
  await idle.close()
  expect(bucket.requests).toEqual([])
})
