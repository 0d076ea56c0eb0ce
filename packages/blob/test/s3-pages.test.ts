/** Responses to a bucket's client that are not from a bucket, such as the page of a proxy with status 200. */

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BlobError, type BlobStore, createBlobStore } from '../src/index.js'
import { type Bucket, startBucket } from './bucket.js'

let bucket: Bucket
let store: BlobStore
const png = { contentType: 'image/png', maxBytes: 100_000_000 }

beforeAll(async () => {
  bucket = await startBucket()
  store = createBlobStore(bucket.options)
})
beforeEach(() => {
  bucket.fault.handler = null
  bucket.requests.length = 0
})
afterAll(async () => {
  await store.close()
  await bucket.close()
})

type Page = readonly [what: string, type: string | undefined, body: string]
const MAINTENANCE: Page = [
  'an HTML page',
  'text/html; charset=utf-8',
  '<!doctype html><html><head><title>Back soon</title></head><body><p>Maintenance<br>Sorry</body></html>',
]
const PAGES: readonly Page[] = [
  MAINTENANCE,
  ['an XHTML page', 'text/html', '<html><head><title>Back soon</title></head><body><p>Maintenance</p></body></html>'],
  ['JSON', 'application/json', '{"status":"ok"}'],
  ['a text', 'text/plain', 'OK'],
  ['no body', undefined, ''],
  ['XML of another kind', 'application/xml', '<?xml version="1.0"?><ok><id>1</id></ok>'],
]

const CREATE = ({ method, url = '' }: IncomingMessage) => method === 'POST' && /[?&]uploads\b/.test(url)
const PART = ({ method, url = '' }: IncomingMessage) => method === 'PUT' && url.includes('partNumber=')
const COMPLETE = ({ method, url = '' }: IncomingMessage) => method === 'POST' && url.includes('uploadId=')
const COPY = ({ method, headers }: IncomingMessage) => method === 'PUT' && headers['x-amz-copy-source'] !== undefined
const DELETE = ({ method, url = '' }: IncomingMessage) => method === 'POST' && /[?&]delete\b/.test(url)
const LIST = ({ method, url = '' }: IncomingMessage) => method === 'GET' && url.includes('prefix=')
const READ = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD'

const aborted: string[] = []
/** Responds to the requests of one kind with a page. The test server has no `AbortMultipartUpload`. */
const respondWith = (isMeant: (request: IncomingMessage) => boolean, page: Page, status = 200) => {
  aborted.length = 0
  bucket.fault.handler = (request, response) => {
    const { method, url = '' } = request
    const isAbort = method === 'DELETE' && url.includes('uploadId=')
    if (isAbort) aborted.push(url)
    if (!isAbort && !isMeant(request)) return false
    request.resume()
    const [, type, body] = page
    if (isAbort) response.writeHead(204).end()
    else
      response
        .writeHead(status, { 'content-length': Buffer.byteLength(body), ...(type && { 'content-type': type }) })
        .end(method === 'HEAD' ? '' : body)
    return true
  }
}
const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  )
  if (!(error instanceof BlobError)) throw new Error('expected a BlobError', { cause: error })
  return error.code
}
const large = () => Readable.from(Array.from({ length: 18 }, () => Buffer.alloc(1024 * 1024, 7)))

test.each(PAGES)('F074 %s instead of an upload id sends no part', async (...page) => {
  respondWith(CREATE, page)
  expect(await failure(store.put('media/no-id', large(), png))).toBe('unavailable')
  expect(bucket.requests.filter((line) => line.startsWith('PUT'))).toEqual([])
  bucket.fault.handler = null
  expect(await store.head('media/no-id')).toBeNull()
})

test.each(PAGES)('F074 %s instead of the response to a part gives up the upload', async (...page) => {
  respondWith(PART, page)
  expect(await failure(store.put('media/no-part', large(), png))).toBe('unavailable')
  expect(aborted).toHaveLength(1)
  expect(bucket.requests.filter((line) => line.includes('partNumber='))).toHaveLength(1)
})

