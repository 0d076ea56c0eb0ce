/** Filters imported from a file: one change, statuses found here or on their server, and repeatable. */
import { fetchObject } from '@murmuration/contracts/federation'
import { asFailure } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { liveListener } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { readBookmarkFileWork } from '../src/bookmark/jobs.js'
import type { Context } from '../src/context.js'
import { readFilterFileWork } from '../src/filter/jobs.js'
import { importPauses } from '../src/remote/import-run.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'
import { fetchedNote } from './remote-status.js'

/** Lets the three runs of an import follow at once until the end of the test. */
const withoutPauses = () => {
  const pauses = vi.spyOn(importPauses, 'after').mockImplementation((silent) => (silent < 2 ? 0 : undefined))
  onTestFinished(() => pauses.mockRestore())
}

const published: string[] = []
/** Records which accounts receive `filters_changed`. */
const listener = liveListener<{ e: string }>('live.user.*', ({ e }, subject) => {
  if (e === 'filters_changed') published.push(subject.replace('live.user.', ''))
})

let harness: Harness
let bob: FakeAccount
let far: FakeAccount
beforeAll(async () => {
  harness = await startHarness({}, [listener])
  bob = harness.fakes.fakeAccount('bob')
  far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const document = (title: string, more: object = {}) => ({
  title,
  expires_at: null,
  context: ['home'],
  action: 'warn',
  keywords_attributes: [] as object[],
  statuses: [] as string[],
  ...more,
})
let imports = 100
/** Imports filters and returns the reported outcomes. */
const bring = async (who: FakeAccount, filters: object[], { overwrite = false, id = String(++imports) } = {}) => {
  harness.fakes.filterFiles.set(
    id,
    filters.map((one) => JSON.stringify(one)),
  )
  harness.fakes.reported.delete(id)
  await harness.happen(accounts.filtersWanted, { id, account: who.id, overwrite })
  return (harness.fakes.reported.get(id) ?? []).sort((a, b) => a.n - b.n)
}
const taken = async (who: FakeAccount) => (await call(statuses.takeFilters, { account: who.id })).filters
/** Filters without the ids that differ. */
const kept = async (who: FakeAccount) =>
  (await call(statuses.listFilters, {}, harness.as(who))).map(({ id: _id, keywords, ...rest }) => ({
    ...rest,
    keywords: keywords.map(({ id: _keyword, ...one }) => one),
    statuses: rest.statuses.map((one) => one.status_id),
  }))
const uriOf = (status: { uri?: string | null }) => status.uri ?? ''

test('S-181 an export of one account gives another account equal filters, with one notification', async () => {
  const [ann, eve] = [harness.fakes.fakeAccount('ann'), harness.fakes.fakeAccount('eve')]
  const mine = await harness.post(bob, 'covered')
  const { id } = await call(
    statuses.createFilter,
    {
      title: '=Spoilers, "all"',
      context: ['home', 'thread'],
      filter_action: 'blur',
      expires_in: 3_600,
      keywords_attributes: [
        { keyword: 'finale', whole_word: true },
        { keyword: '#ep 9', whole_word: false },
      ],
    },
    harness.as(ann),
  )
  await call(statuses.addFilterStatus, { filter_id: id, status_id: mine.id }, harness.as(ann))
  await call(statuses.createFilter, { title: 'empty', context: ['public'], expires_in: -5 }, harness.as(ann))
  await call(statuses.createFilter, { title: 'hidden', context: ['account'], filter_action: 'hide' }, harness.as(ann))
  const file = await taken(ann)
  expect(file.map((one) => [one.title, one.action, one.statuses])).toEqual([
    ['=Spoilers, "all"', 'blur', [uriOf(mine)]],
    ['empty', 'warn', []],
    ['hidden', 'hide', []],
  ])
  expect(await call(statuses.countFilters, { account: ann.id })).toEqual({ filters: 3 })
  for (const fakeAccount of [ann, eve]) await harness.present(fakeAccount)
  published.length = 0
  expect(await bring(eve, file)).toEqual([1, 2, 3].map((n) => ({ n, imported: true })))
  expect(await kept(eve)).toEqual(await kept(ann))
  expect(await taken(eve)).toEqual(file)
  // Notifications are ordered: those of the import were sent before this one.
  await call(statuses.createFilter, { title: 'by hand', context: ['home'] }, harness.as(ann))
  await expect.poll(() => published).toContain(ann.id)
  expect(published).toEqual([eve.id, ann.id])
})

test('merging creates no duplicates, overwriting deletes the other filters, and a repeated job changes nothing', async () => {
  const max = harness.fakes.fakeAccount('max')
  const file = [document('one', { keywords_attributes: [{ keyword: 'a', whole_word: true }] }), document('two')]
  const id = String(++imports)
  const first = await bring(max, file, { id })
  const ids = async () => (await call(statuses.listFilters, {}, harness.as(max))).map((one) => one.id)
  const before = await ids()
  expect(before.length).toBe(2)
  expect(await bring(max, [...file, document('three')])).toEqual([1, 2, 3].map((n) => ({ n, imported: true })))
  expect((await ids()).slice(0, 2)).toEqual(before)
  expect((await taken(max)).map((one) => one.title)).toEqual(['one', 'two', 'three'])
  await bring(max, [document('two'), document('four')], { overwrite: true })
  expect((await taken(max)).map((one) => one.title)).toEqual(['two', 'four'])
  expect((await ids())[0]).toBe(before[1])
  // The first import is delivered again, much later.
  expect(await bring(max, file, { id })).toEqual(first)
  expect((await taken(max)).map((one) => one.title)).toEqual(['two', 'four'])
  // A finished or cancelled import has no rows, and must not delete anything.
  expect(await bring(max, [], { overwrite: true })).toEqual([])
  // A file without any valid filter deletes nothing either.
  expect(await bring(max, [document(' ')], { overwrite: true })).toEqual([
    { n: 1, imported: false, problem: expect.any(String) },
  ])
  expect((await taken(max)).length).toBe(2)
})

test('A048 statuses of filters are looked up here and on other servers, and only visible ones are added', async () => {
  withoutPauses()
  const zoe = harness.fakes.fakeAccount('zoe')
  const [open, secret] = [
    await harness.post(bob, 'open'),
    await harness.post(bob, { status: 'secret', visibility: 'private' }),
  ]
  const uris = Array.from({ length: 24 }, (_, n) => `https://far.example/covered/${n}`)
  for (const uri of uris.slice(0, 22)) harness.fakes.outside.set(uri, fetchedNote(far, uri))
  harness.fakes.away.add(uris[23] ?? '')
  const reported = await bring(zoe, [
    document('far', { statuses: uris }),
    document('near', { statuses: [uriOf(open), uriOf(secret)] }),
    document('nonsense', { context: ['kitchen'] }),
  ])
  expect(reported).toEqual([
    { n: 1, imported: true, problem: 'Posts not found here: 2' },
    { n: 2, imported: true, problem: 'Posts not found here: 1' },
    { n: 3, imported: false, problem: 'Context None or invalid context supplied' },
  ])
  const filters = await taken(zoe)
  expect(filters.map((one) => one.statuses)).toEqual([uris.slice(0, 22), [uriOf(open)]])
})

test('statuses of filters are found by addresses with http, and fetched with https', async () => {
  const una = harness.fakes.fakeAccount('una')
  const uris = ['https://far.example/old/1', 'https://far.example/old/2']
  for (const uri of uris) harness.fakes.outside.set(uri, fetchedNote(far, uri))
  const old = uris.map((uri) => uri.replace('https:', 'http:'))
  expect(await bring(una, [document('old', { statuses: old })])).toEqual([{ n: 1, imported: true }])
  expect((await taken(una)).map((one) => one.statuses)).toEqual([uris])
})

test('statuses that a filter contains stay in it, and deleted ones make no difference', async () => {
  const pia = harness.fakes.fakeAccount('pia')
  const author = harness.fakes.fakeAccount('author')
  const [gone, closed] = [await harness.post(author, 'gone'), await harness.post(author, 'closed')]
  await bring(pia, [document('both', { statuses: [uriOf(gone), uriOf(closed)] })])
  const file = await taken(pia)
  await call(statuses.deleteStatus, { id: gone.id }, harness.as(author))
  harness.fakes.blocks.add(`${author.id}>${pia.id}`)
  const before = await kept(pia)
  expect(await bring(pia, file, { overwrite: true })).toEqual([
    { n: 1, imported: true, problem: 'Posts not found here: 1' },
  ])
  expect(await kept(pia)).toEqual(before)
})

const jobOf = {
  bookmarks: (id: string, account: string, uri: string) => (ctx: Context, tries: number) =>
    readBookmarkFileWork.run(ctx, { id, account, clear: false, rows: [{ n: 1, uri }] }, { id: `9${id}`, tries }),
  filters: (id: string, account: string, uri: string) => {
    harness.fakes.filterFiles.set(id, [JSON.stringify(document(uri, { statuses: [uri] }))])
    return (ctx: Context, tries: number) =>
      readFilterFileWork.run(ctx, { id, account, overwrite: false, looked: 0 }, { id: `9${id}`, tries })
  },
}
test.each([
  { kind: 'bookmarks', missing: { n: 1, imported: false } },
  { kind: 'filters', missing: { n: 1, imported: true, problem: 'Posts not found here: 1' } },
] as const)(
  'an import of $kind waits for the policy and, for three runs, for a server that does not respond',
  async ({ kind, missing }) => {
    const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
    withoutPauses()
    const account = harness.fakes.fakeAccount(`waits-for-${kind}`)
    const begin = () => {
      const [id, uri] = [String(++imports), `https://far.example/waited/${imports}`]
      harness.fakes.outside.set(uri, fetchedNote(far, uri))
      return { uri, run: jobOf[kind](id, account.id, uri), reported: () => harness.fakes.reported.get(id) ?? [] }
    }
    const [back, dead] = [begin(), begin()]
    for (const { uri } of [back, dead]) harness.fakes.away.add(uri)
    const requests = () => harness.fakes.asked.filter((one) => one === fetchObject.name).length
    const before = requests()
    // Waits for the policy use up no run.
    const loaded = vi.spyOn(ctx.policy, 'loaded').mockReturnValue(false)
    for (const tries of [1, 2, 3, 4, 5])
      await expect(dead.run(ctx, tries)).rejects.toMatchObject({ code: 'unavailable' })
    loaded.mockRestore()
    expect(requests()).toBe(before)
    await dead.run(ctx, 6)
    await expect.poll(dead.reported).toEqual([missing])
    expect(requests()).toBe(before + 3)
    // The server responds after the first run, which does not report yet.
    const queue = vi.fn<Context['queue']>()
    await back.run({ ...ctx, queue }, 6)
    expect(back.reported()).toEqual([])
    expect(queue).toHaveBeenCalledExactlyOnceWith(
      expect.anything(),
      expect.anything(),
      expect.objectContaining({ silent: 1 }),
    )
    harness.fakes.away.delete(back.uri)
    const [, ...given] = queue.mock.calls[0] as Parameters<Context['queue']>
    await ctx.db.tx((again) => ctx.queue(again, ...(given as [never, never])))
    await expect.poll(back.reported).toEqual([{ n: 1, imported: true }])
  },
)

test('the runs of an import while a server does not respond pause for longer than requests to it', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const { id: account } = harness.fakes.fakeAccount('pauses')
  const id = String(++imports)
  const uri = `https://far.example/paused/${id}`
  harness.fakes.away.add(uri)
  harness.fakes.filterFiles.set(id, [JSON.stringify(document(uri, { statuses: [uri] }))])
  const queued: { silent: number; due: number }[] = []
  let passed = 0
  const later = {
    ...ctx,
    clock: { ...ctx.clock, now: () => ctx.clock.now() + passed },
    queue: async (_tx: unknown, _job: unknown, data: (typeof queued)[number]) => void queued.push(data),
  } as unknown as Context
  const page = { id, account, clear: false, rows: [{ n: 1, uri }] }
  const file = { id, account, overwrite: false, looked: 0 }
  const runs = {
    bookmarks: (more: object) => readBookmarkFileWork.run(later, { ...page, ...more }, { id: 'none', tries: 1 }),
    filters: (more: object) => readFilterFileWork.run(later, { ...file, ...more }, { id: 'none', tries: 1 }),
  }
  for (const run of Object.values(runs)) {
    const begun = later.clock.now()
    queued.length = 0
    await run({})
    for (const silent of [1, 2]) {
      const next = queued.at(-1)
      expect(next).toMatchObject({ silent })
      const early = expect(run(next ?? {})).rejects
      await early.toMatchObject({ code: 'unavailable', extras: { elsewhere: true, retryAfter: expect.any(Number) } })
      expect(queued).toHaveLength(silent)
      passed += (next?.due ?? 0) - later.clock.now()
      await run(next ?? {})
    }
    expect(queued).toHaveLength(2)
    expect(later.clock.now() - begun).toBeGreaterThan(60_000)
  }
  // A restored import begins with the first run.
  expect(readBookmarkFileWork.restored?.({ ...page, silent: 2 })).toMatchObject({
    clear: false,
    restart: true,
    silent: 0,
  })
  expect(readFilterFileWork.restored?.({ ...file, silent: 2 })).toMatchObject({ restored: true, silent: 0 })
})

test('a page of bookmarks reports rows whose server does not respond, and does not wait for them', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const { id: account } = harness.fakes.fakeAccount('waitless')
  const id = String(++imports)
  const rows = ['there', 'away', 'limited'].map((name, i) => ({ n: i + 1, uri: `https://far.example/${name}/${id}` }))
  const [there = '', away = '', limited = ''] = rows.map(({ uri }) => uri)
  harness.fakes.outside.set(there, fetchedNote(far, there))
  harness.fakes.away.add(away)
  harness.fakes.limited.add(limited)
  harness.fakes.repeating.add(id)
  const queue = vi.fn<Context['queue']>()
  const page = { id, account, clear: false, rows }
  await readBookmarkFileWork.run({ ...ctx, queue }, page, { id: 'none', tries: 1 })
  expect(queue.mock.calls.filter(([, job]) => (job as unknown) === statuses.readBookmarkFile)).toEqual([])
  expect(harness.fakes.reported.get(id)).toEqual([{ n: 1, imported: true }])
  expect(harness.fakes.importReports.findLast((one) => one.id === id)?.later).toEqual([
    { n: 2 },
    { n: 3, limited: true },
  ])
})

