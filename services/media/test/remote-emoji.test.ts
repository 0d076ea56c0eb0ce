/** Tests of remote custom emoji: listed, copied and purged; and of pictures of removed accounts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountRemoved } from '@murmuration/contracts/accounts'
import {
  checkEmoji,
  copyRemoteEmoji,
  createEmoji,
  deleteRemoteEmoji,
  emojiManaged,
  emojiPicture,
  listAllEmojis,
  listRemoteEmojis,
  proxyUrls,
  purgeEmojis,
  showMediaTask,
} from '@murmuration/contracts/media'
import type { Task } from '@murmuration/contracts/task'
import { sql } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countEmojisOf, remoteEmojiPage } from '../src/emoji/remote.store.js'
import { app } from '../src/main.js'
import { type Harness, startHarness } from './harness.js'
import { movingGif, noise, pngBomb } from './pictures.js'

let dir: string
let harness: Harness
let remote: WebServer
let png: Buffer
/** Responses for single paths. */
const answers = new Map<string, StubResponse>()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remote-emoji-test-'))
  const authority = createAuthority()
  await writeFile(join(dir, 'ca.pem'), authority.certificate)
  const gif = await movingGif(64, 64, 3)
  png = await noise(40, 40).png().toBuffer()
  remote = await serve(
    ({ path }) =>
      answers.get(path) ??
      (path.includes('gone')
        ? { status: 404 }
        : { status: 200, headers: { 'content-type': 'image/gif' }, body: path.includes('.png') ? png : gif }),
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

const call: Harness['cluster']['call'] = (...args) => harness.cluster.call(...args)
const db = () => harness.cluster.db('media')
const ended = async ({ id }: Task): Promise<Task> => {
  await harness.cluster.waitForIdle()
  return call(showMediaTask, { id })
}
/** Stores an emoji of another server, as a text that contains it does. */
const know = async (shortcode: string | undefined, domain: string, path: string) => {
  const url = `${remote.origin}${path}`
  const { urls } = await call(proxyUrls, { items: [{ owner: domain, kind: 'emoji', remote: url, shortcode }] })
  await harness.cluster.waitForIdle()
  return urls[url] ?? ''
}
const known = async (input: object = {}) =>
  (await call(listRemoteEmojis, input)).map(({ shortcode, domain, taken }) => [shortcode, domain, taken])
const idOf = async (shortcode: string) =>
  (await call(listRemoteEmojis, { q: shortcode })).find((one) => one.shortcode === shortcode)?.id ?? ''
const has = async (address: string) => (await harness.blobs.head(harness.keyOf(address))) !== null

test('remote emoji are listed by shortcode and server, also those first stored without shortcode', async () => {
  await know(undefined, 'a.example', '/blob.gif')
  expect(await known()).toEqual([])
  await know('blob', 'a.example', '/blob.gif')
  await know('Blobcat', 'b.example', '/cat.png')
  await know('wave', 'sub.a.example', '/wave.gif')
  expect(await known()).toEqual([
    ['wave', 'sub.a.example', false],
    ['Blobcat', 'b.example', false],
    ['blob', 'a.example', false],
  ])
  expect(await known({ q: 'BLOB' })).toEqual([
    ['Blobcat', 'b.example', false],
    ['blob', 'a.example', false],
  ])
  expect(await known({ domain: 'A.example' })).toEqual([['blob', 'a.example', false]])
  await expect(call(listRemoteEmojis, { domain: 'no domain' })).rejects.toMatchObject({ code: 'unprocessable' })
})

test('the list of remote emoji shows still images also before their copies exist', async () => {
  await know('waits', 'wait.example', '/waits.gif')
  await db().run(sql`update pictures set key = null, still_key = null where shortcode = 'waits'`)
  const [waiting] = await call(listRemoteEmojis, { q: 'waits' })
  expect([waiting?.url, waiting?.static_url]).toEqual([
    expect.stringContaining('/cache/p'),
    expect.stringContaining('/cache/s'),
  ])
  // Later tests count the emoji.
  await db().run(sql`delete from pictures where owner = 'wait.example'`)
})

test('a copied emoji belongs to this server, with its animation and an entry of the audit log', async () => {
  const copied = await call(copyRemoteEmoji, { id: await idOf('blob'), category: 'blobs' })
  expect(copied).toMatchObject({ shortcode: 'blob', category: 'blobs', visible_in_picker: true })
  expect([await has(copied.url), await has(copied.static_url), copied.url === copied.static_url]).toEqual([
    true,
    true,
    false,
  ])
  expect(await known({ q: 'blob' })).toContainEqual(['blob', 'a.example', true])
  const act = await db().row<{ data: string }>(
    sql`select data from outbox where subject = ${emojiManaged.subject} order by id desc limit 1`,
  )
  expect(JSON.parse(act?.data ?? '')).toMatchObject({ action: 'create_custom_emoji', targetId: 'blob', before: null })
})

test('an emoji whose shortcode is taken is copied under another one, or replaces it on request', async () => {
  const id = await idOf('blob')
  await expect(call(copyRemoteEmoji, { id })).rejects.toThrow('Shortcode has already been taken')
  expect(await call(copyRemoteEmoji, { id, shortcode: 'blob_2' })).toMatchObject({ shortcode: 'blob_2' })
  expect(await call(copyRemoteEmoji, { id, overwrite: 'true' })).toMatchObject({ category: 'blobs' })
  await expect(call(copyRemoteEmoji, { id, shortcode: 'a b' })).rejects.toThrow('Shortcode only letters')
  await expect(call(copyRemoteEmoji, { id: '1' })).rejects.toMatchObject({ code: 'not_found' })
})

test('an emoji whose picture does not exist is not copied', async () => {
  await know('vanished', 'c.example', '/gone.png')
  await expect(call(copyRemoteEmoji, { id: await idOf('vanished') })).rejects.toThrow('could not be fetched')
})

const SVG =
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
const disguised = async (): Promise<[string, Buffer][]> => [
  ['svg', Buffer.from(SVG)],
  ['html', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['trailed', Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(SVG)])],
  ['huge', await pngBomb(60_000, 60_000)],
]