test.each(PAGES)('F074 %s instead of the completion gives up the upload', async (...page) => {
  respondWith(COMPLETE, page)
  expect(await failure(store.put('media/no-end', large(), png))).toBe('unavailable')
  expect(aborted).toHaveLength(1)
  bucket.fault.handler = null
  expect(await store.head('media/no-end')).toBeNull()
})

test.each(PAGES)('F076 %s instead of a copy keeps the source of a move', async (...page) => {
  await store.put('media/moved', Buffer.from('whole'), png)
  respondWith(COPY, page)
  expect(await failure(store.move('media/moved', 'media/target'))).toBe('unavailable')
  expect(await failure(store.copy('media/moved', 'media/target'))).toBe('unavailable')
  bucket.fault.handler = null
  expect((await store.head('media/moved'))?.size).toBe(5)
})

test.each(PAGES)('F076 %s instead of a deletion is no success', async (...page) => {
  const keys = ['media/a', 'media/b']
  await Promise.all(keys.map((key) => store.put(key, Buffer.from('whole'), png)))
  respondWith(DELETE, page)
  expect(await failure(store.delete(keys))).toBe('unavailable')
  expect(await failure(store.delete(['media/absent', 'media/b']))).toBe('unavailable')
  expect((await store.head('media/b'))?.size).toBe(5)
  respondWith(() => true, page)
  expect(await failure(store.delete(['media/absent']))).toBe('unavailable')
})

test('F076 a page instead of a deletion, and of the checks after it, costs few requests', async () => {
  respondWith(() => true, MAINTENANCE)
  expect(await failure(store.delete(Array.from({ length: 1_000 }, (_, i) => `media/${i}`)))).toBe('unavailable')
  expect(bucket.requests.length).toBeLessThan(20)
})

test.each(PAGES)('F076 %s instead of a list is no empty area', async (...page) => {
  respondWith(LIST, page)
  expect(await failure(store.list('media/'))).toBe('unavailable')
  expect(await failure(store.sweep('media/', new Date()))).toBe('unavailable')
})

test.each(PAGES)('F076 %s instead of a blob is no blob', async (...page) => {
  respondWith(READ, page)
  expect(await failure(store.get('media/x'))).toBe('unavailable')
  expect(await failure(store.head('media/x'))).toBe('unavailable')
})

test('F076 a page with status 404 does not mean that a blob is absent', async () => {
  await store.put('media/there', Buffer.from('whole'), png)
  respondWith(READ, MAINTENANCE, 404)
  expect([await failure(store.get('media/there')), await failure(store.head('media/there'))]).toEqual([
    'unavailable',
    'unavailable',
  ])
  respondWith(COPY, MAINTENANCE, 404)
  expect(await failure(store.copy('media/there', 'media/other'))).toBe('unavailable')
})

test('F076 an upload whose check gets a page as response fails and deletes nothing', async () => {
  respondWith(({ method }) => method === 'HEAD', MAINTENANCE)
  expect(await failure(store.put('media/unchecked', Buffer.from('whole'), png))).toBe('unavailable')
  expect(bucket.requests.filter((line) => line.startsWith('POST'))).toEqual([])
})

test('a blob that was declared as a page is stored and read as bytes of unknown type', async () => {
  await store.put('media/declared', Buffer.from('whole'), { ...png, contentType: 'Text/HTML; charset=utf-8' })
  expect(await store.head('media/declared')).toMatchObject({ size: 5, contentType: 'application/octet-stream' })
})

test('deletions of absent blobs are confirmed', async () => {
  await store.put('media/once', Buffer.from('x'), png)
  await store.delete(['media/once', 'media/never'])
  await store.delete(['media/never'])
  expect(await store.head('media/once')).toBeNull()
})
