/** Tests of remote files whose copy failed: retried with growing pauses, and given up in the end. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from '@murmuration/contracts/kit'
import {
  attachmentCards,
  fetchRemoteJob,
  proxyUrls,
  putRemoteAttachments,
  showProxied,
} from '@murmuration/contracts/media'
import { type Sql, sql } from '@murmuration/db'
import { ownRequest, within } from '@murmuration/kernel'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { type StubResponse, serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { noSpace } from '../src/core/file/work-directory.js'
import { ChildStopped } from '../src/core/process/child.js'
import { copyRemote } from '../src/remote-file/copy-remote.js'
import { type Harness, startHarness } from './harness.js'
import { telephoneJpeg } from './pictures.js'

let dir: string
let authority: ReturnType<typeof createAuthority>
let harness: Harness
let remote: WebServer
/** A server that closes every connection, and counts them. */
let silent: Server
let cut = 0
let asked = 0
let answer: () => Promise<StubResponse>

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'remote-retry-test-'))
  authority = createAuthority()
  await writeFile(join(dir, 'ca.pem'), authority.certificate)
  remote = await serve(
    () => {
      asked++
      return answer()
    },
    { tls: authority.issue(['127.0.0.1']) },
  )
  silent = createServer((socket) => {
    cut++
    socket.destroy()
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  harness = await startHarness({
    MEDIA_FFMPEG: 'off',
    OUTBOUND_ALLOW_ADDRESSES: '127.0.0.1/32',
    EXTRA_CA_FILE: join(dir, 'ca.pem'),
  })
})
afterAll(async () => {
  await harness.stop()
  await remote.close()
  silent.close()
  await rm(dir, { recursive: true })
})
beforeEach(async () => {
  asked = 0
  answer = async () => ({ status: 502 })
  await harness.rule()
})
afterEach(async () => {
  await harness.cluster.waitForIdle()
  harness.context().clock.moveTo(0)
  await db().run(sql`delete from silent_hosts`)
  await db().run(sql`update attachments set retry_at = null`)
  await db().run(sql`update pictures set retry_at = null`)
})

const db = () => harness.cluster.db('media')
const picture = async (): Promise<StubResponse> => ({ status: 200, body: await telephoneJpeg(300, 200) })
let statuses = 0
const put = async (url: string, domain?: string): Promise<string> => {
  const details = { description: null, blurhash: null, width: null, height: null, focus: null }
  const { ids } = await harness.cluster.call(putRemoteAttachments, {
    owner: '99',
    status: String(1_000 + ++statuses),
    ...(domain && { domain }),
    attachments: [{ url, media_type: 'image/jpeg', ...details }],
  })
  return ids[0] ?? ''
}
const card = async (id: string) =>
  JSON.parse((await harness.cluster.call(attachmentCards, { ids: [id] })).get(id) ?? '{}')
const view = (address: string) =>
  harness.request(showProxied, { token: address.slice(address.lastIndexOf('/') + 1) }, null)
interface Row {
  failures: number
  state: string
  original_key: string | null
  retry_at: Date | null
}
const rowOf = async (id: string): Promise<Row> =>
  (await db().row<Row>(sql`select failures, state, original_key, retry_at from attachments where id = ${id}`)) as Row
/** Runs the tick for files that are due now. */
const wake = async () => {
  await harness.tick('media.retry-remote')
  await harness.cluster.waitForIdle()
}
const MINUTE = 60_000
/** Milliseconds until each further try, which vary by up to 20 %. */
const WAITS = [MINUTE / 2, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE, 360 * MINUTE, 1_440 * MINUTE]