test('a bookmark or a status of a filter that causes an error on this server fails alone', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const { id: account } = harness.fakes.fakeAccount('faulty')
  const [marks, filters] = [String(++imports), String(++imports)]
  const uris = ['there', 'faulty'].map((name) => `https://far.example/${name}/${marks}`)
  const [there = '', faulty = ''] = uris
  harness.fakes.outside.set(there, fetchedNote(far, there))
  harness.fakes.repeating.add(marks)
  const call = ((operation: unknown, input: { uri?: string; url?: string }, ...more: [never]) =>
    Object.values(input).includes(faulty)
      ? Promise.reject(asFailure(new TypeError('a defect')))
      : ctx.call(operation as never, input as never, ...more)) as unknown as Context['call']
  type Task = Parameters<typeof readFilterFileWork.run>[1]
  const queued: Task[] = []
  let passed = 0
  const broken = {
    ...ctx,
    call,
    clock: { ...ctx.clock, now: () => ctx.clock.now() + passed },
    queue: async (_tx: unknown, _job: unknown, data: Task) => void queued.push(data),
  } as unknown as Context
  const page = (of: readonly string[], tries?: number) =>
    readBookmarkFileWork.run(
      broken,
      { id: marks, account, clear: false, rows: of.map((uri) => ({ n: uris.indexOf(uri) + 1, uri, tries })) },
      { id: 'none', tries: 1 },
    )
  await page(uris)
  const problem = 'Not imported because of an error on this server'
  expect(harness.fakes.reported.get(marks)).toEqual([{ n: 1, imported: true }])
  expect(harness.fakes.importReports.at(-1)?.later).toEqual([{ n: 2, problem }])
  for (const tries of [1, 2]) {
    await page([faulty], tries)
    expect(harness.fakes.importReports.at(-1)?.later).toEqual([{ n: 2, problem }])
  }
  // If all rows have errors in their first try, the queue tries the page again, as after any error but a `Failure`.
  await expect(page([faulty])).rejects.toMatchObject({ name: 'Error', cause: { code: 'unknown' } })

  harness.fakes.filterFiles.set(filters, [
    JSON.stringify(document('both', { statuses: uris })),
    JSON.stringify(document('none')),
  ])
  queued.push({ id: filters, account, overwrite: false, looked: 0 })
  for (let runs = 0; runs < 3; runs++) {
    const task = queued.at(-1) as Task
    passed += Math.max(0, (task.due ?? 0) - broken.clock.now())
    await readFilterFileWork.run(broken, task, { id: 'none', tries: 1 })
  }
  expect(harness.fakes.reported.get(filters)?.toSorted((a, b) => a.n - b.n)).toEqual([
    { n: 1, imported: true, problem: 'Posts not found here: 1' },
    { n: 2, imported: true },
  ])
})

