/** Tests of failures during an upload: full disks, injected faults, and forgotten files. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fail } from '@murmuration/contracts/kit'
import { showAttachment, takeAttachments, uploadAttachment } from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { SOURCE_ARGS } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { receive } from '../src/attachment/receive-upload.js'
import { freshKey } from '../src/core/file/files.js'
import { deleteFiles, storeFiles } from '../src/core/file/store-files.js'
import { insertUnusedFiles } from '../src/core/file/unused.store.js'
import { alice, attachmentOf, type Harness, startHarness } from './harness.js'
import { noise } from './pictures.js'

let harness: Harness
let jpeg: Buffer
beforeAll(async () => {
  jpeg = await noise(40, 30).jpeg().toBuffer()
  harness = await startHarness({
    MEDIA_FFMPEG: 'off',
    FAULT_POINTS: 'media.duringTranscode=throw@2',
  })
})
afterAll(() => harness.stop())

const upload = async () => harness.request(uploadAttachment, { file: await harness.stage(jpeg) })
const rows = () =>
  harness.cluster.db('media').rows<{ original_key: string; small_key: string }>(sql`select * from attachments`)
const stored = async () => (await harness.blobs.list('media/')).blobs.map((blob) => blob.key).sort()

test('F075 a full disk causes 507, leaves no partial file, and recovers', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'full-test-'))
  const script = fileURLToPath(new URL('./full-disk.ts', import.meta.url))
  const full = 'mount -t tmpfs -o size=1m none "$1" && shift && exec "$@"'
  const node = [process.execPath, ...SOURCE_ARGS, script, dir]
  const shell = ['--user', '--map-root-user', '--mount', 'sh', '-c', full, 'sh', dir]
  const { stdout } = await promisify(execFile)('unshare', [...shell, ...node])
  expect(JSON.parse(stdout)).toEqual({
    workDirectory: '507 no_space',
    store: '507 no_space',
    kept: false,
    after: 5,
    left: [],
  })
  await rm(dir, { recursive: true })
})

test('a fault while a picture is drawn, or before its row is stored, leaves no file', async () => {
  const first = attachmentOf(await upload())
  expect((await upload()).status).toBe(500)
  // NUL is a character that PostgreSQL refuses: the files are stored, and the row is not.
  const broken = { file: await harness.stage(jpeg), thumbnail: null, description: 'a\0b' }
  await expect(receive(harness.context(), alice.id, broken, null)).rejects.toThrow()
  expect((await stored()).length).toBe(4)
  await harness.tick('media.delete-loose-files')
  const held = (await rows()).flatMap((row) => [row.original_key, row.small_key])
  expect(await stored()).toEqual(held.sort())
  expect(held).toContain(harness.keyOf(first.url ?? ''))
  expect((await harness.blobs.list('staging/')).blobs).toEqual([])
  const roots = await readdir(harness.temp)
  expect((await Promise.all(roots.map((name) => readdir(join(harness.temp, name))))).flat()).toEqual([])
})

test('F075 a file to which a row refers again is not deleted by an earlier release', async () => {
  const context = harness.context()
  const key = freshKey('media', 'image/jpeg')
  const path = join(harness.temp, 'again')
  await writeFile(path, jpeg)
  const hold = () => storeFiles(context, [{ key, path, mediaType: 'image/jpeg' }], async () => undefined)
  await hold()
  await context.db.tx((tx) => insertUnusedFiles(tx, [key], context.clock.date()))
  await hold()
  await deleteFiles(context, [key])
  expect(await harness.blobs.head(key)).not.toBeNull()
  await context.db.tx((tx) => insertUnusedFiles(tx, [key], context.clock.date()))
  await deleteFiles(context, [key])
  expect(await harness.blobs.head(key)).toBeNull()
  expect(await context.db.rows(sql`select key from loose_files where key = ${key}`)).toEqual([])
  await rm(path)
})

test('an attachment without status is deleted after a day, and one in a status stays', async () => {
  const [loose, held] = [attachmentOf(await upload()), attachmentOf(await upload())]
  await harness.cluster.call(takeAttachments, { owner: alice.id, ids: [held.id], status: '7' })
  const { clock } = harness.context()
  clock.moveTo(23 * 3_600_000)
  await harness.tick('media.discard-unattached')
  expect((await harness.request(showAttachment, { id: loose.id })).status).toBe(200)
  clock.moveTo(25 * 3_600_000)
  await harness.tick('media.discard-unattached')
  clock.moveTo(0)
  expect((await harness.request(showAttachment, { id: loose.id })).status).toBe(404)
  expect((await rows()).map((row) => row.original_key)).toEqual([harness.keyOf(held.url ?? '')])
  expect(await stored()).toEqual([held.url, held.preview_url].map((one) => harness.keyOf(one ?? '')).sort())
})

test('a staged video is kept if the result of its commit is unknown, and deleted if the commit failed', async () => {
  const video = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\0\0\0\0isommif1'), Buffer.alloc(64)])
  const context = harness.context()
  const receiveWith = async (error: Error) => {
    const file = await harness.stage(video)
    const ffmpeg = { ...context.ffmpeg, available: async () => true }
    const db = { ...context.db, tx: () => Promise.reject(error) }
    await expect(receive({ ...context, ffmpeg, db }, alice.id, { file, thumbnail: null }, 'key')).rejects.toBe(error)
    return (await harness.blobs.head(file.key)) !== null
  }
  expect(await receiveWith(fail('unavailable', 'the connection is lost'))).toBe(true)
  expect(await receiveWith(new Error('the statement is wrong'))).toBe(false)
})

/** Puts a folder with content in place of the file of a key, so that the file cannot be deleted. Returns its path. */
const block = async (key: string): Promise<string> => {
  await harness.blobs.put(key, jpeg, { contentType: 'image/jpeg', maxBytes: jpeg.length })
  const folder = harness.cluster.env.BLOB_DIR ?? ''
  const name = key.slice(key.indexOf('/') + 1).replaceAll('/', '+')
  const names = await readdir(folder, { recursive: true })
  const path = join(folder, names.find((one) => one.endsWith(name)) ?? 'x')
  await rm(path)
  await mkdir(join(path, 'inside'), { recursive: true })
  return path
}