test('a disguised, large or internal file does not become an emoji', async () => {
  const before = await call(listAllEmojis, {})
  for (const [name, body] of await disguised()) {
    answers.set(`/${name}.png`, { status: 200, headers: { 'content-type': 'image/png' }, body })
    await know(name, 'evil.example', `/${name}.png`)
    const image = body.toString('base64')
    for (const operation of [checkEmoji, createEmoji])
      await expect(call(operation, { shortcode: name, image })).rejects.toMatchObject({ status: 422 })
  }
  for (const [name, location] of [
    ['metadata', 'https://169.254.169.254/latest.png'],
    ['loopback', 'https://[::1]/a.png'],
    ['ours', `https://${harness.cluster.env.LOCAL_DOMAIN}/system/a.png`],
  ] as const) {
    answers.set(`/${name}.png`, { status: 302, headers: { location } })
    await know(name, 'evil.example', `/${name}.png`)
  }
  const ids = (await call(listRemoteEmojis, { domain: 'evil.example' })).map((one) => one.id)
  expect(ids).toHaveLength(7)
  for (const id of ids) await expect(call(copyRemoteEmoji, { id })).rejects.toThrow('could not be fetched')
  expect(await call(listAllEmojis, {})).toEqual(before)
  await db().run(sql`delete from pictures where owner = 'evil.example'`)
})

test('an emoji of a blocked server is not copied, whether or not its picture is stored already', async () => {
  const address = await know('kept', 'bad.example', '/kept.gif')
  expect(await has(address)).toBe(true)
  await know('unread', 'bad.example', '/unread.gif')
  await db().run(sql`update pictures set key = null, still_key = null where shortcode = 'unread'`)
  await harness.rule({ domain: 'bad.example', severity: 'silence', reject_media: true, reject_reports: false })
  expect(await know('new', 'bad.example', '/new.gif')).toBe('')
  const ids = [await idOf('kept'), await idOf('unread')]
  for (const id of ids) await expect(call(copyRemoteEmoji, { id })).rejects.toThrow('could not be fetched')
  expect(await has(address)).toBe(true)
  expect((await call(listAllEmojis, {})).map((one) => one.shortcode)).not.toContain('kept')
  await harness.rule()
  expect(await call(copyRemoteEmoji, { id: ids[0] ?? '' })).toMatchObject({ shortcode: 'kept' })
  // Later tests count the emoji.
  await db().run(sql`delete from pictures where owner = 'bad.example'`)
})