test('a bookmark of a status whose author causes an error on this server is tried again', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const { id: account } = harness.fakes.fakeAccount('marker')
  const author = harness.fakes.fakeAccount('unlucky', { domain: 'far.example' })
  const id = String(++imports)
  const [there, faulty] = ['there', 'faulty'].map((name) => `https://far.example/${name}/${id}`) as [string, string]
  harness.fakes.outside.set(there, fetchedNote(far, there)).set(faulty, fetchedNote(author, faulty))
  harness.fakes.repeating.add(id)
  const call = ((operation: unknown, input: { uri?: string }, ...more: [never]) =>
    input.uri === author.uri
      ? Promise.reject(asFailure(new TypeError('a defect')))
      : ctx.call(operation as never, input as never, ...more)) as unknown as Context['call']
  const rows = [there, faulty].map((uri, i) => ({ n: i + 1, uri }))
  const meta = { id: 'none', tries: 1 }
  await readBookmarkFileWork.run({ ...ctx, call } as Context, { id, account, clear: false, rows }, meta)
  expect(harness.fakes.reported.get(id)).toEqual([{ n: 1, imported: true }])
  expect(harness.fakes.importReports.findLast((one) => one.id === id)?.later).toEqual([
    { n: 2, problem: 'Not imported because of an error on this server' },
  ])
})

