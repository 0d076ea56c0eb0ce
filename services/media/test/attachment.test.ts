/** Tests of attachments of local accounts: uploaded, shown, described and deleted. */
import { readdir } from 'node:fs/promises'
import {
  deleteAttachment,
  showAttachment,
  updateAttachment,
  uploadAttachment,
  uploadAttachmentNow,
} from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alice, attachmentOf, bob, type Harness, startHarness } from './harness.js'
import { movingGif, noise, pngBomb, telephoneJpeg } from './pictures.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ MEDIA_FFMPEG: 'off' })
})
afterAll(() => harness.stop())

const staged = async () => (await harness.blobs.list('staging/')).blobs.map((blob) => blob.key)
const upload = async (bytes: Buffer | Uint8Array, more: object = {}, operation = uploadAttachment) =>
  harness.request(operation, { file: await harness.stage(bytes), ...more })

test('S-083 A165 a picture is ready immediately: upright, without metadata, with size, preview and blurhash', async () => {
  const answer = await upload(await telephoneJpeg(), { description: 'A cat', focus: '0.5,-0.25' })
  expect(answer.status).toBe(200)
  const attachment = attachmentOf(answer)
  expect(attachment).toMatchObject({
    type: 'image',
    remote_url: null,
    preview_remote_url: null,
    text_url: null,
    description: 'A cat',
    meta: {
      original: { width: 600, height: 800, size: '600x800', aspect: 0.75 },
      small: { width: 415, height: 554, size: '415x554' },
      focus: { x: 0.5, y: -0.25 },
    },
  })
  expect(attachment.blurhash).toHaveLength(36)
  for (const address of [attachment.url, attachment.preview_url]) {
    const bytes = await harness.read(address ?? '')
    expect(bytes.includes('SECRET-PLACE')).toBe(false)
    const { exif, orientation, format } = await sharp(bytes).metadata()
    expect({ exif, orientation, format }).toEqual({ format: 'jpeg' })
  }
  expect((await harness.blobs.head(harness.keyOf(attachment.url ?? '')))?.contentType).toBe('image/jpeg')
  expect(await staged()).toEqual([])
})

test('API version 1 of uploading has the same response', async () => {
  const answer = await upload(await noise(30, 20).png().toBuffer(), {}, uploadAttachmentNow)
  expect(answer.status).toBe(200)
  expect(attachmentOf(answer)).toMatchObject({
    type: 'image',
    description: null,
    meta: { original: { size: '30x20' } },
  })
})

test('hostile 109 A157 A171 names of files cannot be chosen or guessed', async () => {
  const bytes = await noise(10, 10).webp().toBuffer()
  const [one, two] = [attachmentOf(await upload(bytes)), attachmentOf(await upload(bytes))]
  const name = /\/system\/media\/[0-9a-f]{2}\/([0-9a-f]{38})\.webp$/
  const [a, b] = [one, two].map((each) => name.exec(each.url ?? '')?.[1])
  expect(a).toBeDefined()
  expect(b).toBeDefined()
  expect(a?.slice(0, 8)).not.toBe(b?.slice(0, 8))
})

test('hostile 109 A167 the type of a file depends on its bytes: a picture that is also a page becomes only a picture', async () => {
  const gif = await noise(20, 20).gif().toBuffer()
  const polyglot = Buffer.concat([gif, Buffer.from('<html><script>alert(1)</script>')])
  const attachment = attachmentOf(await upload(polyglot))
  const bytes = await harness.read(attachment.url ?? '')
  expect(attachment.url).toMatch(/\.gif$/)
  expect(bytes.includes('script')).toBe(false)
  expect((await harness.blobs.head(harness.keyOf(attachment.url ?? '')))?.contentType).toBe('image/gif')
})

test('without ffmpeg an animation stays an animation', async () => {
  const attachment = attachmentOf(await upload(await movingGif()))
  expect(attachment.type).toBe('image')
  expect((await sharp(await harness.read(attachment.url ?? '')).metadata()).pages).toBe(4)
})