test('a check refuses what adding refuses, and adds nothing', async () => {
  const check = (shortcode: string, image: Buffer) => call(checkEmoji, { shortcode, image: image.toString('base64') })
  expect(await check('fresh', png)).toEqual({ shortcode: 'fresh', taken: false })
  expect(await check('blob', png)).toEqual({ shortcode: 'blob', taken: true })
  await expect(check('a b', png)).rejects.toThrow('Shortcode only letters')
  await expect(check('text', Buffer.from('text'))).rejects.toThrow('Image content type is not supported')
  await expect(check('cut', png.subarray(0, 60))).rejects.toMatchObject({ code: 'unprocessable' })
  expect((await call(listAllEmojis, {})).map((one) => one.shortcode)).not.toContain('fresh')
})

test('the error for a large picture names the limit', async () => {
  const picture = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]).toString('base64')
  for (const operation of [checkEmoji, createEmoji])
    for (const bytes of [280_000, 310_000, 660_000])
      await expect(call(operation, { shortcode: 'large', image: picture(bytes) })).rejects.toMatchObject({
        message: 'Validation failed: Image size must be less than 256 KB',
        status: 422,
      })
})

test('an emoji can be added hidden, and does not replace another one without request', async () => {
  const image = png.toString('base64')
  const hidden = await call(createEmoji, { shortcode: 'hidden', image, visible_in_picker: 'false' })
  expect(hidden.visible_in_picker).toBe(false)
  await expect(call(createEmoji, { shortcode: 'hidden', image, overwrite: 'false' })).rejects.toThrow('been taken')
  // Without the field, the value stays.
  expect((await call(createEmoji, { shortcode: 'hidden', image })).visible_in_picker).toBe(false)
  const { media_type, image: kept } = await call(emojiPicture, { shortcode: 'hidden' })
  expect([media_type, Buffer.from(kept, 'base64').subarray(1, 4).toString()]).toEqual(['image/png', 'PNG'])
  await expect(call(emojiPicture, { shortcode: 'nothing' })).rejects.toMatchObject({ code: 'not_found' })
})