test('an import of filters is tried again if each of several addresses causes an error on this server', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const { id: account } = harness.fakes.fakeAccount('defective')
  const id = String(++imports)
  const uris = [1, 2].map((n) => `https://far.example/defective/${n}`)
  const working = 'https://far.example/defective/working'
  harness.fakes.outside.set(working, fetchedNote(far, working))
  const call = ((operation: unknown, input: { url?: string }, ...more: [never]) =>
    uris.includes(input.url ?? '')
      ? Promise.reject(asFailure(new TypeError('a defect')))
      : ctx.call(operation as never, input as never, ...more)) as unknown as Context['call']
  const queue = vi.fn(async () => undefined)
  const run = (statuses: readonly string[], more: object = {}) => {
    harness.fakes.filterFiles.set(id, [JSON.stringify(document('defective', { statuses: [...statuses] }))])
    const task = { id, account, overwrite: false, looked: 0, ...more }
    return readFilterFileWork.run({ ...ctx, call, queue } as unknown as Context, task, { id: 'none', tries: 1 })
  }
  await expect(run(uris)).rejects.toMatchObject({ name: 'Error', cause: { code: 'unknown' } })
  expect(queue).not.toHaveBeenCalled()
  expect(harness.fakes.reported.get(id)).toBeUndefined()
  const missed = (only: readonly number[]) =>
    expect(queue).toHaveBeenLastCalledWith(expect.anything(), expect.anything(), expect.objectContaining({ only }))
  await run(uris.slice(1))
  missed([0])
  await run([working, ...uris])
  missed([1, 2])
  await run(uris, { only: [0, 1], silent: 1 })
  missed([0, 1])
})

