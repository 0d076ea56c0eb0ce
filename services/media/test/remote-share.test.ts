/** Tests of many remote files: each host has its share of worker slots and requests, and a file is fetched once for all rows. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from '@murmuration/contracts/kit'
import { attachmentCards, proxyUrls, putRemoteAttachments, showProxied } from '@murmuration/contracts/media'
import { sql } from '@murmuration/db'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { takeDue } from '../src/core/remote-file/copy.store.js'
import { type Harness, startHarness } from './harness.js'
import { telephoneJpeg } from './pictures.js'
import { webm } from './stand-in.js'

let dir: string
let harness: Harness
let remote: WebServer
/** A server that begins its responses immediately, and ends them when a test permits it. */
let slow: WebServer
let release: () => void = () => {}
let gate: Promise<void> = Promise.resolve()
let asked: string[] = []
let slowly = 0
let picture: StubResponse

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remote-share-test-'))
  const authority = createAuthority()
  await writeFile(join(dir, 'ca.pem'), authority.certificate)
  picture = { status: 200, body: await telephoneJpeg(60, 40) }
  const tls = authority.issue(['127.0.0.1'])
  remote = await serve(
    ({ path }) => {
      asked.push(path)
      return picture
    },
    { tls },
  )
  slow = await serve(
    (_request, { response }) => {
      slowly++
      const body = picture.body as Buffer
      response.writeHead(200, { 'content-length': body.length }).write(body.subarray(0, 1))
      void gate.then(() => response.end(body.subarray(1)))
      return undefined
    },
    { tls },
  )
  harness = await startHarness({
    MEDIA_FFMPEG: 'off',
    OUTBOUND_ALLOW_ADDRESSES: '127.0.0.1/32',
    EXTRA_CA_FILE: join(dir, 'ca.pem'),
  })
})
afterAll(async () => {
  release()
  await harness.stop()
  await Promise.all([remote.close(), slow.close()])
  await rm(dir, { recursive: true })
})
beforeEach(async () => {
  asked = []
  await harness.rule()
})
afterEach(async () => {
  release()
  await harness.cluster.waitForIdle()
  harness.context().clock.moveTo(0)
  await db().run(sql`update attachments set retry_at = null`)
})

const db = () => harness.cluster.db('media')
let statuses = 0
const put = async (url: string, media_type = 'image/jpeg'): Promise<string> => {
  const details = { description: null, blurhash: null, width: null, height: null, focus: null }
  const { ids } = await harness.cluster.call(putRemoteAttachments, {
    owner: '99',
    status: String(1_000 + ++statuses),
    attachments: [{ url, media_type, ...details }],
  })
  return ids[0] ?? ''
}
interface Row {
  id: string
  state: string
  failures: number
  retry_at: Date | null
}
const rowsOf = (ids: readonly string[]): Promise<Row[]> =>
  db().rows<Row>(
    sql`select id, state, failures, retry_at from attachments where id = any(${ids}::bigint[]) order by id`,
  )
const missing = async (ids: readonly string[]) => (await rowsOf(ids)).filter((row) => row.state !== 'cached').length
const wake = async () => {
  await harness.tick('media.retry-remote')
  await harness.cluster.waitForIdle()
}
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
/** Sets the clock to a second of a minute that no other test uses, so that limits per minute are not shared. */
const atSecond = (second: number) => {
  const { clock } = harness.context()
  clock.moveTo(0)
  clock.moveTo(3_600_000 - (clock.now() % 60_000) + second * 1_000)
}

test('delivery 2: a slow host uses only its share of worker slots, and files of other hosts are copied', async () => {
  gate = new Promise((resolve) => {
    release = resolve
  })
  const theirs: string[] = []
  for (const n of numbers(20)) theirs.push(await put(`${slow.origin}/${n}.jpg`))
  const id = await put(`${remote.origin}/quick.jpg`)
  await expect.poll(() => missing([id])).toBe(0)
  await expect.poll(() => slowly).toBe(4)
  expect(await missing(theirs)).toBe(20)
  release()
  await harness.cluster.waitForIdle()
  expect((await rowsOf(theirs)).map(({ failures }) => failures)).toEqual(Array(20).fill(0))
  // The others are copied later.
  for (let left = 20; left > 0; ) {
    await wake()
    const now = await missing(theirs)
    expect(now).toBeLessThan(left)
    left = now
  }
  expect(slowly).toBe(20)
})