test('D051 D052 A161 A163 A164 A172 an unsupported file is refused, and no file stays', async () => {
  const ftyp = (brand: string) =>
    Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0${brand}mif1`), Buffer.alloc(64)])
  const unknown = 'File type of uploaded media could not be verified'
  const unsupported = (type: string) => `Validation failed: File content type ${type} is not supported here`
  const cases: [Buffer, string][] = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), unknown],
    [Buffer.from('<?xml version="1.0"?><!DOCTYPE svg><svg/>'), unknown],
    [await noise(9, 9).tiff().toBuffer(), unknown],
    [Buffer.from('<!DOCTYPE html><script>1</script>'), unknown],
    [Buffer.from('%PDF-1.7 and more and more and more'), unknown],
    [Buffer.from('{"@context":"https://www.w3.org/ns/activitystreams","type":"Create"}'), unknown],
    [Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), unknown],
    [Buffer.from('BM'.padEnd(200, 'x')), unknown],
    [Buffer.alloc(0), unknown],
    [Buffer.from('RIFF\0\0\0\0AVI LIST'.padEnd(300, '\0')), unknown],
    [ftyp('heic'), unsupported('image/heic')],
    [ftyp('avif'), unsupported('image/avif')],
    [ftyp('isom'), unsupported('video/mp4')],
    [Buffer.concat([Buffer.from('ID3'), Buffer.alloc(200)]), unsupported('audio/mpeg')],
    [
      (await noise(300, 200).jpeg().toBuffer()).subarray(0, 4_000),
      'Error processing thumbnail for uploaded media: the file is damaged or incomplete',
    ],
    [Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 3)]), unknown],
    [await pngBomb(50_000, 50_000), '50000x50000 images are not supported'],
  ]
  const before = (await harness.cluster.db('media').rows(sql`select id from attachments`)).length
  const answers = await Promise.all(cases.map(([bytes]) => upload(bytes)))
  expect(answers.map(({ status, body }) => [status, body.error, body.code])).toEqual(
    cases.map(([, text]) => [422, text, 'unprocessable']),
  )
  expect(await staged()).toEqual([])
  expect(await harness.cluster.db('media').rows(sql`select id from attachments`)).toHaveLength(before)
  expect((await readdir(harness.temp)).length).toBeLessThanOrEqual(1)
})

test('absent files, large files, long texts and wrong numbers cause errors that name the field', async () => {
  const jpeg = await noise(20, 20).jpeg().toBuffer()
  const large = Buffer.concat([jpeg, Buffer.alloc(16_777_216 - jpeg.length)])
  const errors = await Promise.all([
    harness.request(uploadAttachment, {}),
    upload(large),
    upload(jpeg, { description: '🐈'.repeat(10_001) }),
    upload(jpeg, { focus: 'left' }),
  ])
  expect(errors.map(({ status, body }) => [status, body.error])).toEqual([
    [422, "Validation failed: File can't be blank"],
    [422, 'Validation failed: File size must be less than 16 MB'],
    [422, 'Validation failed: Description is too long (maximum is 10000 characters)'],
    [422, 'Validation failed: Focus must be two numbers from -1 to 1, such as 0.5,-0.25'],
  ])
  expect((await upload(large.subarray(0, -1))).status).toBe(200)
  expect((await upload(jpeg, { description: '🐈'.repeat(10_000), focus: '-3,9' })).body.meta.focus).toEqual({
    x: -1,
    y: 1,
  })
})

test('only files that the gateway staged are accepted', () => {
  const key = 'media/3f/9c.jpg'
  const parsed = uploadAttachment.input.safeParse({ file: { key, size: 1, type: 'image/png', name: 'x' } })
  expect(parsed.success).toBe(false)
})

test('the same idempotency key gives one attachment, also for concurrent requests', async () => {
  const bytes = await noise(50, 50).jpeg().toBuffer()
  const files = await Promise.all([harness.stage(bytes), harness.stage(bytes), harness.stage(bytes)])
  const key = 'once'
  const [one, two] = await Promise.all(
    files.slice(0, 2).map((file) => harness.request(uploadAttachment, { file }, alice, { key })),
  )
  const three = await harness.request(uploadAttachment, { file: files[2] }, alice, { key })
  expect([one?.body.id, two?.body.id]).toEqual([three.body.id, three.body.id])
  const other = await harness.request(uploadAttachment, { file: await harness.stage(bytes) }, bob, { key })
  expect(other.body.id).not.toBe(three.body.id)
  expect(await staged()).toEqual([])
})

test('S-100 an attachment is shown to its owner until a status contains it', async () => {
  const { id } = attachmentOf(await upload(await noise(20, 20).jpeg().toBuffer()))
  const shown = await harness.request(showAttachment, { id })
  expect([shown.status, shown.body.id]).toEqual([200, id])
  expect(showAttachment.http.map((route) => `${route.method} ${route.path}`)).toEqual([
    'GET /api/v1/media/:id',
    'GET /api/v2/media/:id',
    'GET /api/v2/media',
  ])
  await harness.cluster.db('media').run(sql`update attachments set state = 'processing' where id = ${id}`)
  expect((await harness.request(showAttachment, { id })).status).toBe(206)
  expect((await harness.request(updateAttachment, { id, description: 'later' })).status).toBe(206)
  await harness.cluster.db('media').run(sql`update attachments set state = 'failed' where id = ${id}`)
  const failed = await harness.request(showAttachment, { id })
  expect([failed.status, failed.body.error]).toEqual([422, 'Error processing thumbnail for uploaded media'])
  await harness.cluster.db('media').run(sql`update attachments set state = 'done', status = 5 where id = ${id}`)
  const held = await harness.request(showAttachment, { id })
  expect([held.status, held.body.error]).toEqual([404, 'Record not found'])
  expect((await harness.request(updateAttachment, { id, description: 'x' })).status).toBe(404)
  const deleted = await harness.request(deleteAttachment, { id })
  expect([deleted.status, deleted.body.error]).toEqual([422, 'Media attachment is currently used by a status'])
})

test('S-107 an attachment of a scheduled status can be changed, and cannot be deleted', async () => {
  const { id } = attachmentOf(await upload(await noise(20, 20).jpeg().toBuffer(), { description: 'one' }))
  await harness.cluster.db('media').run(sql`update attachments set status = 5, scheduled = true where id = ${id}`)
  const changed = await harness.request(updateAttachment, { id, description: 'two' })
  expect([changed.status, changed.body.description]).toEqual([200, 'two'])
  expect((await harness.request(showAttachment, { id })).body.description).toBe('two')
  expect((await harness.request(deleteAttachment, { id })).status).toBe(422)
})

test('A059 other accounts cannot read, change or delete an attachment', async () => {
  const { id } = attachmentOf(await upload(await noise(20, 20).jpeg().toBuffer(), { description: 'mine' }))
  const tries = [
    await harness.request(showAttachment, { id }, bob),
    await harness.request(updateAttachment, { id, description: 'yours' }, bob),
    await harness.request(deleteAttachment, { id }, bob),
    await harness.request(showAttachment, { id: '77' }, bob),
  ]
  for (const { status, body } of tries) expect([status, body.error]).toEqual([404, 'Record not found'])
  expect((await harness.request(showAttachment, { id })).body.description).toBe('mine')
})

test('description and focus change separately and together, and an empty description is removed', async () => {
  const { id } = attachmentOf(await upload(await noise(20, 20).jpeg().toBuffer(), { description: 'one' }))
  expect((await harness.request(updateAttachment, { id, focus: '0.1,0.2' })).body).toMatchObject({
    description: 'one',
    meta: { focus: { x: 0.1, y: 0.2 } },
  })
  const two = await harness.request(updateAttachment, { id, description: 'two' })
  expect(two.body).toMatchObject({ description: 'two', meta: { focus: { x: 0.1, y: 0.2 } } })
  expect((await harness.request(updateAttachment, { id, description: '' })).body.description).toBeNull()
})

test('D056 the deletion of an attachment deletes all its files', async () => {
  const attachment = attachmentOf(await upload(await noise(20, 20).jpeg().toBuffer()))
  const keys = [attachment.url, attachment.preview_url].map((address) => harness.keyOf(address ?? ''))
  const deleted = await harness.request(deleteAttachment, { id: attachment.id })
  expect([deleted.status, deleted.body]).toEqual([200, {}])
  expect(await Promise.all(keys.map((key) => harness.blobs.head(key)))).toEqual([null, null])
  expect((await harness.request(deleteAttachment, { id: attachment.id })).status).toBe(404)
  const loose = sql`select key from loose_files where key = any(${keys}::text[])`
  expect(await harness.cluster.db('media').rows(loose)).toEqual([])
})