test('a file that cannot be deleted is tried again later, and does not keep the others', async () => {
  const { db, clock, files } = harness.context()
  const [bad, good] = [freshKey('media', 'image/jpeg'), freshKey('media', 'image/jpeg')]
  await harness.blobs.put(good, jpeg, { contentType: 'image/jpeg', maxBytes: jpeg.length })
  const path = await block(bad)
  await db.tx((tx) => insertUnusedFiles(tx, [bad, good], clock.date()))
  await harness.tick('media.delete-loose-files')
  const due = sql`select key, due_at > now() + interval '1 hour' as later from loose_files`
  expect(await db.rows(due)).toEqual([{ key: bad, later: true }])
  expect(await files.has(good)).toBe(false)
  await rm(path, { recursive: true })
  clock.moveTo(7 * 3_600_000)
  await harness.tick('media.delete-loose-files')
  clock.moveTo(0)
  expect(await db.rows(due)).toEqual([])
})

test('the tick fails while the store deletes no unused file, and succeeds if a single file cannot be deleted', async () => {
  const { db, clock } = harness.context()
  const key = freshKey('media', 'image/jpeg')
  const paths = [await block(key), await block('media/deletion-probe')]
  await db.tx((tx) => insertUnusedFiles(tx, [key], clock.date()))
  const due = sql`select key, due_at > now() + interval '5 hours' as later from loose_files`
  await expect(harness.tick('media.delete-loose-files')).rejects.toThrow()
  expect(await db.rows(due)).toEqual([{ key, later: false }])
  await rm(paths[1] as string, { recursive: true })
  await harness.tick('media.delete-loose-files')
  expect(await db.rows(due)).toEqual([{ key, later: true }])
  await rm(paths[0] as string, { recursive: true })
  clock.moveTo(7 * 3_600_000)
  await harness.tick('media.delete-loose-files')
  clock.moveTo(0)
  expect(await db.rows(due)).toEqual([])
})

test('uploads in staging that cannot be deleted are logged', async () => {
  const { files, log } = harness.context()
  const sweep = vi.spyOn(files, 'sweepStaging').mockResolvedValue({ deleted: 0, undeleted: 3 })
  const warn = vi.spyOn(log, 'warn')
  await harness.tick('media.sweep-staging')
  expect(warn.mock.calls).toContainEqual([{ undeleted: 3 }, expect.any(String)])
  sweep.mockRestore()
  warn.mockRestore()
})