test('delivery 13: of a host with thousands of files some are queued at once, and the others later in slots', async () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const at = sql`${now}::timestamptz`
  const values = sql`99, 'remote', 'image', 'image/jpeg'`
  await db().run(sql`insert into attachments (id, owner, state, type, media_type, remote_url, created_at, retry_at)
    select n, ${values}, 'https://thousand.example/' || n, ${at}, ${at} - interval '1 hour' from generate_series(1, 1000) n
    union all select 2000 + n, ${values}, 'https://quiet' || n || '.example/a', ${at}, ${at} from generate_series(1, 3) n
    union all select 3000 + n, ${values}, 'https://silent.example/' || n, ${at}, ${at} from generate_series(1, 5) n
    union all select 4000 + n, ${values}, 'https://back.example/' || n, ${at}, ${at} from generate_series(1, 5) n
    union all select 6000 + n, ${values}, 'https://h' || n || '.many.example/a', ${at}, ${at} from generate_series(1, 70) n
    union all select 5000, ${values}, 'https://silent.example/old', ${at} - interval '8 days', ${at}`)
  const over = new Date(now.getTime() + 600_000)
  await db().run(sql`insert into silent_hosts (host, failures, paused_until)
    values ('silent.example', 1, ${over}), ('back.example', 1, ${now})`)
  const again = new Date(now.getTime() + 3_600_000)
  const waitingSince = new Date(now.getTime() - 7 * 86_400_000)
  const turns = await db().tx((tx) =>
    takeDue(tx, 'attachment', { now, again, waitingSince, perHost: 30, slotMs: 10_000, window: 2_000, limit: 200 }),
  )
  const taken = (from: number, to: number) =>
    turns.filter((one) => one.taken && Number(one.id) >= from && Number(one.id) < to).length
  expect([taken(0, 2_000), taken(2_000, 3_000), taken(3_000, 4_000), taken(4_000, 5_000)]).toEqual([30, 3, 0, 1])
  expect(turns.filter((one) => one.givenUp).map(({ id }) => id)).toEqual(['5000'])
  const waits = await db().rows<{ seconds: number; count: number }>(sql`
    select extract(epoch from retry_at - ${at})::int as seconds, count(*)::int as count
    from attachments where id < 2000 group by 1 order by 1`)
  const spread = numbers(33).map((n) => ({ seconds: (n + 1) * 10, count: n < 32 ? 30 : 10 }))
  expect(waits).toEqual([...spread, { seconds: 3_600, count: 30 }])
  // Many names below one registered domain count as one host.
  expect(taken(6_000, 7_000)).toBe(30)
  const delays = await db().rows(sql`select extract(epoch from retry_at - ${at})::int as seconds, count(*)::int as count
    from attachments where id between 6000 and 7000 group by 1 order by 1`)
  expect(delays).toEqual([
    { seconds: 10, count: 30 },
    { seconds: 20, count: 10 },
    { seconds: 3_600, count: 30 },
  ])
  // Files that are neither taken nor postponed stay unchanged.
  await db().run(sql`update attachments set retry_at = ${at} where id between 2001 and 2003`)
  const few = { now, again, waitingSince, perHost: 30, slotMs: 10_000, window: 2_000 }
  const moved = await db().tx((tx) => takeDue(tx, 'attachment', { ...few, limit: 2 }))
  expect(moved.map(({ id, taken }) => [id, taken]).toSorted()).toEqual([
    ['2001', true],
    ['2002', true],
  ])
  // When one request found that a host responds again, the other files are fetched at once.
  const behind = await rowsOf(['4002', '4005'])
  expect(behind.map((row) => row.retry_at?.getTime())).toEqual(Array(2).fill(now.getTime() + 10_000))
  const paused = await rowsOf(['3001', '3005'])
  expect(paused.map((row) => row.retry_at?.getTime())).toEqual([over.getTime(), over.getTime()])
  await db().run(sql`delete from attachments where id < 10000`)
  await db().run(sql`delete from silent_hosts`)
})