test('an import of filters looks up all addresses before it pauses for servers that do not respond', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const { id: account } = harness.fakes.fakeAccount('passes')
  const id = String(++imports)
  const uris = Array.from({ length: 45 }, (_, n) => `https://far.example/pass/${n}`)
  const [silent = '', limited = ''] = [uris[3], uris[44]]
  harness.fakes.away.add(silent)
  harness.fakes.limited.add(limited)
  harness.fakes.filterFiles.set(id, [JSON.stringify(document('passes', { statuses: uris }))])
  type Task = Parameters<typeof readFilterFileWork.run>[1]
  const queued: Task[] = []
  let passed = 0
  const later = {
    ...ctx,
    clock: { ...ctx.clock, now: () => ctx.clock.now() + passed },
    queue: async (_tx: unknown, _job: unknown, data: Task) => void queued.push(data),
  } as unknown as Context
  const run = async (task: Task) => {
    const before = harness.fakes.asked.filter((one) => one === fetchObject.name).length
    passed += Math.max(0, (task.due ?? 0) - later.clock.now())
    await readFilterFileWork.run(later, task, { id: 'none', tries: 1 })
    return harness.fakes.asked.filter((one) => one === fetchObject.name).length - before
  }
  const task = { id, account, overwrite: false, looked: 0 }
  expect(await run(task)).toBe(20)
  expect(queued[0]).toEqual({ ...task, looked: 20, missed: [3], limited: false })
  expect(await run(queued[0] ?? task)).toBe(20)
  expect(queued[1]).toEqual({ ...task, looked: 40, missed: [3], limited: false })
  expect(await run(queued[1] ?? task)).toBe(5)
  // A pass in which a rate limit of this server was reached does not count.
  const second = { ...task, looked: 0, only: [3, 44], missed: [], limited: false }
  expect(queued[2]).toEqual({ ...second, silent: 0, due: expect.any(Number) })
  harness.fakes.limited.delete(limited)
  for (const silent of [1, 2]) {
    expect(await run(queued.at(-1) ?? task)).toBe(silent === 1 ? 2 : 1)
    expect(queued.at(-1)).toEqual({ ...second, only: [3], silent, due: expect.any(Number) })
  }
  expect(harness.fakes.reported.get(id)).toBeUndefined()
  expect(await run(queued.at(-1) ?? task)).toBe(1)
  expect(harness.fakes.reported.get(id)).toMatchObject([{ n: 1, imported: true }])
  expect(queued).toHaveLength(5)
})

