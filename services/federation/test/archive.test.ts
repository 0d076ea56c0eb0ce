/** Archives of accounts: one in six days, with all content of the account, for its owner only, deleted after a week. */
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { createAccountByOperator, localActors, moderateAccount, signInUser } from '@murmuration/contracts/accounts'
import {
  archiveManaged,
  archiveReady,
  createArchive,
  listArchives,
  openArchive,
  requestArchive,
} from '@murmuration/contracts/federation'
import { uploadAttachment } from '@murmuration/contracts/media'
import { addBookmark, addFavourite, createStatus } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBuffer } from 'yauzl'
import { makeArchive } from '../src/archive/make-archive.job.js'
import { deleteOldArchives } from '../src/archive/ticks.js'
import { writeArchive } from '../src/archive/write.js'
import { type Harness, startHarness } from './harness.js'

const password = 'correct horse battery'
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
let harness: Harness
let blobs: BlobStore
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archives-'))
  harness = await startHarness({ BLOB_DIR: folder })
  blobs = createBlobStore({ kind: 'disk', dir: folder })
})
afterAll(async () => {
  await harness.stop()
  await blobs.close()
  await rm(folder, { recursive: true, force: true })
})

type Tools = Parameters<typeof writeArchive>[0]
/** Context of federation code, over the bus of this fixture. */
const contextOf = (): Tools => {
  const base = harness.host.running.find((one) => one.service === 'federation')?.ctx
  if (!base) throw new Error('federation does not run')
  const self = { sharedInbox: `${harness.origin}/inbox` } as Tools['self']
  return { ...(base as unknown as Omit<Tools, 'blobs' | 'self'>), blobs, self }
}

const createAccount = async (username: string) => {
  const email = `${username}@mail.example`
  const { id } = await harness.call(createAccountByOperator, { username, email, password, confirmed: true })
  const { session } = await harness.call(signInUser, { email, password, ip: null, userAgent: null })
  return { viewer: viewer(id), session: session ?? '' }
}
/** Files of a zip by name. */
const unzip = (bytes: Buffer): Promise<Map<string, Buffer>> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error || !zip) return reject(error)
      const files = new Map<string, Buffer>()
      zip.on('end', () => resolve(files)).on('error', reject)
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed || !stream) return reject(failed)
          files.set(entry.fileName, Buffer.concat(await Array.fromAsync(stream)))
          zip.readEntry()
        }),
      )
      zip.readEntry()
    })
  })

