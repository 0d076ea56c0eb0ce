/** Tests of the maintenance of stored files: usage, old copies, files without a row, renewed copies, and lookup by address. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from '@murmuration/contracts/kit'
import {
  attachmentCards,
  deletePictures,
  lookupMedia,
  makePicture,
  mediaTaskStarted,
  mediaUsage,
  proxyUrls,
  putRemoteAttachments,
  refreshMedia,
  removeMedia,
  removeOrphanedMedia,
  showMediaTask,
  showProxied,
  uploadAttachmentNow,
} from '@murmuration/contracts/media'
import type { Task } from '@murmuration/contracts/task'
import { sql } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { startS3Server } from '@murmuration/testkit/outside/s3-server'
import { type Received, type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { copiesBefore, heldFiles, ownerOfFile } from '../src/upkeep/store.js'
import { alice, attachmentOf, type Harness, startHarness } from './harness.js'
import { telephoneJpeg } from './pictures.js'

const DAY = 86_400_000
let dir: string
let harness: Harness
let remote: WebServer
let requests: Received[] = []
let image: StubResponse
let isDown = false

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'upkeep-test-'))
  const authority = createAuthority()
  await writeFile(join(dir, 'ca.pem'), authority.certificate)
  image = { status: 200, headers: { 'content-type': 'image/jpeg' }, body: await telephoneJpeg(120, 80) }
  remote = await serve(
    (request) => {
      requests.push(request)
      return isDown ? { status: 503 } : image
    },
    { tls: authority.issue(['127.0.0.1']) },
  )
  harness = await startHarness({
    MEDIA_FFMPEG: 'off',
    OUTBOUND_ALLOW_ADDRESSES: '127.0.0.1/32',
    EXTRA_CA_FILE: join(dir, 'ca.pem'),
  })
  await harness.rule()
})
afterAll(async () => {
  await harness.stop()
  await remote.close()
  await rm(dir, { recursive: true })
})
beforeEach(async () => {
  requests = []
  isDown = false
  await harness.cluster.waitForIdle()
  await harness.clearFound()
})

const call: Harness['cluster']['call'] = (...args) => harness.cluster.call(...args)
const db = () => harness.cluster.db('media')
const ended = async ({ id }: Task): Promise<Task> => {
  await harness.cluster.waitForIdle()
  return call(showMediaTask, { id })
}
let statuses = 0
const put = async (path: string, more: { owner?: string; domain?: string } = {}) => {
  const status = String(1_000 + ++statuses)
  const file = { media_type: 'image/jpeg', description: null, blurhash: null, width: null, height: null, focus: null }
  const { ids } = await call(putRemoteAttachments, {
    owner: '99',
    status,
    ...more,
    attachments: [{ url: `${remote.origin}${path}`, ...file }],
  })
  await harness.cluster.waitForIdle()
  return { id: ids[0] ?? '', status }
}
const card = async (id: string) => JSON.parse((await call(attachmentCards, { ids: [id] })).get(id) ?? '{}')
const upload = async () =>
  attachmentOf(await harness.request(uploadAttachmentNow, { file: await harness.stage(await telephoneJpeg(200, 100)) }))
const has = async (key: string) => (await harness.blobs.head(key)) !== null

test('usage adds up local and remote files by kind', async () => {
  await upload()
  await put('/usage.jpg')
  const task = await ended(await call(mediaUsage, {}))
  const sizes = await db().row<{ bytes: string }>(sql`select (select sum(size) from attachments) +
    coalesce((select sum(size) from pictures), 0) as bytes`)
  expect(task).toMatchObject({ state: 'done', dry_run: true, seen: 2 })
  expect(task.notes.local_attachments).toBeGreaterThan(0)
  expect(task.notes.remote_attachments).toBeGreaterThan(0)
  expect(Object.values(task.notes).reduce((sum, one) => sum + one, 0)).toBe(Number(sizes?.bytes))
})

test('old copies are removed with their files, and a dry run counts the same', async () => {
  const { id } = await put('/old.jpg')
  const local = await upload()
  await db().run(sql`update attachments set cached_at = now() - interval '9 days' where id = ${id}`)
  const fresh = await put('/fresh.jpg')
  const { url } = await card(id)
  expect(await has(harness.keyOf(url))).toBe(true)
  const counted = await ended(await call(removeMedia, { days: '7', dry_run: true }))
  expect(counted).toMatchObject({ state: 'done', changed: 1 })
  expect(await has(harness.keyOf(url))).toBe(true)
  const removed = await ended(await call(removeMedia, { days: 7 }))
  expect([removed.changed, removed.bytes]).toEqual([1, counted.bytes])
  await expect.poll(() => has(harness.keyOf(url))).toBe(false)
  expect((await card(id)).url).toContain('/media_proxy/')
  expect((await card(fresh.id)).url).toContain('/system/')
  expect(await has(harness.keyOf(local.url ?? ''))).toBe(true)
  const acts = await db().rows<{ data: string }>(
    sql`select data from outbox where subject = ${mediaTaskStarted.subject} order by id`,
  )
  expect(acts.map((row) => JSON.parse(row.data).action)).toEqual(['remove_media'])
})

test('more copies than a chunk are removed completely', async () => {
  await db().run(sql`insert into attachments (id, owner, status, domain, created_at, cached_at, remote_url, type, media_type,
      state, original_key, size)
    select n, 5, n, 'many.example', '2020-01-01', '2020-01-01', 'https://many.example/' || n, 'image', 'image/jpeg', 'cached',
      'cache/a' || n || '-' || repeat('0', 40), 10 from generate_series(1, 1200) n`)
  expect(await ended(await call(removeMedia, { dry_run: true }))).toMatchObject({ changed: 1_200, bytes: 12_000 })
  expect(await ended(await call(removeMedia, {}))).toMatchObject({ changed: 1_200, bytes: 12_000 })
  expect(await ended(await call(removeMedia, {}))).toMatchObject({ changed: 0 })
})

const orphansOf = async (some: Harness) => {
  const one = async (key: string) => {
    await some.blobs.put(key, Buffer.from('lost'), { contentType: 'image/jpeg', maxBytes: 100 })
    return key
  }
  const lost = await Promise.all(
    ['media/00/a.jpg', 'avatars/00/a.png', `cache/a9-${'1'.repeat(40)}`, `cache/p9-${'1'.repeat(40)}`].map(one),
  )
  const kept = await one('archives/00/a.zip')
  const held = attachmentOf(
    await some.request(uploadAttachmentNow, { file: await some.stage(await telephoneJpeg(200, 100)) }),
  )
  const left = async () => {
    const heads = await Promise.all([...lost, kept].map((key) => some.blobs.head(key)))
    return [...lost, kept].filter((_, n) => heads[n] !== null)
  }
  return { lost, kept, held, left }
}

test('files without a row are removed when they are older than a day, and files with a row never', async () => {
  const { id } = await put('/held.jpg')
  const avatar = await call(makePicture, {
    owner: '1',
    kind: 'avatar',
    key: (await harness.stage(await telephoneJpeg(100, 100))).key,
  })
  const { lost, kept, held, left } = await orphansOf(harness)
  const remove = async (dry_run: boolean) => ended(await call(removeOrphanedMedia, { dry_run }))
  expect(await remove(false)).toMatchObject({ state: 'done', changed: 0 })
  harness.context().clock.moveTo(2 * DAY)
  expect(await remove(true)).toMatchObject({ changed: lost.length, bytes: 4 * lost.length })
  expect(await left()).toEqual([...lost, kept])
  expect(await remove(false)).toMatchObject({ changed: lost.length, bytes: 4 * lost.length })
  await expect.poll(left).toEqual([kept])
  const { url, preview_url } = await card(id)
  for (const address of [url, preview_url, held.url, held.preview_url, avatar.url])
    expect(await has(harness.keyOf(address ?? ''))).toBe(true)
  harness.context().clock.moveTo(0)
})

test('files without a row are removed from a bucket, too', async () => {
  const bucket = await startS3Server()
  const other = await startHarness({
    MEDIA_FFMPEG: 'off',
    S3_ENABLED: 'true',
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    AWS_ACCESS_KEY_ID: bucket.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  })
  try {
    const { lost, kept, left } = await orphansOf(other)
    other.context().clock.moveTo(2 * DAY)
    const { id } = await other.cluster.call(removeOrphanedMedia, {})
    await other.cluster.waitForIdle()
    expect(await other.cluster.call(showMediaTask, { id })).toMatchObject({ state: 'done', changed: lost.length })
    await expect.poll(left).toEqual([kept])
  } finally {
    await other.stop()
    await bucket.close()
  }
})

test('attachments without a copy are fetched again, of a status, an account, a server or of the last days', async () => {
  isDown = true
  const domain = 'sub.refresh.example'
  const first = await put('/first.jpg', { owner: '501', domain })
  await put('/second.jpg', { owner: '502', domain })
  isDown = false
  requests = []
  const refresh = async (input: object) => ended(await call(refreshMedia, input))
  expect(await refresh({ domain: 'refresh.example', dry_run: true })).toMatchObject({ changed: 2 })
  expect(requests).toEqual([])
  expect(await refresh({ status_id: first.status })).toMatchObject({ state: 'done', seen: 1, changed: 1 })
  expect((await card(first.id)).url).toContain('/system/')
  expect(await refresh({ account_id: '502' })).toMatchObject({ changed: 1 })
  expect(await refresh({ domain: 'refresh.example' })).toMatchObject({ changed: 0 })
  await harness.clearFound()
  expect(await refresh({ account_id: '502', force: true })).toMatchObject({ changed: 1, seen: 1 })
  expect(requests.filter((one) => one.path === '/second.jpg').length).toBeGreaterThan(1)
  expect((await refresh({ days: 1, dry_run: true, force: true })).changed).toBeGreaterThan(2)
  await expect(call(refreshMedia, {})).rejects.toMatchObject({ code: 'unprocessable' })
  isDown = true
  const third = await put('/third.jpg', { owner: '503' })
  expect(await refresh({ status_id: third.status })).toMatchObject({ changed: 0, notes: { unavailable: 1 } })
})

test('a copy that could not be fetched again is kept', async () => {
  const { id } = await put('/kept.jpg', { owner: '504' })
  const before = await card(id)
  const unused = sql`select key from loose_files`
  const { files } = harness.context()
  const store = vi.spyOn(files, 'store').mockRejectedValueOnce(fail('unavailable', 'the disk refuses writes'))
  await harness.clearFound()
  const refresh = () => call(refreshMedia, { account_id: '504', force: true }).then(ended)
  expect(await refresh()).toMatchObject({ changed: 0, notes: { unavailable: 1 } })
  store.mockRestore()
  expect(await harness.cluster.db('media').rows(unused)).toHaveLength(2)
  await harness.tick('media.delete-loose-files')
  expect(await card(id)).toMatchObject({ url: before.url, preview_url: before.preview_url })
  expect((await harness.read(before.url ?? '')).length).toBeGreaterThan(0)
  expect((await harness.read(before.preview_url ?? '')).length).toBeGreaterThan(0)
  expect(await harness.cluster.db('media').rows(unused)).toEqual([])
  // The copy is fetched again later, and removed like others.
  await harness.clearFound()
  expect(await refresh()).toMatchObject({ changed: 1 })
})

test('an address of this server is looked up, and another one is not found', async () => {
  const { id, status } = await put('/look.jpg')
  const { url, preview_url } = await card(id)
  const found = { kind: 'attachment', id, owner: '99', status_id: status, remote_url: `${remote.origin}/look.jpg` }
  for (const one of [url, preview_url]) expect(await call(lookupMedia, { url: one })).toEqual(found)
  const local = await upload()
  expect(await call(lookupMedia, { url: `${local.url}?1` })).toEqual({
    kind: 'attachment',
    id: local.id,
    owner: alice.id,
    status_id: null,
    remote_url: null,
  })
  const { urls } = await call(proxyUrls, {
    items: [{ owner: '77', kind: 'avatar', remote: `${remote.origin}/avatar.jpg` }],
  })
  const proxied = urls[`${remote.origin}/avatar.jpg`] ?? ''
  expect(await call(lookupMedia, { url: proxied })).toMatchObject({ kind: 'avatar', owner: '77' })
  for (const other of ['https://other.example/system/media/00/a.jpg', 'nonsense', `${url}x`])
    await expect(call(lookupMedia, { url: other })).rejects.toMatchObject({ code: 'not_found' })
})

test('copies of pictures of accounts are removed, and fetched again on request', async () => {
  const address = `${remote.origin}/header.jpg`
  const { urls } = await call(proxyUrls, { items: [{ owner: '88', kind: 'header', remote: address }] })
  await harness.cluster.waitForIdle()
  const invalidate = (more: object) =>
    call(deletePictures, { owners: ['88'], kinds: ['header'], dry_run: false, ...more })
  expect((await invalidate({ dry_run: true })).pictures).toBe(1)
  expect((await invalidate({ kinds: ['avatar'] })).pictures).toBe(0)
  const gone = await invalidate({})
  expect([gone.pictures, gone.bytes > 0, (await invalidate({})).pictures]).toEqual([1, true, 0])
  await harness.cluster.waitForIdle()
  await harness.clearFound()
  const token = urls[address]?.split('/').at(-1) ?? ''
  const key = `cache/${token}`
  await expect.poll(() => has(key)).toBe(false)
  const asked = await harness.request(showProxied, { token })
  expect([asked.status, await has(key)]).toEqual([302, true])
})

test('indexes serve the queries of rows by file, and of old copies by age', async () => {
  await db().run(sql`insert into attachments (id, owner, created_at, type, media_type, state, original_key, small_key)
    select 100000 + n, 1, now(), 'image', 'image/png', 'done', 'media/o' || n, 'media/s' || n from generate_series(1, 20000) n`)
  const keys = ['media/o1', 'media/s2']
  const held = await plansOf(db(), (reader) =>
    heldFiles(reader, keys, [{ key: 'cache/x', kind: 'attachment', id: '1' }]),
  )
  for (const index of ['attachments_original_key', 'attachments_small_key', 'attachments_pkey'])
    expect(held).toContain(index)
  const owner = await plansOf(db(), (reader) => ownerOfFile(reader, 'media/o1'))
  expect(owner).toContain('attachments_original_key')
  expect(`${held}${owner}`).not.toMatch(/Seq Scan on attachments/)
  const old = await plansOf(db(), (reader) => copiesBefore(reader, new Date(), { at: '2026-01-01', id: '1' }, 500))
  expect(old).toContain('attachments_cached')
})
