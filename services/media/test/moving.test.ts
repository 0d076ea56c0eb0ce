/** Tests of videos, sounds and animations: received immediately, processed by the worker, and failed after a time limit. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  attachmentRecords,
  deleteAttachment,
  processMediaJob,
  releaseAttachments,
  showAttachment,
  takeAttachments,
  updateAttachment,
  uploadAttachment,
  uploadAttachmentNow,
} from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { process as processUpload } from '../src/attachment/process.job.js'
import { receive } from '../src/attachment/receive-upload.js'
import { noSpace } from '../src/core/file/work-directory.js'
import { alice, attachmentOf, type Harness, startHarness } from './harness.js'
import { movingGif, noise } from './pictures.js'
import { encryptedMp4, makeStandIn, ogg, type StandIn, webm } from './stand-in.js'

let dir: string
let harness: Harness
let standIn: StandIn
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'moving-test-'))
  standIn = await makeStandIn(dir)
  harness = await startHarness(standIn.env)
})
afterAll(async () => {
  await harness.stop()
  await rm(dir, { recursive: true })
})

const upload = async (bytes: Buffer, more: object = {}, operation = uploadAttachment) =>
  harness.request(operation, { file: await harness.stage(bytes), ...more })
const shown = (id: string) => harness.request(showAttachment, { id })
const staged = async () => (await harness.blobs.list('staging/')).blobs

test('S-083 S-101 a video gives 202 without address, then 206, then 200', async () => {
  const answer = await upload(webm('BRIEF'), { description: 'A film' })
  expect([answer.status, answer.body.url, answer.body.preview_url]).toEqual([202, null, null])
  const { id } = attachmentOf(answer)
  expect((await shown(id)).status).toBe(206)
  const taken = await harness.cluster.call(takeAttachments, { owner: alice.id, ids: [id], status: '1' })
  expect(taken).toEqual({ taken: [], missing: [], unprocessed: [id] })
  const edited = await harness.request(updateAttachment, { id, description: 'A long film' })
  expect([edited.status, edited.body.description]).toEqual([206, 'A long film'])
  await harness.cluster.waitForIdle()
  const done = await shown(id)
  expect(done.status).toBe(200)
  const attachment = attachmentOf(done)
  expect(attachment).toMatchObject({
    type: 'video',
    description: 'A long film',
    meta: {
      original: { width: 640, height: 360, frame_rate: '30/1', duration: 4.5, bitrate: 600_000 },
      small: { width: 320, height: 180, size: '320x180' },
    },
  })
  expect(attachment.url).toMatch(/\.mp4$/)
  expect((await sharp(await harness.read(attachment.preview_url ?? '')).metadata()).format).toBe('png')
  expect(attachment.blurhash).toHaveLength(36)
  expect(await staged()).toEqual([])
})

test('a video without sound becomes a `gifv`, which accepts a new cover', async () => {
  const answer = await upload(webm('SILENT'))
  expect([answer.status, answer.body.type]).toEqual([202, 'video'])
  await harness.cluster.waitForIdle()
  const done = attachmentOf(await shown(answer.body.id))
  expect(done).toMatchObject({ type: 'gifv', meta: { original: { duration: 4.5, frame_rate: '30/1' } } })
  const thumbnail = await harness.stage(await noise(900, 900).jpeg().toBuffer())
  const changed = attachmentOf(await harness.request(updateAttachment, { id: done.id, thumbnail }))
  expect(changed).toMatchObject({ type: 'gifv', meta: { small: { width: 640, height: 640 } } })
  expect(changed.preview_url).not.toBe(done.preview_url)
})

test('S-083 S-101 a sound gives 202 without address, then 206, then 200', async () => {
  const answer = await upload(ogg())
  expect([answer.status, answer.body.type, answer.body.url]).toEqual([202, 'audio', null])
  expect((await shown(answer.body.id)).status).toBe(206)
  await harness.cluster.waitForIdle()
  const done = await shown(answer.body.id)
  expect([done.status, done.body.url]).toEqual([200, expect.stringMatching(/\.mp3$/)])
})

test('API version 1 of uploading waits until the video is processed', async () => {
  const answer = await upload(webm(), {}, uploadAttachmentNow)
  expect(answer.status).toBe(200)
  expect(attachmentOf(answer).url).toMatch(/\.mp4$/)
  const failed = await upload(webm('BROKEN'), {}, uploadAttachmentNow)
  expect([failed.status, failed.body.error]).toEqual([422, 'Error processing thumbnail for uploaded media'])
})

test('covers that concurrent changes replace are deleted', async () => {
  const { id } = attachmentOf(await upload(ogg(), {}, uploadAttachmentNow))
  const cover = async () => harness.stage(await noise(300, 300).jpeg().toBuffer())
  const first = await harness.request(updateAttachment, { id, thumbnail: await cover() })
  const stored = async () => (await harness.blobs.list('media/')).blobs
  const before = (await stored()).length
  const row = await holding(harness.cluster.db('media'), sql`select 1 from attachments where id = ${id} for update`)
  const thumbnails = await Promise.all([cover(), cover()])
  const changes = thumbnails.map((thumbnail) => harness.request(updateAttachment, { id, thumbnail }))
  await row.queued(2)
  await row.letGo()
  expect((await Promise.all(changes)).map((change) => change.status)).toEqual([200, 200])
  const kept = attachmentOf(await shown(id))
  expect((await stored()).length).toBe(before)
  expect(await harness.blobs.head(harness.keyOf(kept.preview_url ?? ''))).not.toBeNull()
  expect(await harness.blobs.head(harness.keyOf(first.body.preview_url))).toBeNull()
})

test('a sound has no preview unless its owner uploads one, which also gives colours', async () => {
  const bare = attachmentOf(await upload(ogg(), {}, uploadAttachmentNow))
  expect(bare).toMatchObject({
    type: 'audio',
    preview_url: null,
    blurhash: null,
    meta: { original: { bitrate: 600_000 } },
  })
  expect(bare.meta).not.toHaveProperty('small')
  const cover = await noise(900, 900).jpeg().toBuffer()
  const covered = await upload(ogg(), { thumbnail: await harness.stage(cover) }, uploadAttachmentNow)
  expect(attachmentOf(covered).meta).toMatchObject({
    small: { width: 640, height: 640 },
    colors: { background: expect.stringMatching(/^#[0-9a-f]{6}$/) },
  })
  const changed = await harness.request(updateAttachment, {
    id: bare.id,
    thumbnail: await harness.stage(cover),
    description: 'Song',
  })
  expect(attachmentOf(changed)).toMatchObject({ description: 'Song', blurhash: null, meta: { small: { width: 640 } } })
  const again = await harness.request(updateAttachment, { id: bare.id, thumbnail: await harness.stage(cover) })
  const old = harness.keyOf(changed.body.preview_url)
  expect(again.body.preview_url).not.toBe(changed.body.preview_url)
  expect(await harness.blobs.head(old)).toBeNull()
  const thumbnail = await harness.stage(cover)
  const edits = [{ id: bare.id, description: 'In a status', thumbnail }]
  const inStatus = { owner: alice.id, ids: [bare.id], status: '77' }
  const held = await harness.cluster.call(takeAttachments, { ...inStatus, edits })
  expect(held.taken[0]).toMatchObject({ description: 'In a status', blurhash: null })
  expect(held.taken[0]?.preview_url).not.toBe(again.body.preview_url)
  expect(await harness.blobs.head(harness.keyOf(again.body.preview_url))).toBeNull()
  expect(await harness.blobs.head(harness.keyOf(held.taken[0]?.preview_url ?? ''))).not.toBeNull()
  const broken = { id: bare.id, description: 'never', thumbnail: await harness.stage(Buffer.from('no picture')) }
  await expect(harness.cluster.call(takeAttachments, { ...inStatus, edits: [broken] })).rejects.toMatchObject({
    status: 422,
  })
  const foreign = [{ ...broken, thumbnail: await harness.stage(cover) }]
  const refused = await harness.cluster.call(takeAttachments, { ...inStatus, status: '78', edits: foreign })
  expect(refused).toMatchObject({ taken: [], missing: [bare.id] })
  const now = await harness.cluster.call(attachmentRecords, { ids: [bare.id] })
  expect(now.records).toEqual(held.taken)
  await harness.cluster.call(releaseAttachments, { status: '77' })
  const wrong = await harness.request(updateAttachment, {
    id: bare.id,
    thumbnail: await harness.stage(Buffer.from('no picture at all')),
  })
  expect([wrong.status, wrong.body.error]).toEqual([
    422,
    'Validation failed: Thumbnail content type is not supported: it must be jpeg, png, gif or webp',
  ])
  expect(await staged()).toEqual([])
})

test('an upload with an invalid cover is refused, and a cover for a picture is ignored', async () => {
  const text = Buffer.from('no picture at all')
  const refused = await upload(webm(), { thumbnail: await harness.stage(text) })
  expect([refused.status, refused.body.error]).toEqual([
    422,
    'Validation failed: Thumbnail content type is not supported: it must be jpeg, png, gif or webp',
  ])
  const jpeg = await noise(20, 20).jpeg().toBuffer()
  expect((await upload(jpeg, { thumbnail: await harness.stage(text) })).status).toBe(200)
  expect((await upload(await movingGif(), { thumbnail: await harness.stage(text) })).status).toBe(202)
  await harness.cluster.waitForIdle()
  expect(await staged()).toEqual([])
})

test('S-083 an animation becomes a silent video after a response of 202, and a still picture stays a picture', async () => {
  const moving = await upload(await movingGif())
  expect([moving.status, moving.body.type, moving.body.url]).toEqual([202, 'gifv', null])
  expect((await shown(moving.body.id)).status).toBe(206)
  await harness.cluster.waitForIdle()
  expect(attachmentOf(await shown(moving.body.id))).toMatchObject({ type: 'gifv' })
  const still = await upload(await noise(30, 20).gif().toBuffer())
  expect([still.status, still.body.type]).toEqual([200, 'image'])
  const large = await upload(await movingGif(1_300, 800, 2))
  expect([large.status, large.body.error]).toEqual([422, '1300x800 images are not supported'])
})

test('A159 encrypted, large and unreadable files fail permanently with a reason', async () => {
  const ids = await Promise.all(
    [encryptedMp4(), webm('LARGE'), webm('UNREADABLE'), webm('BROKEN')].map(
      async (bytes) => (await upload(bytes)).body.id,
    ),
  )
  await harness.cluster.waitForIdle()
  const answers = await Promise.all(ids.map(shown))
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
    [
      'File type of uploaded media could not be verified',
      '7680x4320 videos are not supported',
      'Error processing thumbnail for uploaded media',
      'Error processing thumbnail for uploaded media',
    ].map((text) => [422, text]),
  )
  const dead = await harness.cluster.db('media').rows(sql`select reason from dead_letters`)
  expect([dead, await staged()]).toEqual([[], []])
})

test('a file whose converted form is larger than an upload may be is stored', async () => {
  const answer = await upload(webm('BULKY'))
  await harness.cluster.waitForIdle()
  const done = attachmentOf(await shown(answer.body.id))
  expect(await harness.blobs.head(harness.keyOf(done.url ?? ''))).toMatchObject({ size: 150_000_000 })
})

test('a file whose converted form exceeds the limit fails with the limit, also if ffmpeg stopped there', async () => {
  const ids = await Promise.all(
    [webm('OVERSIZE'), webm('STOPPED'), ogg('STOPPED')].map(async (bytes) => (await upload(bytes)).body.id),
  )
  await harness.cluster.waitForIdle()
  const answers = await Promise.all(ids.map(shown))
  const text = 'Error processing thumbnail for uploaded media: the converted file is not smaller than 396 MB'
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual(ids.map(() => [422, text]))
  expect(await staged()).toEqual([])
})

test('a file whose transcoder was ended from outside is processed again', async () => {
  const { id } = (await upload(webm('ONCE'))).body
  await expect.poll(() => standIn.slept()).toBe(true)
  harness.context().ffmpeg.close()
  await harness.cluster.waitForIdle()
  expect((await shown(id)).status).toBe(200)
})

test.each([
  [
    'whose transcoder is always killed',
    3,
    'KILLED',
    'unavailable',
    ': processing was stopped several times, possibly for lack of memory',
  ],
  ['for which the disk is always full', processMediaJob.retry.times, 'FULL', 'no_space', ''],
])('a file %s fails after %d tries, with a line in the log', async (_what, most, says, code, reason) => {
  const ctx = harness.context()
  const file = await harness.stage(webm(says))
  // The job is run here, without the pauses of the queue.
  const queue = vi.spyOn(ctx, 'queue').mockResolvedValue(undefined as never)
  const row = await receive(ctx, alice.id, { file, thumbnail: null }, null).finally(() => queue.mockRestore())
  const log = vi.spyOn(ctx.log, 'error').mockReturnValue(undefined)
  const full = vi.spyOn(ctx.ffmpeg, 'transcode')
  if (code === 'no_space') full.mockRejectedValue(noSpace())
  try {
    for (const tries of [1, most - 1])
      await expect(processUpload.run(ctx, { id: row.id }, { id: 'x', tries })).rejects.toMatchObject({ code })
    expect((await shown(row.id)).status).toBe(206)
    expect(log).not.toHaveBeenCalled()
    await processUpload.run(ctx, { id: row.id }, { id: 'x', tries: most })
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ attachment: row.id }), expect.anything())
  } finally {
    log.mockRestore()
    full.mockRestore()
  }
  const failed = await shown(row.id)
  expect([failed.status, failed.body.error]).toEqual([422, `Error processing thumbnail for uploaded media${reason}`])
  expect(await staged()).toEqual([])
})

test('a file for which the disk stays full is given up before its time limit, with a line in the log', async () => {
  const ctx = harness.context()
  const file = await harness.stage(webm('FULL'))
  // The job is run here, without the pauses of the queue.
  const queue = vi.spyOn(ctx, 'queue').mockResolvedValue(undefined as never)
  const row = await receive(ctx, alice.id, { file, thumbnail: null }, null).finally(() => queue.mockRestore())
  const log = vi.spyOn(ctx.log, 'error').mockReturnValue(undefined)
  const full = vi.spyOn(ctx.ffmpeg, 'transcode').mockRejectedValue(noSpace())
  const fifth = () => processUpload.run(ctx, { id: row.id }, { id: 'x', tries: 5 })
  try {
    ctx.clock.moveTo(4 * 60_000)
    await expect(fifth()).rejects.toMatchObject({ code: 'no_space' })
    // Each try took about a minute, so that the sixth would begin after the time limit of 15 minutes.
    ctx.clock.moveTo(6 * 60_000)
    await fifth()
    expect(log.mock.calls).toEqual([
      [expect.objectContaining({ attachment: row.id }), 'an upload was given up, because the disk stayed full'],
    ])
  } finally {
    ctx.clock.moveTo(0)
    log.mockRestore()
    full.mockRestore()
  }
  expect((await shown(row.id)).status).toBe(422)
  expect(await staged()).toEqual([])
})

test('F075 a file is processed again if the disk was full during its conversion', async () => {
  const { id } = (await upload(webm('FULL'))).body
  await harness.cluster.waitForIdle()
  expect((await shown(id)).status).toBe(200)
  expect(await staged()).toEqual([])
})

test('a file that exceeds the time limit of conversion fails with that limit', async () => {
  const hasty = await startHarness({ ...standIn.env, MEDIA_TRANSCODE_SECONDS: '1' })
  try {
    const { id } = (await hasty.request(uploadAttachment, { file: await hasty.stage(webm('SLOW')) })).body
    await hasty.cluster.waitForIdle()
    const failed = await hasty.request(showAttachment, { id })
    const text = 'Error processing thumbnail for uploaded media: the file was not processed within 1 seconds'
    expect([failed.status, failed.body.error]).toEqual([422, text])
  } finally {
    await hasty.stop()
  }
})

test('D055 the transcoder reads one file of one format, with limits that the kernel enforces', async () => {
  await upload(webm(), {}, uploadAttachmentNow)
  const log = await standIn.log()
  expect(log).toMatch(/ffmpeg .*-protocol_whitelist file,pipe -format_whitelist matroska .*-f matroska -i file:in /)
  expect(log).toMatch(/Max address space +3221225472 /)
  expect(log).toMatch(/Max file size +482344960 /)
  expect(log).toMatch(/Max core file size +0 /)
})

test('an attachment deleted during its processing stays deleted, and no file stays', async () => {
  const { id } = (await upload(webm('BRIEF'))).body
  await expect.poll(standIn.log).toMatch(/BRIEF|ffmpeg/)
  expect((await harness.request(deleteAttachment, { id })).status).toBe(200)
  await harness.cluster.waitForIdle()
  expect((await shown(id)).status).toBe(404)
  await harness.tick('media.delete-loose-files')
  const held = await harness.cluster
    .db('media')
    .rows<{ key: string }>(sql`select unnest(array[original_key, small_key]) as key from attachments`)
  const stored = (await harness.blobs.list('media/')).blobs.map((blob) => blob.key)
  expect(stored.filter((key) => !held.some((row) => row.key === key))).toEqual([])
  const [root = ''] = await readdir(harness.temp)
  expect(root ? await readdir(join(harness.temp, root)) : []).toEqual([])
})

test('F008 an attachment that is not processed within 15 minutes fails', async () => {
  const { id } = (await upload(webm('SLOW'))).body
  await harness.tick('media.fail-overdue')
  expect((await shown(id)).status).toBe(206)
  const { clock, log } = harness.context()
  clock.moveTo(16 * 60_000)
  const warned = vi.spyOn(log, 'warn').mockReturnValue(undefined)
  await harness.tick('media.fail-overdue')
  expect(warned).toHaveBeenCalledWith({ attachments: [id] }, expect.anything())
  warned.mockRestore()
  clock.moveTo(0)
  const failed = await shown(id)
  expect([failed.status, failed.body.error]).toEqual([
    422,
    'Error processing thumbnail for uploaded media: the file was not processed within 900 seconds',
  ])
  // Killed work is repeated after a pause, and then finds that the attachment has failed. The program may start only now,
  // so it is killed repeatedly.
  const killing = setInterval(() => harness.context().ffmpeg.close(), 500)
  await harness.cluster.waitForIdle().finally(() => clearInterval(killing))
})