test('delivery 11: files that could not be fetched are retried with growing pauses, and given up in the end', async () => {
  const id = await put(`${remote.origin}/down.jpg`)
  await harness.cluster.waitForIdle()
  expect(asked).toBe(2)
  let now = 0
  for (const [n, wait] of WAITS.entries()) {
    const left = ((await rowOf(id)).retry_at?.getTime() ?? 0) - Date.now() - now
    expect(left).toBeGreaterThan(wait * 0.6)
    expect(left).toBeLessThan(wait * 1.25)
    now += wait * 0.5
    harness.context().clock.moveTo(now)
    await wake()
    expect(asked).toBe(2 + n)
    now += wait
    harness.context().clock.moveTo(now)
    await wake()
    expect(asked).toBe(3 + n)
  }
  expect(await rowOf(id)).toMatchObject({ retry_at: null, failures: 7, state: 'remote' })
  now += 30 * 1_440 * MINUTE
  harness.context().clock.moveTo(now)
  await wake()
  expect(asked).toBe(2 + WAITS.length)
  answer = picture
  expect((await view((await card(id)).url)).status).toBe(302)
  expect(await rowOf(id)).toMatchObject({ retry_at: null, failures: 0, state: 'cached' })
})

test('delivery 11: an avatar, a header and an emoji are fetched when their server responds again, without a viewer', async () => {
  const { urls } = await harness.cluster.call(proxyUrls, {
    items: (['avatar', 'header', 'emoji'] as const).map((kind) => ({
      owner: '97',
      kind,
      remote: `${remote.origin}/${kind}.jpg`,
    })),
  })
  await harness.cluster.waitForIdle()
  const there = () =>
    Promise.all(Object.values(urls).map(async (address) => (await harness.blobs.head(harness.keyOf(address))) !== null))
  expect(await there()).toEqual([false, false, false])
  answer = picture
  harness.context().clock.moveTo(MINUTE)
  await wake()
  expect(await there()).toEqual([true, true, true])
})

test('delivery 5: all processes pause a silent host, and one request probes it', async () => {
  const origin = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const ids: string[] = []
  for (const path of ['/a.jpg', '/b.jpg', '/c.jpg']) {
    ids.push(await put(`${origin}${path}`))
    await harness.cluster.waitForIdle()
  }
  const { url } = await card(ids[0] as string)
  expect((await view(url)).status).toBe(404)
  expect(cut).toBe(1)
  expect((await Promise.all(ids.map(rowOf))).map(({ failures }) => failures)).toEqual([1, 0, 0])
  // The pause is over. Of concurrent requests, one is sent.
  harness.context().clock.moveTo(25_000)
  const addresses = await Promise.all(ids.map(async (id) => (await card(id)).url as string))
  await Promise.all(addresses.map(view))
  expect(cut).toBe(2)
  const hosts = () => db().rows<{ failures: number }>(sql`select failures from silent_hosts`)
  expect(await hosts()).toEqual([{ failures: 2 }])
  // Hosts without files are removed from the table.
  await db().run(sql`update attachments set retry_at = null`)
  harness.context().clock.moveTo(3 * 86_400_000)
  await harness.tick('media.retry-remote')
  expect(await hosts()).toEqual([])
})

test('delivery 5: a file that waits for a silent host keeps its tries, is due after the pause, and is given up after a week', async () => {
  const origin = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
  await put(`${origin}/first.jpg`)
  await harness.cluster.waitForIdle()
  const waits = await put(`${origin}/waits.jpg`)
  await harness.cluster.waitForIdle()
  const pausedUntil = async () =>
    (await db().row<{ paused_until: Date }>(sql`select paused_until from silent_hosts`))?.paused_until
  const before = cut
  expect(await rowOf(waits)).toMatchObject({ failures: 0, retry_at: await pausedUntil() })
  // The pause may grow while the files wait.
  for (const days of [1, 2, 3]) {
    await db().run(sql`update silent_hosts set paused_until = now() + make_interval(days => ${days})`)
    await db().run(sql`update attachments set retry_at = now() - interval '1 second' where id = ${waits}`)
    harness.context().clock.moveTo(MINUTE)
    await wake()
    expect(await rowOf(waits)).toMatchObject({ failures: 0, retry_at: await pausedUntil() })
  }
  await db().run(
    sql`update attachments set created_at = now() - interval '8 days', retry_at = now() - interval '1 second' where id = ${waits}`,
  )
  await wake()
  expect(await rowOf(waits)).toMatchObject({ failures: 0, retry_at: null, state: 'remote' })
  const { queues, ids } = harness.context()
  await db().run(sql`update attachments set retry_at = now() - interval '1 second' where id = ${waits}`)
  await queues.push(fetchRemoteJob, { id: ids.next(), data: { what: 'attachment', id: waits } })
  await harness.cluster.waitForIdle()
  expect(await rowOf(waits)).toMatchObject({ failures: 0, retry_at: null, state: 'remote' })
  expect(cut).toBe(before)
})