test('delivery 6: the cluster requests a limited number of files per minute from a host, and more for viewers', async () => {
  atSecond(5)
  const { hosts, clock } = harness.context()
  const { host } = new URL(remote.origin)
  const may = await Promise.all(numbers(250).map(() => hosts.mayRequest(host, true)))
  expect(may.filter(Boolean)).toHaveLength(200)
  const id = await put(`${remote.origin}/later.jpg`)
  await harness.cluster.waitForIdle()
  expect(asked).toEqual([])
  const minute = (Math.floor(clock.now() / 60_000) + 1) * 60_000
  const [row] = await rowsOf([id])
  expect([row?.failures, row?.retry_at?.getTime()]).toEqual([0, minute])
  const { url } = JSON.parse((await harness.cluster.call(attachmentCards, { ids: [id] })).get(id) ?? '{}')
  const seen = await harness.request(showProxied, { token: url.slice(url.lastIndexOf('/') + 1) }, null)
  expect([seen.status, asked]).toEqual([302, ['/later.jpg']])
  const next = await put(`${remote.origin}/next.jpg`)
  await harness.cluster.waitForIdle()
  expect(await missing([next])).toBe(1)
  clock.moveTo(clock.offset() + 60_000)
  await wake()
  expect(await missing([next])).toBe(0)
})

test('delivery 12: one address is fetched once for all rows at the same time, as a picture and as an attachment', async () => {
  const address = `${remote.origin}/default.jpg`
  const items = numbers(12).map((n) => ({ owner: `5${n}`, kind: 'avatar' as const, remote: address }))
  const answers = await Promise.all(items.map((item) => harness.cluster.call(proxyUrls, { items: [item] })))
  const ids = await Promise.all(numbers(12).map(() => put(address)))
  const faces = answers.map(({ urls }) => harness.keyOf(urls[address] ?? ''))
  const there = async () => {
    const heads = await Promise.all(faces.map((key) => harness.blobs.head(key)))
    return heads.filter((head) => head?.contentType === 'image/jpeg').length
  }
  await harness.cluster.waitForIdle()
  for (let left = 25; left > 0; ) {
    await wake()
    const now = (await missing(ids)) + 12 - (await there())
    expect(now).toBeLessThan(left)
    left = now
  }
  expect(asked).toEqual(['/default.jpg', '/default.jpg'])
  const cards = await harness.cluster.call(attachmentCards, { ids })
  const shown = [...cards.values()].map((text) => JSON.parse(text))
  expect(new Set(shown.map((card) => card.url)).size).toBe(12)
  expect(new Set(shown.map((card) => card.blurhash)).size).toBe(1)
  expect(shown[0]).toMatchObject({ type: 'image', meta: { original: { width: 40, height: 60 } } })
  for (const { url, preview_url } of [shown[0], shown[11]]) {
    expect((await harness.read(url)).equals(await harness.read(shown[5].url))).toBe(true)
    expect((await harness.blobs.head(harness.keyOf(preview_url)))?.contentType).toBe('image/jpeg')
  }
  // Each copy is released separately.
  await harness.blobs.delete([harness.keyOf(shown[0].url)])
  expect(await harness.blobs.head(harness.keyOf(shown[1].url))).not.toBeNull()
})

test('uploads do not wait for many remote files that are slow to decode', async () => {
  const { decoders } = harness.context()
  const { promise, resolve } = Promise.withResolvers<void>()
  let max = 0
  let now = 0
  const draw = decoders.render
  const held = vi.spyOn(decoders, 'render').mockImplementation(async (order) => {
    max = Math.max(max, ++now)
    await promise
    return draw(order).finally(() => now--)
  })
  const ids = await Promise.all(numbers(4).map((n) => put(`${remote.origin}/heavy${n}.jpg`)))
  await expect.poll(() => asked.length).toBe(4)
  resolve()
  await harness.cluster.waitForIdle()
  held.mockRestore()
  expect([max, await missing(ids)]).toEqual([1, 0])
})