test('of emoji that are added concurrently under a new shortcode one is stored, and no picture is without emoji', async () => {
  const image = png.toString('base64')
  const add = (shortcode: string, overwrite: string) => call(createEmoji, { shortcode, image, overwrite })
  const tried = await Promise.allSettled([1, 2, 3, 4].map(() => add('contested', 'false')))
  expect(tried.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  await Promise.all([1, 2, 3, 4].map(() => add('replaced', 'true')))
  const stray = await db().rows(sql`select id from pictures p where kind = 'emoji' and remote_url is null
    and not exists (select 1 from custom_emojis e where e.picture_id = p.id)`)
  expect(stray).toEqual([])
})

test('a purge of one server removes its copies, which are fetched again on request', async () => {
  const address = await know('wave', 'sub.a.example', '/wave.gif')
  expect(await has(address)).toBe(true)
  const purge = async (input: object) => ended(await call(purgeEmojis, input))
  const counted = await purge({ domain: 'sub.a.example', dry_run: true })
  expect([counted.changed, counted.bytes > 0, await has(address)]).toEqual([1, true, true])
  expect(await purge({ domain: 'sub.a.example' })).toMatchObject({ changed: 1, notes: { of_other_servers: 1 } })
  await expect.poll(() => has(address)).toBe(false)
  expect(await purge({ domain: 'sub.a.example' })).toMatchObject({ changed: 0 })
  expect(await known({ q: 'wave' })).toEqual([['wave', 'sub.a.example', false]])
  expect(await known({ q: 'wave', exact: true })).toEqual([['wave', 'sub.a.example', false]])
  expect(await known({ q: 'wav', exact: true })).toEqual([])
  expect(await known({ q: 'Wave', exact: true })).toEqual([])
})

test('a purge removes local emoji and all copies, or only copies on request', async () => {
  const own = await call(listAllEmojis, {})
  const copies = await call(purgeEmojis, { remote_only: true, dry_run: true })
  expect((await ended(copies)).notes).toEqual({ of_other_servers: 2 })
  const all = await ended(await call(purgeEmojis, { dry_run: true }))
  expect(all.notes).toEqual({ of_this_server: own.length, of_other_servers: 2 })
  expect(await ended(await call(purgeEmojis, {}))).toMatchObject({
    state: 'done',
    changed: all.changed,
    bytes: all.bytes,
  })
  expect(await call(listAllEmojis, {})).toEqual([])
  for (const { url } of own) await expect.poll(() => has(url)).toBe(false)
  expect(await ended(await call(purgeEmojis, {}))).toMatchObject({ changed: 0 })
})

test('all emoji of a purged server are deleted, and with a flag those of its subdomains', async () => {
  const invalidate = (more: object = {}) =>
    call(deleteRemoteEmoji, { domain: 'a.example', below: false, dry_run: false, ...more })
  const address = await know('blob3', 'a.example', '/blob3.gif')
  expect(await invalidate({ dry_run: true, below: true })).toEqual({ emojis: 3 })
  expect(await invalidate()).toEqual({ emojis: 2 })
  await expect.poll(() => has(address)).toBe(false)
  expect(await invalidate({ below: true })).toEqual({ emojis: 1 })
  expect((await known()).map(([, domain]) => domain)).toEqual(['c.example', 'b.example'])
})

test('avatars and headers of a removed remote account are deleted with their files, and those of others are not', async () => {
  const avatarOf = async (owner: string) => {
    const url = `${remote.origin}/avatar-${owner}.png`
    const { urls } = await call(proxyUrls, { items: [{ owner, kind: 'avatar', remote: url, domain: 'a.example' }] })
    await harness.cluster.waitForIdle()
    return urls[url] ?? ''
  }
  const [gone, kept] = [await avatarOf('771'), await avatarOf('772')]
  expect([await has(gone), await has(kept)]).toEqual([true, true])
  const entry = app.manifest.reactions.find((one) => one.event === accountRemoved)
  const e = { id: '771', local: false, uri: 'https://a.example/1', eventId: '1', at: 0, consumer: 'media' }
  // The event may be delivered twice.
  for (const _ of [1, 2]) await entry?.run(harness.context(), e)
  await expect.poll(() => has(gone)).toBe(false)
  expect(await has(kept)).toBe(true)
  const left = await db().rows<{ owner: string }>(sql`select owner from pictures where kind = 'avatar'`)
  expect(left.map((row) => row.owner)).toEqual(['772'])
})

test('remote emoji are found with an index', async () => {
  await db().run(sql`insert into pictures (id, owner, kind, remote_url, shortcode, created_at)
    select 900000 + n, 'd' || n % 500 || '.example', 'emoji', 'https://x/' || n, 'e' || n, now() from generate_series(1, 20000) n`)
  await db().run(sql`analyze pictures`)
  const plans = await plansOf(db(), async (reader) => {
    await remoteEmojiPage(reader, { q: null, domain: null }, { limit: 40 })
    await countEmojisOf(reader, 'd7.example', true)
  })
  expect(plans).toContain('pictures_emoji_named')
  expect(plans).toContain('pictures_emoji_owner')
  expect(plans).not.toMatch(/Seq Scan on pictures/)
})

test('an emoji without a shortcode is copied only under a given one', async () => {
  await know(undefined, 'unnamed.example', '/unnamed.png')
  const row = await db().row<{ id: string }>(sql`select id from pictures where owner = 'unnamed.example'`)
  const id = row?.id ?? ''
  await expect(call(copyRemoteEmoji, { id })).rejects.toThrow("Shortcode can't be blank")
  expect(await call(copyRemoteEmoji, { id, shortcode: 'named' })).toMatchObject({ shortcode: 'named' })
})