test('an emoji is not listed after its last try, and after it waited a week for its host', async () => {
  const listed = async (owner: string, url: string) => {
    const items = [{ owner, kind: 'emoji' as const, remote: url }]
    const { urls } = await harness.cluster.call(proxyUrls, { items })
    await harness.cluster.waitForIdle()
    return Object.keys(urls).length
  }
  const down = `${remote.origin}/emoji-down.png`
  const waits = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/emoji-waits.png`
  const change = (url: string, what: Sql) =>
    db().run(sql`update pictures set ${what}, retry_at = now() - interval '1 second' where remote_url = ${url}`)
  for (const [url, what] of [
    [down, sql`failures = 6`],
    [waits, sql`created_at = now() - interval '8 days'`],
  ] as const) {
    expect(await listed('98', url)).toBe(1)
    expect(await listed('98', url)).toBe(1)
    await change(url, what)
    await wake()
    expect(await listed('98', url)).toBe(0)
  }
})

/** Stores an emoji that became known a month ago and was given up. */
const giveUpEmoji = async (url: string, what: Sql): Promise<void> => {
  await emojiUrls(url)
  await harness.cluster.waitForIdle()
  await db().run(sql`update pictures set created_at = now() - interval '30 days', retry_at = null, failures = 7,
    failed_at = now() - interval '2 days' where remote_url = ${url}`)
  await db().run(sql`update pictures set ${what} where remote_url = ${url}`)
}
const emojiUrls = async (url: string): Promise<string[]> => {
  const items = [{ owner: '98', kind: 'emoji' as const, remote: url }]
  return Object.values((await harness.cluster.call(proxyUrls, { items })).urls)
}
const emojiOf = (url: string) =>
  db().row<{ retry_at: Date | null; given_up_at: Date | null; failures: number; key: string | null }>(
    sql`select retry_at, given_up_at, failures, key from pictures where remote_url = ${url}`,
  )
const setDue = (url: string) =>
  db().run(sql`update pictures set retry_at = now() - interval '1 second' where remote_url = ${url}`)
const pauseHostOf = (url: string) =>
  db().run(sql`insert into silent_hosts (host, failures, paused_until)
    values (${new URL(url).host}, 3, now() + interval '1 hour')`)

test('the further try of an old emoji is not used up without a request', async () => {
  const url = `${remote.origin}/old-emoji.png`
  await giveUpEmoji(url, sql`given_up_at = now() - interval '2 days'`)
  asked = 0
  answer = picture
  expect(await emojiUrls(url)).toEqual([])
  const begun = (await emojiOf(url))?.given_up_at
  // Its host is paused.
  await pauseHostOf(url)
  await wake()
  expect(await emojiOf(url)).toMatchObject({ retry_at: expect.any(Date), given_up_at: begun })
  await db().run(sql`delete from silent_hosts`)
  await setDue(url)
  // Its host has no free slot.
  const take = vi.spyOn(harness.context().hosts, 'take').mockReturnValue(null)
  await wake()
  expect(take).toHaveBeenCalled()
  take.mockRestore()
  expect(await emojiOf(url)).toMatchObject({ retry_at: expect.any(Date), given_up_at: begun })
  expect(asked).toBe(0)
  await setDue(url)
  await wake()
  expect(asked).toBe(1)
  expect(await emojiUrls(url)).toHaveLength(1)
})

test('the further try of an emoji ends a week after it began, if its host is paused or has no free slot', async () => {
  const url = `${remote.origin}/waiting-emoji.png`
  await giveUpEmoji(url, sql`given_up_at = now() - interval '2 days'`)
  asked = 0
  const isWaiting = async () => {
    await setDue(url)
    await wake()
    return (await emojiOf(url))?.retry_at !== null
  }
  const begin = async (days: number) => {
    await db().run(
      sql`update pictures set given_up_at = now() - make_interval(days => ${days}) where remote_url = ${url}`,
    )
  }
  await pauseHostOf(url)
  await begin(6)
  expect(await isWaiting()).toBe(true)
  await begin(8)
  expect(await isWaiting()).toBe(false)
  await db().run(sql`delete from silent_hosts`)
  const take = vi.spyOn(harness.context().hosts, 'take').mockReturnValue(null)
  await begin(6)
  expect(await isWaiting()).toBe(true)
  await begin(8)
  expect(await isWaiting()).toBe(false)
  take.mockRestore()
  // The next further try begins a day later.
  expect(asked).toBe(0)
  expect((await emojiOf(url))?.given_up_at?.getTime()).toBeGreaterThan(Date.now() - MINUTE)
  expect(await emojiUrls(url)).toEqual([])
})

test('the further try of an emoji is used up if the picture was downloaded, but could not be stored', async () => {
  const url = `${remote.origin}/full-emoji.png`
  await giveUpEmoji(url, sql`given_up_at = now() - interval '2 days'`)
  answer = picture
  asked = 0
  const full = vi.spyOn(harness.context().files, 'store').mockRejectedValue(noSpace())
  expect(await emojiUrls(url)).toEqual([])
  await wake()
  full.mockRestore()
  expect([asked, await emojiOf(url)]).toMatchObject([1, { retry_at: null, failures: 8, key: null }])
})

const DAY = 1_440 * MINUTE

test('an emoji that an older release gave up is not listed, and gets a further try', async () => {
  const url = `${remote.origin}/older-emoji.png`
  answer = async () => ({ status: 502 })
  await giveUpEmoji(url, sql`given_up_at = null`)
  expect(await emojiUrls(url)).toEqual([])
  expect(await emojiOf(url)).toMatchObject({ retry_at: expect.any(Date) })
  asked = 0
  answer = async () => ({ status: 404 })
  await wake()
  // The further try failed.
  expect([asked, await emojiOf(url)]).toMatchObject([1, { retry_at: null, key: null }])
  expect((await emojiOf(url))?.given_up_at?.getTime()).toBeGreaterThan(Date.now() - DAY)
  expect(await emojiUrls(url)).toEqual([])
  expect(await emojiOf(url)).toMatchObject({ retry_at: null })
})

test('an emoji whose copy was removed stays listed after a failed request of a client', async () => {
  const url = `${remote.origin}/removed-emoji.png`
  await giveUpEmoji(url, sql`given_up_at = null, failures = 0, failed_at = null`)
  const [address = ''] = await emojiUrls(url)
  expect((await view(address)).status).toBe(404)
  expect(await emojiUrls(url)).toEqual([address])
})

test('F075 a file that could not be stored keeps its tries, and is not fetched repeatedly', async () => {
  answer = picture
  const { files } = harness.context()
  const full = vi.spyOn(files, 'store').mockRejectedValue(noSpace())
  const id = await put(`${remote.origin}/full.jpg`)
  await harness.cluster.waitForIdle()
  const row = await rowOf(id)
  expect([asked, row.failures, row.state]).toEqual([1, 0, 'remote'])
  expect((row.retry_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(MINUTE / 2)
  await db().run(
    sql`update attachments set created_at = now() - interval '1 day', retry_at = now() - interval '1 second' where id = ${id}`,
  )
  harness.context().clock.moveTo(MINUTE)
  await wake()
  const later = await rowOf(id)
  expect([asked, later.failures]).toEqual([2, 0])
  expect((later.retry_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(4 * 60 * MINUTE)
  full.mockRestore()
  await db().run(sql`update attachments set retry_at = now() - interval '1 second' where id = ${id}`)
  await wake()
  expect(await rowOf(id)).toMatchObject({ state: 'cached', retry_at: null })
})

test('a file whose decoder is killed uses up a try, because the file may be the cause', async () => {
  answer = picture
  const killed = fail('unavailable', 'Later', { cause: new ChildStopped('killed', 'it was killed') })
  const render = vi.spyOn(harness.context().decoders, 'render').mockRejectedValue(killed)
  const id = await put(`${remote.origin}/killed.jpg`)
  await harness.cluster.waitForIdle()
  expect(await rowOf(id)).toMatchObject({ failures: 1, state: 'remote' })
  render.mockRestore()
  await db().run(sql`update attachments set retry_at = now() - interval '1 second' where id = ${id}`)
  await wake()
  expect(await rowOf(id)).toMatchObject({ state: 'cached', retry_at: null })
  // The host is not at fault, so it is not paused.
  expect(await db().rows(sql`select host from silent_hosts`)).toEqual([])
})

test('a request whose client has gone still makes the copy', async () => {
  await harness.rule({ domain: '127.0.0.1', severity: 'noop', reject_media: true, reject_reports: false })
  const id = await put(`${remote.origin}/slow.jpg`)
  await harness.cluster.waitForIdle()
  await harness.rule()
  const { promise, resolve } = Promise.withResolvers<void>()
  answer = async () => {
    await promise
    return picture()
  }
  const { url } = await card(id)
  const endsAt = performance.now() + 2_000
  const token = url.slice(url.lastIndexOf('/') + 1)
  expect((await harness.request(showProxied, { token }, null, { remainingMs: 2_000 })).status).toBe(404)
  // The client's request has ended.
  await expect.poll(() => performance.now() > endsAt).toBe(true)
  resolve()
  await expect.poll(async () => (await rowOf(id)).state).toBe('cached')
  expect((await view(url)).status).toBe(302)
  expect(asked).toBe(1)
})

test('the first of two processes keeps the claim of a file while it works, and its copy is stored', async () => {
  await harness.rule({ domain: '127.0.0.1', severity: 'noop', reject_media: true, reject_reports: false })
  const id = await put(`${remote.origin}/long.jpg`)
  await harness.cluster.waitForIdle()
  await harness.rule()
  const { promise, resolve } = Promise.withResolvers<void>()
  answer = async () => {
    await promise
    return picture()
  }
  const context = harness.context()
  const due = { what: 'attachment', id } as const
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const endsAt = performance.now() + 500
  const first = within(ownRequest(500), () => copyRemote(context, due, 'last'))
  await expect.poll(() => asked).toBe(1)
  context.clock.moveTo(100_000)
  await vi.advanceTimersByTimeAsync(30_000)
  const claimed = async () =>
    (await db().row<{ claimed_until: Date }>(sql`select claimed_until from attachments where id = ${id}`))
      ?.claimed_until
  await expect.poll(async () => ((await claimed())?.getTime() ?? 0) > context.clock.now()).toBe(true)
  vi.useRealTimers()
  expect(await copyRemote(context, due, 'last')).toBe('busy')
  await expect.poll(() => performance.now() > endsAt).toBe(true)
  resolve()
  expect(await first).toBe('copied')
  expect(asked).toBe(1)
  expect(await rowOf(id)).toMatchObject({ state: 'cached', retry_at: null })
})

test('a job that was lost with its queue is queued again', async () => {
  const id = await put(`${remote.origin}/unheard.jpg`)
  expect((await rowOf(id)).retry_at).not.toBeNull()
  await harness.cluster.waitForIdle()
  // The job had no outcome, as if it had been lost.
  await db().run(
    sql`update attachments set failures = 0, failed_at = null, retry_at = created_at + interval '1 hour' where id = ${id}`,
  )
  answer = picture
  harness.context().clock.moveTo(61 * MINUTE)
  await wake()
  expect(await rowOf(id)).toMatchObject({ state: 'cached', retry_at: null })
})

test('delivery 4: a pause that a host requests is kept', async () => {
  answer = async () => ({ status: 429, headers: { 'retry-after': '600' } })
  await put(`${remote.origin}/busy.jpg`)
  await harness.cluster.waitForIdle()
  expect(asked).toBe(1)
  harness.context().clock.moveTo(9 * MINUTE)
  await put(`${remote.origin}/other.jpg`)
  await harness.cluster.waitForIdle()
  expect(asked).toBe(1)
  // The host responds, so its pause ends, whatever the response is.
  answer = async () => ({ status: 500 })
  harness.context().clock.moveTo(11 * MINUTE)
  await put(`${remote.origin}/broken.jpg`)
  await harness.cluster.waitForIdle()
  expect(await db().rows(sql`select host from silent_hosts`)).toEqual([])
  answer = picture
  const id = await put(`${remote.origin}/later.jpg`)
  await harness.cluster.waitForIdle()
  expect(await rowOf(id)).toMatchObject({ state: 'cached' })
})

test('delivery 5: a silent host stays paused if its probe could not be sent', async () => {
  const { host } = new URL(remote.origin)
  await db().run(sql`insert into silent_hosts (host, failures, paused_until) values (${host}, 3, now())`)
  const { downloads } = harness.context()
  const busy = vi.spyOn(downloads, 'fetch').mockRejectedValue(fail('unavailable', 'Too much to do', { retryAfter: 30 }))
  await put(`${remote.origin}/unasked.jpg`)
  await harness.cluster.waitForIdle()
  busy.mockRestore()
  expect(await db().rows(sql`select host, failures from silent_hosts`)).toEqual([{ host, failures: 3 }])
  answer = picture
  const { clock } = harness.context()
  clock.moveTo(2 * MINUTE)
  const id = await put(`${remote.origin}/asked.jpg`)
  await harness.cluster.waitForIdle()
  // The file that was not fetched may be fetched now, too.
  expect(await rowOf(id)).toMatchObject({ state: 'cached' })
  expect(await db().rows(sql`select host from silent_hosts`)).toEqual([])
})

test('delivery 4: a host is not paused for redirecting to a silent host, or to one that requests a pause', async () => {
  const cutting = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const patient = await serve(async () => ({ status: 429, headers: { 'retry-after': '3600' } }), {
    tls: authority.issue(['127.0.0.1']),
  })
  const hosts = async () =>
    (await db().rows<{ host: string }>(sql`select host from silent_hosts`))
      .map((one) => `https://${one.host}`)
      .toSorted()
  for (const to of [patient.origin, cutting]) {
    answer = async () => ({ status: 302, headers: { location: `${to}/a.jpg` } })
    await put(`${remote.origin}/moved-${statuses}.jpg`)
    await harness.cluster.waitForIdle()
  }
  expect(await hosts()).toEqual([cutting, patient.origin].toSorted())
  answer = picture
  const id = await put(`${remote.origin}/next.jpg`)
  await harness.cluster.waitForIdle()
  expect(await rowOf(id)).toMatchObject({ state: 'cached' })
  await patient.close()
})

