/** Tests of exports and imports over the bus: both modes, and interruptions at any point. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import {
  addListMembers,
  bookmarksWanted,
  checkImportRemoval,
  confirmImport,
  createBlock,
  createDomainBlock,
  createFollow,
  createImport,
  createList,
  createMute,
  type ExportKind,
  exportCounts,
  exportPage,
  filtersWanted,
  type Import,
  type ImportKind,
  importFailures,
  importFilters,
  importJob,
  importReport,
  listDomainBlocks,
  listFollowees,
  listImports,
  listIndex,
  listMembersOfList,
  listMutes,
  listRelationships,
  removeImport,
  showImport,
  signInUser,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import { asFailure, type Viewer } from '@murmuration/contracts/kit'
import { type Sql, sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { importWork } from '../src/import/jobs.js'
import { asked, askedBehind, type Harness, outside, remoteActor, startAccounts } from './harness.js'

const password = 'correct horse battery'
let harness: Harness
let blobs: BlobStore
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imports-'))
  harness = await startAccounts({ BLOB_DIR: folder, FAULT_POINTS: 'import.page=throw@2,import.page=throw@4' })
  blobs = createBlobStore({ kind: 'disk', dir: folder })
})
afterAll(async () => {
  await harness.stop()
  await blobs.close()
  await rm(folder, { recursive: true, force: true })
})

const createAccount = async (name: string) => {
  const viewer = await harness.createAccount(name, { password })
  const { session } = await harness.call(signInUser, {
    email: `${name}@mail.example`,
    password,
    ip: null,
    userAgent: null,
  })
  return { viewer, session: session ?? '' }
}
const upload = async (session: string, kind: ImportKind, text: string | Buffer, overwrite = false): Promise<Import> => {
  const key = `staging/${randomUUID()}`
  await blobs.put(key, Buffer.from(text), { contentType: 'text/csv', maxBytes: 30_000_000 })
  return harness.call(createImport, {
    session,
    kind,
    overwrite,
    file: { key, name: 'table.csv', type: 'text/csv', size: text.length },
  })
}
/** Imports a table, and waits until the import is finished. */
const bring = async (session: string, kind: ImportKind, text: string | Buffer, overwrite = false): Promise<Import> => {
  const { id } = await upload(session, kind, text, overwrite)
  await harness.call(confirmImport, { session, id })
  await harness.waitForIdle()
  return (await harness.call(showImport, { session, id })).import
}
const take = async (session: string, kind: ExportKind) => (await harness.call(exportPage, { session, kind })).rows
const here = async () => new URL(harness.env.WEB_DOMAIN ? `https://${harness.env.WEB_DOMAIN}` : harness.origin).hostname
const followed = async (who: Viewer) => (await harness.call(listFollowees, { id: who.id }, who)).map((one) => one.acct)

test('an export has the columns that other servers read', async () => {
  const { viewer, session } = await createAccount('taker')
  const bob = await harness.createAccount('bob')
  const rita = await harness.remote('rita')
  await harness.call(createFollow, { id: bob.id, reblogs: false, notify: true, languages: ['de', 'en'] }, viewer)
  await harness.call(createBlock, { id: rita }, viewer)
  await harness.call(createMute, { id: bob.id, notifications: false }, viewer)
  await harness.call(createDomainBlock, { domain: 'bad.example' }, viewer)
  const list = await harness.call(createList, { title: '=Friends, "old"' }, viewer)
  await harness.call(addListMembers, { id: list.id, account_ids: [bob.id] }, viewer)
  const domain = (await take(session, 'follows'))[1]?.[0]?.split('@')[1] ?? ''
  expect(domain).toContain(await here())
  expect(await take(session, 'follows')).toEqual([
    ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
    [`bob@${domain}`, 'false', 'true', 'de, en'],
  ])
  expect(await take(session, 'blocks')).toEqual([['rita@remote.example']])
  expect(await take(session, 'mutes')).toEqual([
    ['Account address', 'Hide notifications'],
    [`bob@${domain}`, 'false'],
  ])
  expect(await take(session, 'domain_blocks')).toEqual([['bad.example']])
  // D070: a spreadsheet must not run the name of a list as a formula.
  expect(await take(session, 'lists')).toEqual([[`'=Friends, "old"`, `bob@${domain}`]])
  expect(await harness.call(exportCounts, { session })).toEqual({
    counts: { follows: 1, blocks: 1, mutes: 1, domain_blocks: 1, lists: 1 },
    followers: 0,
  })
  await expect(harness.call(exportPage, { session: 'nobody', kind: 'follows' })).rejects.toMatchObject({ status: 401 })
})

test.each<[string, string, (text: string) => Buffer]>([
  ['of a German spreadsheet', 'List name;Account address\r\nVögel;BOB', (text) => Buffer.from(text, 'latin1')],
  ['in UTF-16 with tabs', '\ufeffAccount address\tList name\nBOB\tVögel', (text) => Buffer.from(text, 'utf16le')],
  ['that declares its separator', 'sep=;\r\nVögel;BOB', (text) => Buffer.from(text)],
  ['after blank lines', '\r\n\r\nList name;Account address\r\nVögel;BOB', (text) => Buffer.from(text)],
  ['after rows of empty cells', ';;\r\nx;Account address;List name\r\n;BOB;Vögel', (text) => Buffer.from(text)],
  ['with a byte order mark', '\ufeffsep=\t\nAccount address\tList name\nBOB\tVögel', (text) => Buffer.from(text)],
])('a table %s is read', async (name, text, encode) => {
  const { viewer, session } = await createAccount(`sheet${name.length}`)
  const bob = await harness.createAccount(`bob${name.length}`)
  const brought = await bring(session, 'lists', encode(text.replace('BOB', `bob${name.length}@${await here()}`)))
  expect(brought).toMatchObject({ total: 1, imported: 1 })
  const [list] = await harness.call(listIndex, {}, viewer)
  expect(list?.title).toBe('Vögel')
  expect((await harness.call(listMembersOfList, { id: list?.id ?? '' }, viewer)).map((one) => one.id)).toEqual([bob.id])
})