test('filters and bookmarks of an import whose job is given up are reported as failed', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const ida = harness.fakes.fakeAccount('ida')
  const id = String(++imports)
  harness.fakes.filterFiles.set(
    id,
    ['one', 'two', 'three'].map((title) => JSON.stringify(document(title))),
  )
  const task = { id, account: ida.id, overwrite: false, looked: 0 }
  await readFilterFileWork.gaveUp?.(ctx, task, { id: '1' })
  const problem = 'Not imported because of an error on this server'
  expect(harness.fakes.reported.get(id)).toEqual([1, 2, 3].map((n) => ({ n, imported: false, problem })))
  expect(await taken(ida)).toEqual([])
  const page = { id: String(++imports), account: ida.id, clear: false, rows: [{ n: 4, uri: 'https://far.example/4' }] }
  await readBookmarkFileWork.gaveUp?.(ctx, page, { id: '1' })
  expect(harness.fakes.reported.get(page.id)).toEqual([{ n: 4, imported: false, problem }])
})

test('the outcomes of an import whose job is given up are those of its stored filters and bookmarks', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const kim = harness.fakes.fakeAccount('kim')
  const id = String(++imports)
  const outcomes = await bring(kim, [document('stored'), document('nonsense', { context: ['kitchen'] })], { id })
  expect(outcomes.map((one) => one.imported)).toEqual([true, false])
  harness.fakes.reported.delete(id)
  const task = { id, account: kim.id, overwrite: false, looked: 0 }
  await readFilterFileWork.gaveUp?.(ctx, task, { id: '1' })
  expect(harness.fakes.reported.get(id)?.toSorted((a, b) => a.n - b.n)).toEqual(outcomes)
  expect(readFilterFileWork.restored?.({ ...task, overwrite: true })).toMatchObject({
    overwrite: false,
    restored: true,
  })

  const [marked, other] = [await harness.post(bob, 'marked'), await harness.post(bob, 'other')]
  await call(statuses.addBookmark, { id: marked.id }, harness.as(kim))
  const rows = [uriOf(marked), uriOf(other), 'https://far.example/none'].map((uri, i) => ({ n: i + 1, uri }))
  const page = { id: String(++imports), account: kim.id, clear: false, rows }
  await readBookmarkFileWork.gaveUp?.(ctx, page, { id: '1' })
  expect(harness.fakes.reported.get(page.id)?.map((one) => one.imported)).toEqual([true, false, false])
})