test('a file that a killed process was fetching is fetched by the next one, once', async () => {
  const id = await put(`${remote.origin}/held.jpg`)
  await harness.cluster.waitForIdle()
  answer = picture
  asked = 0
  const { queues, ids, clock } = harness.context()
  await db().run(
    sql`update attachments set claimed_until = ${new Date(Date.now() + 90_000)}, retry_at = null where id = ${id}`,
  )
  await queues.push(fetchRemoteJob, { id: ids.next(), data: { what: 'attachment', id } })
  await harness.cluster.waitForIdle()
  expect(asked).toBe(0)
  clock.moveTo(2 * MINUTE)
  await wake()
  expect(await rowOf(id)).toMatchObject({ state: 'cached', retry_at: null })
  await queues.push(fetchRemoteJob, { id: ids.next(), data: { what: 'attachment', id } })
  await harness.cluster.waitForIdle()
  expect(asked).toBe(1)
})

test('moderation 1 reject_media: a file that was being fetched during the decision is not stored, and not fetched again', async () => {
  const rule = { domain: 'bad.example', severity: 'noop', reject_media: true, reject_reports: false } as const
  answer = async () => {
    await harness.rule(rule)
    return picture()
  }
  const id = await put(`${remote.origin}/a.jpg`, 'bad.example')
  await harness.cluster.waitForIdle()
  expect(await rowOf(id)).toMatchObject({ state: 'remote', original_key: null, retry_at: null })
  expect((await card(id)).url).toBeNull()
  await harness.rule()
  const { url } = await card(id)
  await harness.rule(rule)
  expect((await view(url)).status).toBe(404)
  expect(asked).toBe(1)
})

test('due files are found with an index', async () => {
  const plan = await db().tx(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    return [
      await tx.rows(sql`explain select id from attachments where retry_at <= now() order by retry_at limit 5`),
      await tx.rows(sql`explain select id from pictures where retry_at <= now() order by retry_at limit 5`),
    ]
  })
  expect(JSON.stringify(plan)).toMatch(/attachments_retry.*pictures_retry/)
})