test('a table of follows after blank rows keeps its columns, and localised booleans', async () => {
  const { viewer, session } = await createAccount('calc')
  const [en, ben] = [await harness.createAccount('en'), await harness.createAccount('benno')]
  const rows = [';;', ' ;"";', 'Languages;Show boosts;Account address', ';;', `en;FALSCH;benno@${await here()}`]
  expect(await bring(session, 'follows', rows.join('\r\n'))).toMatchObject({ total: 1, imported: 1 })
  const state = await harness.call(listRelationships, { id: [ben.id, en.id] }, viewer)
  expect(state.map((one) => [one.following, one.showing_reblogs, one.languages])).toEqual([
    [true, false, ['en']],
    [false, false, null],
  ])
})

test('an unknown word counts as absent: boosts are shown, new posts are not notified, notifications are hidden', async () => {
  const { viewer, session } = await createAccount('vague')
  const [followed, muted] = [await harness.createAccount('vague1'), await harness.createAccount('vague2')]
  const follows = `Account address,Show boosts,Notify on new posts\nvague1@${await here()},perhaps,perhaps`
  expect(await bring(session, 'follows', follows)).toMatchObject({ total: 1, imported: 1 })
  const mutes = `Account address,Hide notifications\nvague2@${await here()},perhaps`
  expect(await bring(session, 'mutes', mutes)).toMatchObject({ total: 1, imported: 1 })
  expect(await harness.call(listRelationships, { id: [followed.id, muted.id] }, viewer)).toMatchObject([
    { following: true, showing_reblogs: true, notifying: false },
    { muting: true, muting_notifications: true },
  ])
})

