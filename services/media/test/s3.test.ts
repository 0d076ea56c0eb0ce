/** Tests of media with files in an S3 bucket, and with a failing bucket. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  deleteAttachment,
  makePicture,
  releaseAttachments,
  showAttachment,
  takeAttachments,
  updateAttachment,
  uploadAttachment,
  uploadAttachmentNow,
} from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { type S3Server, startS3Server } from '@murmuration/testkit/outside/s3-server'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { alice, attachmentOf, type Harness, startHarness } from './harness.js'
import { movingGif, noise, telephoneJpeg } from './pictures.js'

let bucket: S3Server
let proxy: Server
let harness: Harness
/** Handles a request instead of the bucket, and returns whether it did. */
let fault: ((incoming: IncomingMessage, response: ServerResponse) => boolean) | null = null

beforeAll(async () => {
  bucket = await startS3Server()
  const { port, hostname } = new URL(bucket.endpoint)
  proxy = createServer((incoming, response) => {
    if (fault?.(incoming, response)) return
    const { method, url: path, headers } = incoming
    const onward = request({ host: hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  harness = await startHarness({
    MEDIA_FFMPEG: 'off',
    S3_ENABLED: 'true',
    S3_ENDPOINT: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    AWS_ACCESS_KEY_ID: bucket.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  })
})
afterEach(() => {
  fault = null
})
afterAll(async () => {
  await harness.stop()
  proxy.closeAllConnections()
  proxy.close()
  await bucket.close()
})

const upload = async (bytes: Buffer, operation = uploadAttachment) =>
  harness.request(operation, { file: await harness.stage(bytes), description: 'In a bucket' })
const ids = async () =>
  (await harness.cluster.db('media').rows<{ id: string }>(sql`select id from attachments order by id`)).map(
    (row) => row.id,
  )

test('an attachment in a bucket is uploaded, shown, described, attached, released and deleted', async () => {
  const attachment = attachmentOf(await upload(await telephoneJpeg()))
  expect(attachment).toMatchObject({
    type: 'image',
    meta: { original: { size: '600x800' }, small: { size: '415x554' } },
  })
  const { id } = attachment
  const [original, small] = await Promise.all(
    [attachment.url, attachment.preview_url].map((one) => harness.read(one ?? '')),
  )
  expect(original?.includes('SECRET-PLACE')).toBe(false)
  expect(await sharp(small).metadata()).toMatchObject({ format: 'jpeg', width: 415 })
  expect(await harness.blobs.head(harness.keyOf(attachment.url ?? ''))).toMatchObject({ contentType: 'image/jpeg' })
  expect((await harness.request(showAttachment, { id })).status).toBe(200)
  expect((await harness.request(updateAttachment, { id, description: 'Changed', focus: '0,1' })).body).toMatchObject({
    description: 'Changed',
    meta: { focus: { x: 0, y: 1 } },
  })
  const taken = await harness.cluster.call(takeAttachments, { owner: alice.id, ids: [id], status: '1' })
  expect(taken.taken[0]).toMatchObject({ id, url: attachment.url, description: 'Changed' })
  expect((await harness.request(deleteAttachment, { id })).status).toBe(422)
  expect(await harness.cluster.call(releaseAttachments, { status: '1' })).toEqual({ released: 1 })
  expect((await harness.request(deleteAttachment, { id })).status).toBe(200)
  expect(await harness.blobs.head(harness.keyOf(attachment.url ?? ''))).toBeNull()
  expect((await harness.blobs.list('staging/')).blobs).toEqual([])
})

test('all formats and refusals work with a bucket', async () => {
  const formats = [noise(40, 30).png(), noise(40, 30).webp(), noise(40, 30).gif()]
  const answers = await Promise.all(formats.map(async (image) => upload(await image.toBuffer(), uploadAttachmentNow)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await upload(Buffer.from('<svg/>'.padEnd(100)))).status).toBe(422)
  const picture = await harness.stage(await movingGif(50, 50, 2))
  const avatar = await harness.cluster.call(makePicture, { owner: '1', kind: 'avatar', key: picture.key })
  expect(await sharp(await harness.read(avatar.static_url)).metadata()).toMatchObject({ format: 'png', width: 400 })
})

test('unattached files and old uploads are deleted after a day', async () => {
  const { url } = attachmentOf(await upload(await noise(20, 20).jpeg().toBuffer()))
  const forgotten = await harness.stage(await noise(20, 20).jpeg().toBuffer())
  const { clock } = harness.context()
  clock.moveTo(25 * 3_600_000)
  await harness.tick('media.discard-unattached')
  await harness.tick('media.sweep-staging')
  clock.moveTo(0)
  expect(await harness.blobs.head(harness.keyOf(url ?? ''))).toBeNull()
  expect(await harness.blobs.head(forgotten.key)).toBeNull()
  expect(await ids()).toEqual([])
})

test('F076 a bucket that fails, or loses bytes, causes 503 and no row', async () => {
  const jpeg = await noise(20, 20).jpeg().toBuffer()
  const before = await ids()
  const isMedia = ({ method, url = '' }: IncomingMessage) => method === 'PUT' && url.includes('/media/media/')
  fault = (incoming, response) => {
    if (!isMedia(incoming)) return false
    incoming.resume().once('end', () => response.writeHead(500).end())
    return true
  }
  const failed = await upload(jpeg)
  expect([failed.status, failed.body.error, failed.headers['Retry-After']]).toEqual([
    503,
    'There was a temporary problem serving your request, please try again',
    '5',
  ])
  fault = (incoming, response) => {
    if (!isMedia(incoming)) return false
    incoming.resume().once('end', () => response.writeHead(200, { etag: '"x"' }).end())
    return true
  }
  expect((await upload(jpeg)).status).toBe(503)
  fault = null
  expect(await ids()).toEqual(before)
  expect((await upload(jpeg)).status).toBe(200)
  await harness.tick('media.delete-loose-files')
  const keys = (await harness.blobs.list('media/')).blobs.map((blob) => blob.key)
  const held = await harness.cluster
    .db('media')
    .rows<{ key: string }>(sql`select unnest(array[original_key, small_key]) as key from attachments`)
  expect(keys.sort()).toEqual(held.map((row) => row.key).sort())
})

test.each([
  ['its first bytes are read', true],
  ['it is copied', false],
])(
  'F076 a bucket that breaks off in the middle of an upload while %s causes 503, and no row',
  async (_when, isHead) => {
    const png = await noise(300, 300).png().toBuffer()
    // One upload for each operation, because an operation deletes its upload when it refuses.
    const [one, two, three] = [await harness.stage(png), await harness.stage(png), await harness.stage(png)]
    const before = await ids()
    const breakOff = () => {
      fault = ({ method, url = '', headers }, response) => {
        if (method !== 'GET' || !url.includes('/staging/') || (headers.range !== undefined) !== isHead) return false
        response.writeHead(isHead ? 206 : 200, {
          'content-length': isHead ? '4096' : String(png.length),
          ...(isHead && { 'content-range': `bytes 0-4095/${png.length}` }),
          etag: '"x"',
        })
        response.write(Buffer.alloc(1_000), () => response.destroy())
        return true
      }
    }
    const uploads = () =>
      Promise.all([
        harness.request(uploadAttachment, { file: one }),
        harness.request(uploadAttachmentNow, { file: two }),
        harness.request(makePicture, { owner: '1', kind: 'avatar', key: three.key }),
      ])
    breakOff()
    const failed = await uploads()
    expect(failed.map(({ status, headers }) => [status, headers['Retry-After']])).toEqual(
      Array.from({ length: 3 }, () => [503, '5']),
    )
    expect(failed[0]?.body.error).toBe('There was a temporary problem serving your request, please try again')
    fault = null
    expect(await ids()).toEqual(before)
    expect((await upload(png, uploadAttachmentNow)).status).toBe(200)
  },
)

const PAGE = '<html><head><title>Back soon</title></head><body><p>Maintenance</p></body></html>'
/** Answers requests of one kind with the page of a proxy and status 200. */
const answerWithPage = (isAnswered: (incoming: IncomingMessage) => boolean) => {
  fault = (incoming, response) => {
    const { method, url = '' } = incoming
    // The test server has no `AbortMultipartUpload`.
    const isAbort = method === 'DELETE' && url.includes('uploadId=')
    if (!isAbort && !isAnswered(incoming)) return false
    incoming.resume()
    response.writeHead(isAbort ? 204 : 200, { 'content-type': 'text/html' }).end(isAbort ? '' : PAGE)
    return true
  }
}
const isMultipart = ({ method, url = '' }: IncomingMessage) =>
  method === 'POST' && /[?&](?:uploads|uploadId)\b/.test(url)
const keysIn = async (area: string) => (await harness.blobs.list(area)).blobs.map(({ key }) => key).sort()

test('F076 a page of a proxy instead of an answer of the bucket causes 503, and no row and no file', async () => {
  // More than one part of a multipart upload.
  const png = await noise(1_800, 1_800).png({ compressionLevel: 0 }).toBuffer()
  const [one, two] = [await harness.stage(png), await harness.stage(png)]
  const [before, keys] = [await ids(), await keysIn('media/')]
  answerWithPage(isMultipart)
  const failed = await harness.request(uploadAttachmentNow, { file: one })
  expect([failed.status, failed.headers['Retry-After']]).toEqual([503, '5'])
  answerWithPage(({ method, url = '' }) => method === 'GET' && url.includes('/staging/'))
  const unread = await harness.request(uploadAttachmentNow, { file: two })
  expect([unread.status, unread.headers['Retry-After']]).toEqual([503, '5'])
  fault = null
  expect(await ids()).toEqual(before)
  await harness.tick('media.delete-loose-files')
  expect(await keysIn('media/')).toEqual(keys)
})

test('F076 files whose deletion was answered with a page are deleted later', async () => {
  const { id, url } = attachmentOf(await upload(await noise(20, 20).jpeg().toBuffer()))
  const key = harness.keyOf(url ?? '')
  answerWithPage(({ method, url: path = '' }) => method === 'POST' && /[?&]delete\b/.test(path))
  expect((await harness.request(deleteAttachment, { id })).status).toBe(200)
  await harness.tick('media.delete-loose-files').catch(() => undefined)
  fault = null
  expect(await harness.blobs.head(key)).not.toBeNull()
  await harness.tick('media.delete-loose-files')
  expect(await harness.blobs.head(key)).toBeNull()
})