test('remote videos beyond the limit are not fetched yet, and viewers still get theirs', async () => {
  const { ffmpeg } = harness.context()
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const available = vi.spyOn(ffmpeg, 'available').mockResolvedValue(true)
  const transcode = vi.spyOn(ffmpeg, 'transcode').mockImplementation(() => promise)
  const before = picture
  picture = { status: 200, body: webm() }
  gate = Promise.resolve()
  slowly = 0
  const origins = [remote.origin, slow.origin]
  const ids = await Promise.all(numbers(8).map((n) => put(`${origins[n % 2]}/film${n}.webm`, 'video/webm')))
  const later = () =>
    db().rows<Row>(sql`select id, failures from attachments
    where id = any(${ids}::bigint[]) and claimed_until is null and retry_at < now() + interval '5 minutes'`)
  await expect.poll(later).toHaveLength(2)
  expect((await later()).map(({ failures }) => failures)).toEqual([0, 0])
  await expect.poll(() => [asked.length + slowly, transcode.mock.calls.length]).toEqual([6, 2])
  // A viewer may use a place that background work may not use.
  const [{ id }] = (await later()) as [Row]
  const { url } = JSON.parse((await harness.cluster.call(attachmentCards, { ids: [id] })).get(id) ?? '{}')
  const token = url.slice(url.lastIndexOf('/') + 1)
  expect((await harness.request(showProxied, { token }, null, { remainingMs: 2_000 })).status).toBe(404)
  await expect.poll(() => asked.length + slowly).toBe(7)
  reject(fail('unprocessable', 'It is broken'))
  await harness.cluster.waitForIdle()
  transcode.mockRestore()
  available.mockRestore()
  picture = before
})

test('delivery 6: the request of a viewer is sent if the worker reached its limit', async () => {
  const address = `${remote.origin}/joined.jpg`
  await harness.rule({ domain: '127.0.0.1', severity: 'noop', reject_media: true, reject_reports: false })
  const second = await put(address)
  await harness.cluster.waitForIdle()
  await harness.rule()
  const { hosts, flight } = harness.context()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const mayRequest = vi
    .spyOn(hosts, 'mayRequest')
    .mockImplementation(async (_host, behind) => (behind ? promise : true))
  const runs = vi.spyOn(flight, 'run')
  await put(address)
  await expect.poll(() => mayRequest.mock.calls.length).toBe(1)
  const { url } = JSON.parse((await harness.cluster.call(attachmentCards, { ids: [second] })).get(second) ?? '{}')
  const seen = harness.request(showProxied, { token: url.slice(url.lastIndexOf('/') + 1) }, null)
  await expect.poll(() => runs.mock.calls.length).toBe(2)
  resolve(false)
  expect([(await seen).status, asked]).toEqual([302, ['/joined.jpg']])
  await harness.cluster.waitForIdle()
  runs.mockRestore()
  mayRequest.mockRestore()
})

test('a file whose copy in another row was lost is fetched from its server', async () => {
  const address = `${remote.origin}/lost.jpg`
  const first = await put(address)
  await harness.cluster.waitForIdle()
  const cards = await harness.cluster.call(attachmentCards, { ids: [first] })
  await harness.blobs.delete([harness.keyOf(JSON.parse(cards.get(first) ?? '{}').url)])
  const second = await put(address)
  await harness.cluster.waitForIdle()
  expect(await missing([second])).toBe(0)
  expect(asked).toEqual(['/lost.jpg', '/lost.jpg'])
})

test('a file that is too large for an undeclared attachment is fetched for a declared video', async () => {
  const { ffmpeg } = harness.context()
  vi.spyOn(ffmpeg, 'available').mockResolvedValue(true)
  const transcode = vi.spyOn(ffmpeg, 'transcode').mockRejectedValue(fail('unprocessable', 'It is broken'))
  const before = picture
  onTestFinished(() => {
    vi.restoreAllMocks()
    picture = before
  })
  // More than the limit of a picture, less than that of a video.
  picture = { status: 200, body: Buffer.concat([webm(), Buffer.alloc(20 * 1_048_576)]) }
  await put(`${remote.origin}/large`, 'application/octet-stream')
  await harness.cluster.waitForIdle()
  expect([asked, transcode.mock.calls.length]).toEqual([['/large'], 0])
  await put(`${remote.origin}/large`, 'video/webm')
  await harness.cluster.waitForIdle()
  expect([asked, transcode.mock.calls.length]).toEqual([['/large', '/large'], 1])
})