test('A122 no address in a table is fetched: accounts are only resolved by their handles', async () => {
  const { viewer, session } = await createAccount('walker')
  const asks: string[] = []
  const canary = createServer((request, response) => {
    asks.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', () => resolve()))
  const trap = `127.0.0.1:${(canary.address() as AddressInfo).port}`
  const rows = [`http://${trap}/users/x`, `x@${trap}`, `//${trap}/x`, `file:///etc/passwd`, `x@${trap}/../y`]
  const before = asked.length
  await bring(session, 'follows', ['Account address', ...rows].join('\n'))
  await bring(session, 'blocks', rows.join('\n'))
  await bring(session, 'domain_blocks', rows.join('\n'))
  await bring(session, 'lists', rows.map((row) => `http://${trap}/title,${row}`).join('\n'))
  await new Promise((resolve) => canary.close(resolve))
  expect(asks).toEqual([])
  expect(asked.slice(before).filter((question) => !/^x@127\.0\.0\.1(:\d+)?$/.test(question))).toEqual([])
  expect(await followed(viewer)).toEqual([])
})

test('a list title may contain commas and be a column name in a table that other characters separate', async () => {
  const { viewer, session } = await createAccount('titler')
  await Promise.all(['member', 'freunde'].map((name) => harness.createAccount(name)))
  const member = `member@${await here()}`
  const rows = [`Familie, Freunde, Kollegen;${member}`, `Domain;${member}`]
  expect(await bring(session, 'lists', rows.join('\n'))).toMatchObject({ total: 2, imported: 2 })
  expect(await bring(session, 'lists', `URI,${member}`)).toMatchObject({ total: 1, imported: 1 })
  const titles = (await harness.call(listIndex, {}, viewer)).map((list) => list.title)
  expect(titles.sort()).toEqual(['Domain', 'Familie, Freunde, Kollegen', 'URI'])
  expect(await followed(viewer)).toEqual(['member'])
})

test('an import says which other kind its file looks like', async () => {
  const { session } = await createAccount('mistaken')
  const table = 'Account address,Show boosts,Notify on new posts,Languages\nsomebody,true,false,\n'
  for (const kind of ['blocks', 'mutes'] as const) {
    const { id, likely_kind } = await upload(session, kind, table)
    expect([kind, likely_kind]).toEqual([kind, 'follows'])
    expect((await harness.call(showImport, { session, id })).import.likely_kind).toBe('follows')
  }
  expect((await upload(session, 'follows', table)).likely_kind).toBe(null)
  expect((await upload(session, 'blocks', 'Account address\nsomebody\n')).likely_kind).toBe(null)
})

test('A170 a compressed upload is not unpacked and is refused', async () => {
  const { session } = await createAccount('packer')
  const zeros = deflateRawSync(Buffer.alloc(50_000_000))
  const head = Buffer.alloc(30)
  head.write('PK\u0003\u0004', 'latin1')
  const bombs = [Buffer.concat([head, zeros]), gzipSync(Buffer.alloc(50_000_000))]
  const before = process.memoryUsage.rss()
  for (const bomb of bombs) {
    const key = `staging/${randomUUID()}`
    await blobs.put(key, bomb, { contentType: 'application/zip', maxBytes: 30_000_000 })
    const file = { key, name: 'table.csv', type: 'application/zip', size: bomb.length }
    await expect(
      harness.call(createImport, { session, kind: 'follows', overwrite: false, file }),
    ).rejects.toMatchObject({
      status: 422,
    })
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
  expect(await harness.call(listImports, { session })).toEqual({ imports: [] })
})

test('follows are imported with their options, remote accounts are resolved, and failures are listed', async () => {
  const { viewer, session } = await createAccount('carla')
  const dan = await harness.createAccount('dan')
  const locked = await harness.createAccount('locked')
  await harness.call(updateCredentials, { locked: true }, locked)
  outside.set('stella@away.example', remoteActor('stella', { domain: 'away.example' }))
  const table = [
    'Account address,Show boosts,Notify on new posts,Languages',
    'dan,false,true,"de, en"',
    '@locked',
    'stella@away.example,true,false,',
    'nobody@away.example,true,false,',
    'not an address',
    'carla,true,false,',
  ].join('\n')
  const waiting = await upload(session, 'follows', table)
  expect(waiting).toMatchObject({ state: 'unconfirmed', total: 6, processed: 0, overwrite: false, name: 'table.csv' })
  expect(await followed(viewer)).toEqual([])
  expect((await harness.call(showImport, { session, id: waiting.id })).sample[0]).toEqual([
    'dan',
    'false',
    'true',
    'de, en',
  ])
  await harness.call(confirmImport, { session, id: waiting.id })
  await harness.call(confirmImport, { session, id: waiting.id })
  await harness.waitForIdle()
  const { import: done } = await harness.call(showImport, { session, id: waiting.id })
  expect(done).toMatchObject({ state: 'finished', processed: 6, imported: 3 })
  expect(await followed(viewer)).toEqual(['dan'])
  const [toDan] = await harness.call(listRelationships, { id: [dan.id] }, viewer)
  expect(toDan).toMatchObject({ showing_reblogs: false, notifying: true, languages: ['de', 'en'] })
  const [toLocked] = await harness.call(listRelationships, { id: [locked.id] }, viewer)
  expect(toLocked).toMatchObject({ requested: true })
  expect((await harness.call(importFailures, { session, id: waiting.id })).rows).toEqual([
    ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
    ['nobody@away.example', 'true', 'false', ''],
    ['not an address', '', '', ''],
    ['carla', 'true', 'false', ''],
  ])
})

test('rows fail at the limit of follows, and rows of followed accounts are imported', async () => {
  const { viewer, session } = await createAccount('fuller')
  const [known, locked] = [await harness.createAccount('knownone'), await harness.createAccount('lockedone')]
  await harness.createAccount('openone')
  await harness.call(updateCredentials, { locked: true }, locked)
  await harness.remote('remoteone')
  await harness.call(createFollow, { id: known.id }, viewer)
  await harness.db('accounts').run(sql`update account_stats set following_count = 7500 where account_id = ${viewer.id}`)
  const table = 'Account address,Show boosts\nknownone,false\nlockedone,\nopenone,\nremoteone@remote.example,'
  const brought = await bring(session, 'follows', table)
  expect(brought).toMatchObject({ state: 'finished', processed: 4, imported: 1 })
  const { rows } = await harness.call(importFailures, { session, id: brought.id })
  expect(rows.slice(1).map(([handle]) => handle)).toEqual(['lockedone', 'openone', 'remoteone@remote.example'])
  const [toKnown] = await harness.call(listRelationships, { id: [known.id] }, viewer)
  expect(toKnown).toMatchObject({ following: true, showing_reblogs: false })
})

test('merging keeps existing rows, and overwriting removes them', async () => {
  const { viewer, session } = await createAccount('merle')
  const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((name) => harness.createAccount(name)))
  if (!one || !two || !three) throw new Error('nobody came')
  for (const { id } of [one, two]) await harness.call(createFollow, { id }, viewer)
  await bring(session, 'follows', 'three\n')
  expect((await followed(viewer)).sort()).toEqual(['one', 'three', 'two'])
  await bring(session, 'follows', 'Account address\ntwo\n', true)
  expect(await followed(viewer)).toEqual(['two'])

  await harness.call(createMute, { id: one.id }, viewer)
  await bring(session, 'mutes', 'Account address,Hide notifications\nthree,false\n', true)
  const mutes = await harness.call(listMutes, {}, viewer)
  expect(mutes.map((each) => each.username)).toEqual(['three'])
  expect((await harness.call(listRelationships, { id: [three.id] }, viewer))[0]).toMatchObject({
    muting_notifications: false,
  })

  await harness.call(createBlock, { id: one.id }, viewer)
  await bring(session, 'blocks', 'three\n', true)
  const blocked = await take(session, 'blocks')
  expect(blocked.map(([address]) => address?.split('@')[0])).toEqual(['three'])

  await harness.call(createDomainBlock, { domain: 'old.example' }, viewer)
  await bring(session, 'domain_blocks', '#domain\nnew.example\nbücher.example\nno domain\n', true)
  expect((await harness.call(listDomainBlocks, {}, viewer)).sort()).toEqual(['new.example', 'xn--bcher-kva.example'])
})

test('lists are created and their members followed; overwriting empties the named lists', async () => {
  const { viewer, session } = await createAccount('lina')
  const [left, right] = await Promise.all(['left', 'right'].map((name) => harness.createAccount(name)))
  if (!left || !right) throw new Error('nobody came')
  const members = async () =>
    Object.fromEntries(
      await Promise.all(
        (await harness.call(listIndex, {}, viewer)).map(async (list) => [
          list.title,
          (await harness.call(listMembersOfList, { id: list.id }, viewer)).map((each) => each.username).sort(),
        ]),
      ),
    )
  expect(await bring(session, 'lists', "Friends,left\n'=Sums,left\nFriends,right\n")).toMatchObject({ imported: 3 })
  expect(await members()).toEqual({ Friends: ['left', 'right'], '=Sums': ['left'] })
  expect((await followed(viewer)).sort()).toEqual(['left', 'right'])
  await bring(session, 'lists', 'List name,Account address\nFriends,right\n', true)
  expect(await members()).toEqual({ Friends: ['right'], '=Sums': ['left'] })
})

test('bookmarks are sent to statuses in pages, and its report ends the import', async () => {
  const { session, viewer } = await createAccount('bea')
  const uris = Array.from({ length: 12 }, (_, n) => `https://far.example/${n}`)
  const { id } = await upload(session, 'bookmarks', ['#uri', ...uris, 'nonsense'].join('\n'), true)
  await harness.call(confirmImport, { session, id })
  const wanted = async () =>
    (
      await harness
        .db('accounts')
        .rows<{ data: string }>(sql`select data from outbox where subject = ${bookmarksWanted.subject} order by id`)
    ).map((row) => JSON.parse(row.data) as { clear: boolean; account: string; rows: { n: number; uri: string }[] })
  await harness.waitForIdle()
  expect(await wanted()).toEqual([{ id, account: viewer.id, clear: true, rows: [] }])
  await harness.call(importReport, { id, cleared: true, rows: [] })
  await harness.call(importReport, { id, cleared: true, rows: [] })
  await harness.waitForIdle()
  const [, first] = await wanted()
  expect(first?.rows.map((row) => row.uri)).toEqual(uris.slice(0, 10))
  const answer = (rows: { n: number }[] = []) =>
    harness.call(importReport, { id, cleared: false, rows: rows.map(({ n }) => ({ n, imported: n !== 2 })) })
  await answer(first?.rows)
  await answer(first?.rows)
  await harness.waitForIdle()
  const later = (await wanted()).slice(2).flatMap((one) => one.rows)
  expect(later.map((row) => row.uri)).toEqual(uris.slice(10))
  await answer(later)
  await harness.waitForIdle()
  expect((await harness.call(showImport, { session, id })).import).toMatchObject({
    state: 'finished',
    processed: 13,
    imported: 11,
  })
})

test('A058 statuses fetches filters only for their owner, and only while the import runs', async () => {
  const { session, viewer } = await createAccount('filippa')
  const other = await createAccount('filippo')
  const filters = Array.from({ length: 101 }, (_, i) => ({ title: `f${i}`, statuses: ['https://far.example/1'] }))
  const { id, total } = await upload(session, 'filters', JSON.stringify({ custom_filters: filters }), true)
  expect(total).toBe(101)
  const read = (account: string, after = 0) => harness.call(importFilters, { id, account, after })
  const nothing = { rows: [], next: null }
  expect(await read(viewer.id)).toEqual(nothing)
  await harness.call(confirmImport, { session, id })
  await harness.waitForIdle()
  const wanted = await harness
    .db('accounts')
    .rows<{ data: string }>(sql`select data from outbox where subject = ${filtersWanted.subject}`)
  expect(wanted.map((row) => JSON.parse(row.data))).toEqual([{ id, account: viewer.id, overwrite: true }])
  expect(await read(other.viewer.id)).toEqual(nothing)
  const [first, last] = [await read(viewer.id), await read(viewer.id, 100)]
  expect([first.rows.length, first.next, last]).toEqual([
    100,
    100,
    { rows: [{ n: 101, document: JSON.stringify(filters[100]) }], next: null },
  ])
  const tell = (from: number, to: number) =>
    harness.call(importReport, {
      id,
      cleared: false,
      rows: Array.from({ length: to - from + 1 }, (_, i) =>
        from + i === 7 ? { n: 7, imported: false, problem: 'Title is odd' } : { n: from + i, imported: true },
      ),
    })
  await Promise.all([tell(1, 100), tell(101, 101), tell(1, 100)])
  expect(await harness.call(showImport, { session, id })).toMatchObject({
    import: { state: 'finished', processed: 101, imported: 100 },
    problems: [{ n: 7, name: 'f6', problem: 'Title is odd' }],
  })
  expect((await harness.call(importFailures, { session, id })).rows).toEqual([[JSON.stringify(filters[6])]])
  expect(await read(viewer.id)).toEqual(nothing)
})

test('an import without a table, or of another account, is refused', async () => {
  const { session } = await createAccount('olaf')
  const other = await createAccount('other')
  const because = (text: string) => ({ status: 422, message: `Validation failed: ${text}` })
  await expect(upload(session, 'follows', '')).rejects.toMatchObject(because('File is empty'))
  await expect(upload(session, 'follows', '\n\n,,\n')).rejects.toMatchObject(because('File is empty'))
  await expect(upload(session, 'follows', '#domain\nbad.example')).rejects.toMatchObject(
    because('File is a table of another kind'),
  )
  const rows = (count: number) => Array.from({ length: count }, (_, n) => `d${n}.example`).join('\n')
  await expect(upload(session, 'domain_blocks', rows(20_001))).rejects.toMatchObject(
    because('File has more than 20000 rows'),
  )
  expect(await upload(session, 'domain_blocks', rows(20_000))).toMatchObject({ total: 20_000 })
  await expect(upload(session, 'follows', `"${'x'.repeat(30_000)}`)).rejects.toMatchObject(
    because('File could not be read as a table (CSV)'),
  )
  expect((await blobs.list('staging/')).blobs).toEqual([])

  // A058: only a staged upload is read.
  await blobs.put('media/secret', Buffer.from('dan\n'), { contentType: 'text/csv', maxBytes: 100 })
  const key = (name: string) =>
    harness.call(createImport, {
      session,
      kind: 'follows',
      overwrite: false,
      file: { key: name, name: 'x', type: 'text/csv', size: 4 },
    })
  for (const name of ['media/secret', 'staging/../media/secret'])
    await expect(key(name)).rejects.toThrow('must be an uploaded file')
  await expect(key(`staging/${randomUUID()}`)).rejects.toMatchObject(because("File can't be blank"))
  expect(await blobs.head('media/secret')).not.toBe(null)

  // A057: imports of other accounts are not found.
  const { id } = await upload(session, 'follows', 'dan\n')
  const tries = [
    harness.call(showImport, { session: other.session, id }),
    harness.call(confirmImport, { session: other.session, id }),
    harness.call(importFailures, { session: other.session, id }),
  ]
  for (const one of await Promise.allSettled(tries)) expect(one).toMatchObject({ reason: { status: 404 } })
  expect(await harness.call(removeImport, { session: other.session, id })).toEqual({ removed: false })
  expect(await harness.call(removeImport, { session, id })).toEqual({ removed: true })
  expect((await harness.call(listImports, { session })).imports.map((one) => one.total)).toEqual([20_000])
  expect((await harness.call(listImports, { session: other.session })).imports).toEqual([])
})

test('many rows are imported in pages, each once, however often the job is interrupted', async () => {
  const { viewer, session } = await createAccount('many')
  const names = Array.from({ length: 47 }, (_, n) => `bulk${n}`)
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, uri, url, created_at)
    select 5000 + n, 'bulk' || n, 'https://x/bulk' || n, 'https://x/@bulk' || n, now() from generate_series(0, 46) n`)
  await db.run(sql`insert into account_stats (account_id) select 5000 + n from generate_series(0, 46) n`)
  await db.run(sql`insert into users (id, account_id, email, confirmed_at, active_at, created_at)
    select 5000 + n, 5000 + n, 'bulk' || n || '@m.example', now(), now(), now() from generate_series(0, 46) n`)
  expect(await bring(session, 'follows', names.join('\n'))).toMatchObject({
    state: 'finished',
    processed: 47,
    imported: 47,
  })
  expect(await db.row(sql`select following_count from account_stats where account_id = ${viewer.id}`)).toEqual({
    following_count: 47,
  })
})

test('an import ends with failed rows if its job is given up, or if previous bookmarks cannot be removed', async () => {
  const { session } = await createAccount('ends')
  const db = harness.db('accounts')
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const uris = ['https://far.example/1', 'https://far.example/2'].join('\n')
  const running = async (kind: ImportKind, text: string) => {
    const { id } = await upload(session, kind, text, true)
    await db.run(sql`update imports set state = 'running' where id = ${id}`)
    return id
  }
  const state = async (id: string) => (await harness.call(showImport, { session, id })).import
  const given = await running('follows', 'nobody@far.example\nnoone@far.example\n')
  for (let times = 0; times < 2; times++) await importWork.gaveUp?.(ctx, { id: given }, { id: '1' })
  expect(await state(given)).toMatchObject({ state: 'finished', processed: 2, imported: 0 })
  const problem = 'Not imported because of an error on this server'
  expect((await harness.call(showImport, { session, id: given })).problems).toEqual([
    { n: 1, name: 'nobody@far.example', problem },
    { n: 2, name: 'noone@far.example', problem },
  ])
  const uncleared = await running('bookmarks', `#uri\n${uris}`)
  await harness.call(importReport, { id: uncleared, cleared: false, clear_failed: true, rows: [] })
  expect(await state(uncleared)).toMatchObject({ state: 'finished', processed: 2, imported: 0 })
})

test('an import waits until the instance policy is loaded, and no row of it uses up a try', async () => {
  const { session } = await createAccount('waits')
  outside.set('una@away.example', remoteActor('una', { domain: 'away.example' }))
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const { id } = await upload(session, 'blocks', 'una@away.example\n')
  const loaded = vi.spyOn(ctx.policy, 'loaded').mockReturnValue(false)
  await harness.call(confirmImport, { session, id })
  await expect.poll(() => loaded.mock.calls.length).toBeGreaterThan(0)
  const tries = sql`select max(tries) as tries from import_rows where import_id = ${id}`
  expect(await harness.db('accounts').row(tries)).toEqual({ tries: 0 })
  loaded.mockRestore()
  await harness.waitForIdle()
  expect((await harness.call(showImport, { session, id })).import).toMatchObject({ state: 'finished', imported: 1 })
})

test('rows of a server that does not respond pause before two further tries, and the other rows are imported', async () => {
  const { viewer, session } = await createAccount('patient')
  await harness.createAccount('nearby')
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const silent = ['dead', 'back'].map((name) => `${name}@silent.example`)
  for (const handle of silent) outside.set(handle, 'later')
  outside.set('busy@large.example', 'limited')
  const handles = [...silent, 'busy@large.example']
  const { id } = await upload(session, 'follows', [...handles, `nearby@${await here()}`].join('\n'))
  const db = harness.db('accounts')
  await db.run(sql`update imports set state = 'running' where id = ${id}`)
  const queue = vi.fn(async () => undefined)
  let passed = 0
  const now = () => ctx.clock.now() + passed
  const later = { ...ctx, queue, clock: { ...ctx.clock, now, date: () => new Date(now()) } }
  let runs = 0
  const run = () => importWork.run(later, { id }, { id: `84${++runs}`, tries: 1 })
  const rows = async () =>
    (
      await db.rows<{ state: string; tries: number }>(
        sql`select state, tries from import_rows where import_id = ${id} order by n`,
      )
    ).map(({ state, tries }) => `${state} ${tries}`)
  const waits = (retryAfter: number) =>
    expect(run()).rejects.toMatchObject({ code: 'unavailable', extras: { elsewhere: true, retryAfter } })

  await run()
  expect(await rows()).toEqual(['waiting 1', 'waiting 1', 'waiting 0', 'imported 0'])
  expect(handles.filter((one) => !askedBehind.has(one))).toEqual([])
  expect(await followed(viewer)).toEqual(['nearby'])
  await waits(5)
  passed += 5_000
  await run()
  expect(await rows()).toEqual(['waiting 2', 'waiting 2', 'waiting 0', 'imported 0'])
  passed += 60_000
  // Tries that a rate limit of this server prevents do not count.
  await run()
  expect(await rows()).toEqual(['waiting 2', 'waiting 2', 'waiting 0', 'imported 0'])
  for (const name of ['back@silent.example', 'busy@large.example'])
    outside.set(name, remoteActor(name.split('@')[0] ?? '', { domain: name.split('@')[1] ?? '' }))
  passed += 65_000
  await run()
  expect(await rows()).toEqual(['failed 3', 'imported 2', 'imported 0', 'imported 0'])
  expect((await harness.call(showImport, { session, id })).import).toMatchObject({
    state: 'finished',
    processed: 4,
    imported: 3,
  })
})

test('a row that causes an error on this server fails alone, and errors of all rows end the import', async () => {
  const { session } = await createAccount('faulty')
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const names = Array.from({ length: 12 }, (_, n) => `sound${n}`)
  for (const name of names) outside.set(`${name}@rows.example`, remoteActor(name, { domain: 'rows.example' }))
  const db = harness.db('accounts')
  const begin = async (rows: readonly string[]) => {
    const { id } = await upload(session, 'blocks', rows.map((name) => `${name}@rows.example\n`).join(''))
    await db.run(sql`update imports set state = 'running' where id = ${id}`)
    return id
  }
  let passed = 0
  const now = () => ctx.clock.now() + passed
  const call = ((operation: unknown, input: { handle?: string }, ...more: [never]) =>
    input.handle?.startsWith('faulty')
      ? Promise.reject(asFailure(new TypeError('a defect')))
      : ctx.call(operation as never, input as never, ...more)) as unknown as typeof ctx.call
  const faulty = {
    ...ctx,
    call,
    queue: async () => undefined,
    clock: { ...ctx.clock, now, date: () => new Date(now()) },
  }
  let runs = 0
  const run = (id: string) => importWork.run(faulty, { id }, { id: `86${++runs}`, tries: 1 })
  const show = (id: string) => harness.call(showImport, { session, id })

  const one = await begin(['faulty', ...names])
  for (const pause of [0, 0, 5_000, 65_000]) {
    passed += pause
    await run(one)
  }
  const problem = 'Not imported because of an error on this server'
  expect(await show(one)).toMatchObject({
    import: { state: 'finished', processed: 13, imported: 12 },
    problems: [{ n: 1, name: 'faulty@rows.example', problem }],
  })

  const all = await begin(['faulty1', 'faulty2'])
  for (let times = 0; times < 4; times++)
    await expect(run(all)).rejects.toMatchObject({ name: 'Error', cause: { code: 'unknown' } })
  expect((await show(all)).import).toMatchObject({ state: 'running', processed: 0 })
})

test('bookmarks of a server that does not respond are sent again, and the other pages do not wait for them', async () => {
  const { session } = await createAccount('bookworm')
  const db = harness.db('accounts')
  const uris = Array.from({ length: 12 }, (_, n) => `https://silent.example/${n}`)
  const { id } = await upload(session, 'bookmarks', `#uri\n${uris.join('\n')}`)
  await harness.call(confirmImport, { session, id })
  const sent = async () => {
    await harness.waitForIdle()
    const rows = await db.rows<{ data: string }>(
      sql`select data from outbox where subject = ${bookmarksWanted.subject} and data::jsonb->>'id' = ${id} order by id`,
    )
    return rows.map(({ data }) => (JSON.parse(data) as { rows: { n: number; tries?: number }[] }).rows)
  }
  const pages = async () => (await sent()).map((rows) => rows.map((row) => row.n))
  const report = (ns: readonly number[], later: { n: number; limited?: boolean; problem?: string }[]) =>
    harness.call(importReport, { id, cleared: false, rows: ns.map((n) => ({ n, imported: true })), later })
  const due = () => db.run(sql`update import_rows set due_at = now() where import_id = ${id}`)
  const [first = []] = await pages()
  expect(first).toHaveLength(10)
  expect(await report(first.slice(1), [{ n: 1, limited: true }])).toEqual({ repeats: true })
  await expect
    .poll(async () => (await db.rows(sql`select 1 from import_rows where import_id = ${id} and state = 'away'`)).length)
    .toBe(2)
  expect(
    await db.row(sql`select state, tries, due_at > now() as pauses from import_rows where import_id = ${id} and n = 1`),
  ).toEqual({ state: 'waiting', tries: 0, pauses: true })
  await due()
  await report([11, 12], [])
  expect(await pages()).toEqual([first, [11, 12], [1]])
  expect((await sent()).at(-1)).toEqual([{ n: 1, uri: uris[0] }])
  for (const tries of [1, 2]) {
    await report([], [{ n: 1 }])
    await due()
    expect((await sent()).at(-1)).toEqual([{ n: 1, uri: uris[0], tries }])
  }
  // The third try is the last.
  expect(await report([], [{ n: 1, problem: 'a reason' }])).toEqual({ repeats: true })
  expect(await harness.call(showImport, { session, id })).toMatchObject({
    import: { state: 'finished', processed: 12, imported: 11 },
    problems: [{ n: 1, name: uris[0], problem: 'a reason' }],
  })
  expect(await report([], [{ n: 1 }])).toEqual({})
})

test('a failed row of a running import of bookmarks that is to be tried later is not sent again', async () => {
  const { session } = await createAccount('latecomer')
  const uris = Array.from({ length: 12 }, (_, n) => `https://far.example/late/${n}`)
  const { id } = await upload(session, 'bookmarks', `#uri\n${uris.join('\n')}`)
  await harness.call(confirmImport, { session, id })
  await harness.waitForIdle()
  const report = (failed: number[], later: number[]) =>
    harness.call(importReport, {
      id,
      cleared: false,
      rows: failed.map((n) => ({ n, imported: false })),
      later: later.map((n) => ({ n })),
    })
  expect(
    await report(
      Array.from({ length: 9 }, (_, i) => i + 1),
      [10],
    ),
  ).toEqual({ repeats: true })
  // An operator replays a page that was given up.
  expect(await report([], [1])).toEqual({ repeats: false })
  expect((await harness.call(showImport, { session, id })).import).toMatchObject({ state: 'running', processed: 9 })
})

test('an import of bookmarks ends after two pages that errors on this server stopped, and a replay starts it again', async () => {
  const { session } = await createAccount('stopping')
  const uris = Array.from({ length: 35 }, (_, n) => `https://far.example/stopping/${n}`)
  const { id } = await upload(session, 'bookmarks', `#uri\n${uris.join('\n')}`)
  await harness.call(confirmImport, { session, id })
  const problem = 'Not imported because of an error on this server'
  const stop = async (first: number) => {
    await harness.waitForIdle()
    const rows = Array.from({ length: 10 }, (_, i) => ({ n: first + i, imported: false, problem }))
    await harness.call(importReport, { id, cleared: false, rows })
    return (await harness.call(showImport, { session, id })).import
  }
  expect(await stop(1)).toMatchObject({ state: 'running', processed: 10 })
  expect(await stop(11)).toMatchObject({ state: 'finished', processed: 35, imported: 0 })
  // An operator replays the job of the first page.
  const rows = Array.from({ length: 9 }, (_, i) => ({ n: 1 + i, imported: true }))
  const restored = { id, cleared: false, restart: true, rows, later: [{ n: 10 }] }
  expect(await harness.call(importReport, restored)).toEqual({ repeats: true })
  expect((await harness.call(showImport, { session, id })).import).toMatchObject({
    state: 'running',
    processed: 9,
    imported: 9,
  })
  // The count of pages starts again.
  expect(await stop(10)).toMatchObject({ state: 'running', processed: 19 })
})

test('an import of bookmarks continues after pages with errors while other rows are imported', async () => {
  const { session } = await createAccount('continuing')
  const uris = Array.from({ length: 45 }, (_, n) => `https://far.example/continuing/${n}`)
  const { id } = await upload(session, 'bookmarks', `#uri\n${uris.join('\n')}`)
  await harness.call(confirmImport, { session, id })
  const problem = 'Not imported because of an error on this server'
  const page = (first: number) => Array.from({ length: 10 }, (_, i) => first + i)
  const report = async (rows: { n: number; imported: boolean; problem?: string }[], limited: number[] = []) => {
    const later = limited.map((n) => ({ n, limited: true }))
    await harness.waitForIdle()
    await harness.call(importReport, { id, cleared: false, rows, later })
    return (await harness.call(showImport, { session, id })).import
  }
  const stop = (first: number) => report(page(first).map((n) => ({ n, imported: false, problem })))
  expect(await stop(1)).toMatchObject({ state: 'running', processed: 10 })
  const limited = page(11).slice(1)
  await report([{ n: 11, imported: true }], limited)
  // A job that was given up may report its page again.
  for (let times = 0; times < 2; times++)
    expect(await stop(21)).toMatchObject({ state: 'running', processed: 21, imported: 1 })
  await report(limited.slice(1).map((n) => ({ n, imported: true })))
  expect(await stop(31)).toMatchObject({ state: 'running', processed: 39, imported: 9 })
  expect(await stop(41)).toMatchObject({ state: 'finished', processed: 45, imported: 9 })
})

test('a run of an import that is repeated queues the next run once', async () => {
  const { session } = await createAccount('repeated')
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const local = await here()
  const names = Array.from({ length: 25 }, (_, i) => `absent${i}@${local}`)
  const { id } = await upload(session, 'blocks', names.join('\n'))
  await harness.db('accounts').run(sql`update imports set state = 'running' where id = ${id}`)
  const queue = vi.fn(async () => undefined)
  const run = () => importWork.run({ ...ctx, queue }, { id }, { id: '83', tries: 1 })
  await run()
  await run()
  expect(queue).toHaveBeenCalledTimes(1)
  const waiting = sql`select count(*)::int as n from import_rows where import_id = ${id} and state = 'waiting'`
  expect(await harness.db('accounts').row(waiting)).toEqual({ n: 5 })
})

test('a repeated run announces no second page of bookmarks, and does not restart a restored import again', async () => {
  const { session } = await createAccount('onepage')
  const db = harness.db('accounts')
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const uris = Array.from({ length: 25 }, (_, n) => `https://far.example/page/${n}`)
  const { id } = await upload(session, 'bookmarks', `#uri\n${uris.join('\n')}`)
  await db.run(sql`update imports set state = 'running' where id = ${id}`)
  const run = (restored: boolean, job: string) => importWork.run(ctx, { id, restored }, { id: job, tries: 1 })
  const pages = async () =>
    (await db.rows(sql`select 1 from outbox where subject = ${bookmarksWanted.subject} and data::jsonb->>'id' = ${id}`))
      .length
  for (let times = 0; times < 2; times++) await run(false, '84')
  expect(await pages()).toBe(1)
  await db.run(sql`update import_rows set state = 'failed' where import_id = ${id}`)
  const finish = sql`update imports set state = 'finished' where id = ${id}`
  await db.run(finish)
  await run(true, '85')
  await harness.waitForIdle()
  expect(await pages()).toBe(2)
  await db.run(sql`update import_rows set state = 'failed' where import_id = ${id}`)
  await db.run(finish)
  await run(true, '85')
  expect(await db.row(sql`select state from imports where id = ${id}`)).toEqual({ state: 'finished' })
})

test('a replayed job imports the failed rows of a finished import, and removes nothing', async () => {
  const { viewer, session } = await createAccount('again')
  const [later] = await Promise.all(['lateragain', 'wantedagain'].map((name) => harness.createAccount(name)))
  const db = harness.db('accounts')
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const state = async (id: string) => (await harness.call(showImport, { session, id })).import
  const running = async (kind: ImportKind, text: string) => {
    const { id } = await upload(session, kind, text, true)
    await db.run(sql`update imports set state = 'running' where id = ${id}`)
    return id
  }
  const follows = await running('follows', `wantedagain@${await here()}\n`)
  await importWork.gaveUp?.(ctx, { id: follows }, { id: '1' })
  expect(await state(follows)).toMatchObject({ state: 'finished', processed: 1, imported: 0 })
  await harness.call(createFollow, { id: later?.id ?? '' }, viewer)
  const replay = () => importWork.run(ctx, importWork.restored?.({ id: follows }), { id: '1', tries: 1 })
  for (let times = 0; times < 2; times++) {
    await replay()
    await harness.waitForIdle()
    expect(await state(follows)).toMatchObject({ state: 'finished', processed: 1, imported: 1 })
  }
  expect((await followed(viewer)).sort()).toEqual(['lateragain', 'wantedagain'])

  const marks = await running('bookmarks', '#uri\nhttps://far.example/1\nhttps://far.example/2')
  const due = async (account: string) => (await harness.call(checkImportRemoval, { id: marks, account })).due
  expect([await due(viewer.id), await due(later?.id ?? '')]).toEqual([true, false])
  await harness.call(importReport, { id: marks, cleared: false, clear_failed: true, rows: [] })
  expect(await due(viewer.id)).toBe(false)
  await harness.call(importReport, { id: marks, cleared: false, restart: true, rows: [] })
  await harness.waitForIdle()
  expect([await due(viewer.id), (await state(marks)).state]).toEqual([false, 'running'])
  const tell = (...imported: boolean[]) =>
    harness.call(importReport, {
      id: marks,
      cleared: false,
      rows: imported.map((one, i) => ({ n: i + 1, imported: one })),
    })
  await tell(true, false)
  expect(await state(marks)).toMatchObject({ state: 'finished', processed: 2, imported: 1 })
  // The job of a row was given up, and ends after all.
  for (let times = 0; times < 2; times++) await tell(true, true)
  expect(await state(marks)).toMatchObject({ state: 'finished', processed: 2, imported: 2 })

  const filters = await running('filters', JSON.stringify({ custom_filters: [{ title: 'a', context: ['home'] }] }))
  await harness.call(importReport, { id: filters, cleared: false, rows: [{ n: 1, imported: false }] })
  const readRows = async (finished?: boolean) =>
    (await harness.call(importFilters, { id: filters, account: viewer.id, after: 0, finished })).rows.map(
      (one) => one.n,
    )
  expect([await readRows(), await readRows(true)]).toEqual([[], [1]])
})

test.each<[string, (account: string) => Sql]>([
  ['disabled', (account) => sql`update users set disabled = true where account_id = ${account}`],
  ['suspended', (account) => sql`update accounts set suspended_at = now() where id = ${account}`],
  ['marked as a memorial', (account) => sql`update accounts set memorial = true where id = ${account}`],
  ['moved to another account', (account) => sql`update accounts set moved_to_id = 1 where id = ${account}`],
])('an import of an account that is %s ends without an effect', async (how, change) => {
  const name = `ender${how.length}`
  const { viewer, session } = await createAccount(name)
  const kept = await harness.createAccount(`kept${how.length}`)
  const wanted = await harness.createAccount(`wanted${how.length}`)
  await harness.call(createFollow, { id: kept.id }, viewer)
  const { id } = await upload(session, 'follows', `wanted${how.length}@${await here()}\n`, true)
  const db = harness.db('accounts')
  await db.run(change(viewer.id))
  await db.tx(async (tx) => {
    await tx.run(sql`update imports set state = 'running' where id = ${id}`)
  })
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  await ctx.queues.push(importJob, { id: `ends-${id}`, data: { id } })
  await harness.waitForIdle()
  expect(await db.rows(sql`select state, processed, imported from imports where id = ${id}`)).toEqual([
    { state: 'finished', processed: 1, imported: 0 },
  ])
  const targets = await db.rows<{ id: string }>(
    sql`select target_id as id from follows where account_id = ${viewer.id}`,
  )
  expect(targets.map((row) => row.id)).toEqual([kept.id])
  expect(targets.map((row) => row.id)).not.toContain(wanted.id)
})

test('an account that moved cannot confirm an import that it uploaded before', async () => {
  const { viewer, session } = await createAccount('leaver')
  const { id } = await upload(session, 'follows', `anyone@${await here()}\n`)
  await harness.db('accounts').run(sql`update accounts set moved_to_id = 1 where id = ${viewer.id}`)
  await expect(harness.call(confirmImport, { session, id })).rejects.toMatchObject({
    status: 403,
    message: 'Your login is currently disabled',
  })
  expect((await harness.call(showImport, { session, id })).import.state).toBe('unconfirmed')
})