test('an archive contains actor, statuses, marks and files, and only its owner can open it', async () => {
  const ada = await createAccount('ada')
  const eve = await createAccount('eve')
  const key = `staging/${randomUUID()}`
  await blobs.put(key, Buffer.from(PIXEL, 'base64'), { contentType: 'image/png', maxBytes: 1_000 })
  const file = { key, size: 70, type: 'image/png', name: 'pixel.png' }
  const media = await harness.call(uploadAttachment, { file, description: 'One dot' }, ada.viewer)
  const write = (status: string, more: object, who = ada) => harness.call(createStatus, { status, ...more }, who.viewer)
  await write('With a picture', { media_ids: [media.id] })
  await write('For followers', { visibility: 'private' })
  await write('@eve for you', { visibility: 'direct' })
  const theirs = await write('Of eve', {}, eve)
  await harness.call(addBookmark, { id: theirs.id }, ada.viewer)
  await harness.call(addFavourite, { id: theirs.id }, ada.viewer)

  // The archive includes mentions that a limited account does not send to others.
  await harness.call(moderateAccount, { id: ada.viewer.id, action: 'silence', stamp: '1' })

  const asked = await harness.call(createArchive, { session: ada.session })
  expect(asked).toMatchObject({ state: 'waiting', size: null })
  await expect(harness.call(createArchive, { session: ada.session })).rejects.toMatchObject({
    status: 422,
    message: 'An archive was asked for less than six days ago.',
  })
  await harness.waitForIdle()
  const { archives, next_at } = await harness.call(listArchives, { session: ada.session })
  expect(archives).toEqual([expect.objectContaining({ id: asked.id, state: 'ready', size: expect.any(Number) })])
  expect(next_at).not.toBe(null)
  const [sent] = await harness
    .db('federation')
    .rows<{ data: string }>(sql`select data from outbox where subject = ${archiveReady.subject}`)
  expect(JSON.parse(sent?.data ?? '')).toMatchObject({ id: asked.id, account: ada.viewer.id, size: archives[0]?.size })

  const found = await harness.call(openArchive, { session: ada.session, id: asked.id })
  expect(found.name).toMatch(/^archive-ada-\d{4}-\d\d-\d\d\.zip$/)
  const stored = await blobs.get(found.key)
  if (!stored) throw new Error('there is no archive')
  const bytes = Buffer.concat(await Array.fromAsync(stored.body))
  expect(bytes.length).toBe(found.size)
  const files = await unzip(bytes)
  const json = (name: string) => JSON.parse(files.get(name)?.toString() ?? 'null')
  expect(json('actor.json')).toMatchObject({ type: 'Person', preferredUsername: 'ada', outbox: 'outbox.json' })
  const outbox = json('outbox.json')
  expect(outbox).toMatchObject({ type: 'OrderedCollection', totalItems: 3 })
  expect(outbox.orderedItems.map((one: { object: { content: string } }) => one.object.content)).toEqual([
    expect.stringContaining('With a picture'),
    expect.stringContaining('For followers'),
    expect.stringContaining('for you'),
  ])
  expect(outbox.orderedItems[2].object.tag).toEqual([expect.objectContaining({ type: 'Mention' })])
  const [picture] = outbox.orderedItems[0].object.attachment
  expect(picture).toMatchObject({ name: 'One dot', url: expect.stringMatching(/^\/media_attachments\/files\//) })
  expect(files.get(picture.url.slice(1))?.subarray(1, 4).toString()).toBe('PNG')
  const uri = 'uri' in theirs ? theirs.uri : ''
  for (const name of ['likes.json', 'bookmarks.json'])
    expect(json(name)).toMatchObject({ orderedItems: [uri], totalItems: 1 })
  // A048: marks are addresses, without the content of the statuses.
  expect(files.get('bookmarks.json')?.toString()).not.toContain('Of eve')

  await expect(harness.call(openArchive, { session: eve.session, id: asked.id })).rejects.toMatchObject({ status: 404 })
  expect((await harness.call(listArchives, { session: eve.session })).archives).toEqual([])
  await expect(harness.call(listArchives, { session: 'nobody' })).rejects.toMatchObject({ status: 401 })
})

test('an archive contains content warnings and poll options as they were typed', async () => {
  const nora = await createAccount('nora')
  const typed = 'a<b, the <b> tag & &lt;'
  const poll = { options: [typed, 'other'], expires_in: 3_600 }
  await harness.call(createStatus, { status: 'Warned', spoiler_text: typed, poll }, nora.viewer)
  await harness.call(createStatus, { status: 'Plain' }, nora.viewer)
  const { id } = await harness.call(createArchive, { session: nora.session })
  await harness.waitForIdle()
  const { key } = await harness.call(openArchive, { session: nora.session, id })
  const stored = await blobs.get(key)
  if (!stored) throw new Error('there is no archive')
  const files = await unzip(Buffer.concat(await Array.fromAsync(stored.body)))
  const { orderedItems } = JSON.parse(files.get('outbox.json')?.toString() ?? 'null')
  expect(orderedItems.map((one: { object: unknown }) => one.object)).toMatchObject([
    { summary: typed, oneOf: [{ name: typed }, { name: 'other' }] },
    { summary: null },
  ])
})

test('an archive is deleted with its file after a week', async () => {
  const olga = await createAccount('olga')
  const { id } = await harness.call(createArchive, { session: olga.session })
  await harness.waitForIdle()
  const { key } = await harness.call(openArchive, { session: olga.session, id })
  await harness.db('federation').run(sql`update archives set created_at = now() - interval '8 days' where id = ${id}`)
  await deleteOldArchives.run(contextOf())
  expect(await blobs.head(key)).toBe(null)
  const { archives, next_at } = await harness.call(listArchives, { session: olga.session })
  expect([archives, next_at]).toEqual([[], null])
})

test('a missing file is left out, and a failed archive is written by a retry', async () => {
  const vera = await createAccount('vera')
  const key = `staging/${randomUUID()}`
  await blobs.put(key, Buffer.from(PIXEL, 'base64'), { contentType: 'image/png', maxBytes: 1_000 })
  const file = { key, size: 70, type: 'image/png', name: 'pixel.png' }
  const media = await harness.call(uploadAttachment, { file }, vera.viewer)
  await harness.call(createStatus, { status: 'Lost', media_ids: [media.id] }, vera.viewer)
  const { blobs: all } = await blobs.list('media/')
  await blobs.delete(all.map((one) => one.key))
  const [actor] = (await harness.call(localActors, { ids: [vera.viewer.id] })).actors
  const ctx = contextOf()
  if (!actor) throw new Error('nobody is there')
  await expect(writeArchive(ctx, actor, 'archives/small', 200)).rejects.toMatchObject({ code: 'too_large' })
  const broken = { ...ctx, call: async () => Promise.reject(new Error('statuses is away')) } as typeof ctx
  await expect(writeArchive(broken, actor, 'archives/broken', 1_000_000)).rejects.toThrow('statuses is away')
  expect(await blobs.head('archives/small')).toBe(null)
  expect(await blobs.head('archives/broken')).toBe(null)
  expect(await writeArchive(ctx, actor, 'archives/whole', 1_000_000)).toBeGreaterThan(500)
  const whole = await blobs.get('archives/whole')
  if (!whole) throw new Error('there is no archive')
  expect(await text(whole.body)).toContain('outbox.json')
})

test('a file that is opened after the archive could not be stored is closed', async () => {
  const odile = await createAccount('odile')
  const key = `staging/${randomUUID()}`
  await blobs.put(key, Buffer.from(PIXEL, 'base64'), { contentType: 'image/png', maxBytes: 1_000 })
  const media = await harness.call(
    uploadAttachment,
    { file: { key, size: 70, type: 'image/png', name: 'o.png' } },
    odile.viewer,
  )
  await harness.call(createStatus, { status: 'With a file', media_ids: [media.id] }, odile.viewer)
  const [actor] = (await harness.call(localActors, { ids: [odile.viewer.id] })).actors
  if (!actor) throw new Error('nobody is there')
  const storing = Promise.withResolvers<never>()
  const body = new Readable({
    read() {
      this.push(Buffer.alloc(100_000))
    },
  })
  const get = async () => {
    storing.reject(new Error('the store is full'))
    await setImmediate()
    return { body }
  }
  const ctx = { ...contextOf(), blobs: { ...blobs, put: () => storing.promise, get } } as unknown as Tools
  await expect(writeArchive(ctx, actor, 'archives/full', 1_000_000)).rejects.toThrow('the store is full')
  await expect.poll(() => body.destroyed).toBe(true)
})

test('an archive whose job was given up has failed, and is written by an operator only', async () => {
  const zoe = await createAccount('zoe')
  const { id } = await harness.call(createArchive, { session: zoe.session })
  const state = async () =>
    (await harness.call(listArchives, { session: zoe.session })).archives.map((one) => one.state)
  await expect.poll(state).toEqual(['ready'])
  await harness.db('federation').run(sql`update archives set state = 'waiting', size = null where id = ${id}`)
  for (let times = 0; times < 2; times++) await makeArchive.gaveUp?.(contextOf(), { id }, { id: '1' })
  expect(await state()).toEqual(['failed'])
  expect((await harness.call(listArchives, { session: zoe.session })).next_at).toBeNull()
  await makeArchive.run(contextOf(), { id }, { id: '1', tries: 1 })
  expect(await state()).toEqual(['failed'])
  const restored = makeArchive.restored?.({ id })
  for (let times = 0; times < 2; times++) await makeArchive.run(contextOf(), restored, { id: '1', tries: 1 })
  expect(await state()).toEqual(['ready'])
  const ready = sql`select 1 from outbox where subject = ${archiveReady.subject} and data like ${`%"${id}"%`}`
  expect(await harness.db('federation').rows(ready)).toHaveLength(2)
})

test('the replay of a deleted archive fails, so that the operator learns it', async () => {
  await makeArchive.run(contextOf(), { id: '1' }, { id: '1', tries: 1 })
  const replayed = makeArchive.run(contextOf(), makeArchive.restored?.({ id: '1' }), { id: '1', tries: 1 })
  await expect(replayed).rejects.toThrow('the archive no longer exists')
})

test('staff can request an archive of a local account, which only the account can open', async () => {
  const { viewer: owner, session } = await createAccount('wendy')
  expect(await harness.call(requestArchive, { id: owner.id }, viewer('9', { position: 10 }))).toMatchObject({
    state: 'waiting',
  })
  await harness.waitForIdle()
  expect((await harness.call(listArchives, { session })).archives).toMatchObject([{ state: 'ready' }])
  await expect(harness.call(requestArchive, { id: owner.id })).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(harness.call(requestArchive, { id: '1' })).rejects.toMatchObject({ code: 'not_found' })
  const acts = await harness
    .db('federation')
    .rows<{ data: string }>(sql`select data from outbox where subject = ${archiveManaged.subject}`)
  expect(acts.map((row) => JSON.parse(row.data))).toMatchObject([
    { by: '9', action: 'create_backup_user', target: 'wendy' },
  ])
})

test('the file of an archive is deleted if its account is deleted while the archive is written', async () => {
  const rosa = await createAccount('rosa')
  const { id } = await harness.call(createArchive, { session: rosa.session })
  await harness.waitForIdle()
  const db = harness.db('federation')
  const { key } = await harness.call(openArchive, { session: rosa.session, id })
  const { actors } = await harness.call(localActors, { ids: [rosa.viewer.id] })
  const ctx = contextOf()
  const ready = sql`select 1 from outbox where subject = ${archiveReady.subject} and data like ${`%"${id}"%`}`
  /** Context in which the account is deleted after the job read its actor, and the tick runs. */
  const deletedMeanwhile = {
    ...ctx,
    call: async (operation: unknown, input: never) => {
      if (operation !== localActors) return ctx.call(operation as never, input)
      await db.run(sql`update archives set created_at = 'epoch' where id = ${id}`)
      await deleteOldArchives.run(ctx)
      return { actors }
    },
  }
  await db.run(sql`update archives set state = 'waiting', size = null where id = ${id}`)
  await makeArchive.run(deletedMeanwhile, { id }, { id: '1', tries: 1 })
  expect(await blobs.head(key)).toBe(null)
  expect(await db.rows(ready)).toHaveLength(1)
  await deleteOldArchives.run(ctx)
  expect(await db.rows(sql`select 1 from archives where id = ${id}`)).toEqual([])

  // The row of a failed archive is deleted by the tick, while an operator's replay writes the archive.
  await db.run(sql`insert into archives (id, account_id, username, state, key, created_at)
    values (${id}, ${rosa.viewer.id}, 'rosa', 'failed', ${key}, now())`)
  await makeArchive.run(deletedMeanwhile, { id, restored: true }, { id: '1', tries: 1 })
  expect(await db.rows(sql`select 1 from archives where id = ${id}`)).toEqual([])
  expect(await blobs.head(key)).toBe(null)
  expect(await db.rows(ready)).toHaveLength(1)
})

test('an archive whose file cannot be deleted does not delay the deletion of others', async () => {
  const db = harness.db('federation')
  const keys = Array.from({ length: 51 }, (_, i) => `archives/old-${i}.zip`)
  await Promise.all(
    keys.map((key) => blobs.put(key, Buffer.from('zip'), { contentType: 'application/zip', maxBytes: 10 })),
  )
  await db.run(sql`insert into archives (id, account_id, username, state, key, created_at)
    select n, 1, 'old', 'ready', key, now() - interval '20 days' + make_interval(mins => n::int)
    from unnest(${keys}::text[]) with ordinality as old(key, n)`)
  // A folder with content is in place of the first 50 files.
  const names = await readdir(folder, { recursive: true })
  const paths = names.filter((name) => /\/old-\d+\.zip$/.test(name) && !name.endsWith('old-50.zip'))
  await Promise.all(
    paths.map(async (name) => {
      await rm(join(folder, name))
      await mkdir(join(folder, name, 'inside'), { recursive: true })
    }),
  )
  await deleteOldArchives.run(contextOf())
  const left = () => db.rows<{ key: string }>(sql`select key from archives where username = 'old'`)
  expect(await left()).toHaveLength(50)
  expect(await blobs.head('archives/old-50.zip')).toBe(null)
  await Promise.all(paths.map((name) => rm(join(folder, name), { recursive: true })))
  await deleteOldArchives.run(contextOf())
  expect(await left()).toEqual([])
})