test('a removal of bookmarks and a filter import that run again queue their next job once', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const max = harness.fakes.fakeAccount('max')
  const queue = vi.fn(async () => undefined)
  const [removal, reading] = [String(++imports), String(++imports)]
  await harness.cluster.db('statuses').run(sql`insert into bookmarks (id, account_id, status_id)
    select n, ${max.id}::bigint, n from generate_series(1, 10001) n`)
  harness.fakes.removalsDue.add(removal)
  const remove = () =>
    readBookmarkFileWork.run(
      { ...ctx, queue },
      { id: removal, account: max.id, clear: true, rows: [] },
      { id: '81', tries: 1 },
    )
  await remove()
  await remove()
  expect(queue).toHaveBeenCalledTimes(1)
  const uris = Array.from({ length: 25 }, (_, i) => `https://far.example/absent/${i}`)
  harness.fakes.filterFiles.set(reading, [JSON.stringify(document('many', { statuses: uris }))])
  const read = () =>
    readFilterFileWork.run(
      { ...ctx, queue },
      { id: reading, account: max.id, overwrite: false, looked: 0 },
      { id: '82', tries: 5 },
    )
  await read()
  await read()
  expect(queue).toHaveBeenCalledTimes(2)
})

test('bookmarks are removed only while their import waits for it, and not by a replay of the failed removal', async () => {
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const lou = harness.fakes.fakeAccount('lou')
  const marked = await harness.post(bob, 'marked')
  await call(statuses.addBookmark, { id: marked.id }, harness.as(lou))
  const bookmarked = async () => (await call(statuses.listBookmarks, {}, harness.as(lou))).map((one) => one.id)
  const id = String(++imports)
  const removal = { id, account: lou.id, clear: true, rows: [] }
  const reports = () => harness.fakes.importReports.filter((one) => one.id === id)
  await readBookmarkFileWork.gaveUp?.(ctx, removal, { id: '1' })
  expect(reports().at(-1)).toMatchObject({ cleared: false, clear_failed: true })
  await readBookmarkFileWork.run(ctx, removal, { id: '1', tries: 1 })
  expect(reports()).toHaveLength(1)
  await readBookmarkFileWork.run(ctx, readBookmarkFileWork.restored?.(removal), { id: '1', tries: 1 })
  expect(reports().at(-1)).toMatchObject({ cleared: false, restart: true })
  expect(await bookmarked()).toEqual([marked.id])
  harness.fakes.removalsDue.add(id)
  await readBookmarkFileWork.run(ctx, removal, { id: '1', tries: 1 })
  expect(reports().at(-1)).toMatchObject({ cleared: true })
  expect(await bookmarked()).toEqual([])
  await readBookmarkFileWork.gaveUp?.(ctx, removal, { id: '1' })
  expect(reports().at(-1)).toMatchObject({ cleared: true, clear_failed: false })
})
