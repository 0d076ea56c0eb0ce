/** Attempts to publish, move, delete or store a scheduled status that fail halfway: ids, times and attachments. */
import type { ScheduledStatus } from '@murmuration/contracts/entities'
import { fail } from '@murmuration/contracts/kit'
import { returnAttachments } from '@murmuration/contracts/media'
import { type Sql, sql, type Tx } from '@murmuration/db'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkReserved } from '../src/attachment/ticks.js'
import { compose } from '../src/compose/index.js'
import { storeStatus } from '../src/compose/status.js'
import type { Context } from '../src/context.js'
import { publishScheduled } from '../src/scheduled/jobs.js'
import { move as moveOperation } from '../src/scheduled/operations.js'
import { create } from '../src/status/create.operation.js'
import { edit } from '../src/status/edit.operation.js'
import type { FakeAccount, File } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ctx: Context
let ann: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  ann = harness.fakes.fakeAccount('ann')
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const inMinutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString()
const wait = async (status: string, more: object = {}): Promise<{ waiting: ScheduledStatus; file: File }> => {
  const file = harness.fakes.file(ann)
  const input = { status, media_ids: [file.id], scheduled_at: inMinutes(60), ...more }
  return { file, waiting: (await call(statuses.createStatus, input as never, harness.as(ann))) as ScheduledStatus }
}
const db = () => harness.cluster.db('statuses')
/** Marks the row as the tick does that queues the job. */
const queue = ({ id }: ScheduledStatus) =>
  db().run(sql`update scheduled_statuses set queued_at = now() where id = ${id}`)
const due = ({ id }: ScheduledStatus) =>
  db().run(sql`update scheduled_statuses set scheduled_at = now() where id = ${id}`)
const move = ({ id }: ScheduledStatus) =>
  call(statuses.moveScheduled, { id, scheduled_at: inMinutes(120) }, harness.as(ann))
const remove = ({ id }: ScheduledStatus) => call(statuses.removeScheduled, { id }, harness.as(ann))
const show = ({ id }: ScheduledStatus) => call(statuses.showScheduled, { id }, harness.as(ann))
const publish = (on: Context, { id }: ScheduledStatus, tries = 1) =>
  publishScheduled.run(on, { id }, { id: 'x', tries })
const shown = async (text: string) =>
  (await call(statuses.accountTimeline, { id: ann.id }, harness.as(ann))).filter(
    (it) => it.content === `<p>${text}</p>`,
  )
/** Start of ids of a time. */
const idAt = (ms: number) => BigInt(ms) << 16n

type Transact = (run: () => Promise<unknown>) => Promise<unknown>
/** The context with other transactions. */
const withTx = (transact: Transact): Context =>
  Object.assign(Object.create(ctx), {
    db: { ...ctx.db, tx: (work: (tx: Tx) => Promise<unknown>) => transact(() => ctx.db.tx(work)) },
  })
const away = () => fail('unavailable', 'The database is away')
/** The database reports an error, and stores nothing. */
const notStored: Transact = () => Promise.reject(away())
/** The database reports an error although it stored the transaction. */
const stored: Transact = async (run) => {
  await run()
  throw away()
}
/** Only the first transaction is run with `transact`. */
const withFirstTx = (transact: Transact): Context => {
  let isFirst = true
  return withTx((run) => {
    if (!isFirst) return run()
    isFirst = false
    return transact(run)
  })
}
/**
 * The context beside a media service of an earlier release, which cannot give attachments back, and ignores the ids of
 * earlier attempts.
 */
const withOldMedia = (on: Context): Context =>
  Object.assign(Object.create(on), {
    call: (operation: unknown, input: object, ...rest: unknown[]) =>
      operation === returnAttachments
        ? Promise.reject(away())
        : (ctx.call as (...all: unknown[]) => unknown)(operation, { ...input, formerHolders: undefined }, ...rest),
  })
const lostBefore = () => withTx(notStored)
const lostAfter = () => withTx(stored)
const refusing = () => withTx(() => Promise.reject(fail('unprocessable', 'Not now')))
/** Runs the check of attachments that were reserved an hour ago, for the ids that they have. */
const check = (...files: File[]) => {
  const since = new Date().toISOString()
  harness.fakes.reservedFiles = files.map(({ id, owner, status }) => ({ id, owner, status: String(status), since }))
  return checkReserved.run(ctx)
}
/** The context with a database that cannot read which attachments stored statuses have. */
const withoutMedia = (on: Context): Context =>
  Object.assign(Object.create(on), {
    db: {
      ...on.db,
      rows: (query: Sql) =>
        query.text.startsWith('select media_ids from statuses') ? Promise.reject(away()) : ctx.db.rows(query),
    },
  })
const request = (idempotencyKey: string | null) => ({ locale: 'en', caller: null, idempotencyKey })

describe('after an attempt with an unknown result', () => {
  test('a scheduled status with a new time gets an id of that time, and has its attachments', async () => {
    const { waiting, file } = await wait('moved after a try')
    await queue(waiting)
    await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
    expect(file.status).not.toBe(waiting.id)
    await move(waiting)
    expect(file.status).toBe(waiting.id)
    const before = Date.now()
    await due(waiting)
    await expect.poll(() => shown('moved after a try')).toMatchObject([{ media_attachments: [{ id: file.id }] }])
    const [published] = await shown('moved after a try')
    expect(BigInt(published?.id ?? 0)).toBeGreaterThanOrEqual(idAt(before))
    expect(file.status).toBe(published?.id)
  })

  test('the next attempt gets an id of its own time, and takes the attachments', async () => {
    const { waiting, file } = await wait('tried again')
    await queue(waiting)
    await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
    const first = file.status
    await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
    expect(file.status).not.toBe(first)
    await publish(ctx, waiting)
    const [published] = await shown('tried again')
    expect(published).toMatchObject({ id: file.status, media_attachments: [{ id: file.id }] })
    expect(BigInt(published?.id ?? 0)).toBeGreaterThan(BigInt(first ?? 0))
  })

  test('a deleted scheduled status releases its attachments', async () => {
    const { waiting, file } = await wait('deleted after a try')
    await queue(waiting)
    await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
    await remove(waiting)
    expect(file.status).toBeNull()
  })

  test('a published status is not published again, and keeps its attachments', async () => {
    const { waiting, file } = await wait('stored in spite of it')
    await queue(waiting)
    await expect(publish(lostAfter(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
    await publish(ctx, waiting, statuses.publishScheduled.retry.times)
    expect(await shown('stored in spite of it')).toMatchObject([{ id: file.status }])
    for (const change of [move, remove]) await expect(change(waiting)).rejects.toMatchObject({ status: 404 })
    expect(file.status).toBe((await shown('stored in spite of it'))[0]?.id)
  })
})

test('the attachments of a scheduled status that cannot be published stay in it', async () => {
  const { waiting, file } = await wait('refused')
  await queue(waiting)
  await publish(refusing(), waiting).catch(() => null)
  expect(file.status).toBe(waiting.id)
  expect((await show(waiting)).media_attachments.map((one) => one.id)).toEqual([file.id])
  await move(waiting)
  await due(waiting)
  await expect.poll(() => shown('refused')).toMatchObject([{ media_attachments: [{ id: file.id }] }])
  expect(file.status).toBe((await shown('refused'))[0]?.id)
})

test('the attachments of the last attempt, whose result was unknown, are given back', async () => {
  const { waiting, file } = await wait('failed at last')
  await queue(waiting)
  await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
  expect(file.status).not.toBe(waiting.id)
  await publish(withFirstTx(notStored), waiting, statuses.publishScheduled.retry.times)
  expect(await show(waiting)).toHaveProperty('error')
  expect(file.status).toBe(waiting.id)
})

test('a media service that cannot give attachments back delays only their return', async () => {
  const { waiting, file } = await wait('beside an earlier release')
  await queue(waiting)
  await publish(withOldMedia(withFirstTx(notStored)), waiting, statuses.publishScheduled.retry.times)
  expect(await show(waiting)).toHaveProperty('error')
  const attempt = file.status
  expect([null, waiting.id]).not.toContain(attempt)
  const moved = await moveOperation.run(
    withOldMedia(ctx),
    { id: ann.id } as never,
    { id: waiting.id, scheduled_at: inMinutes(120) },
    request(null) as never,
  )
  expect(JSON.parse(String(moved))).toMatchObject({ media_attachments: [{ id: file.id }] })
  expect(file.status).toBe(attempt)
  await due(waiting)
  await expect.poll(() => shown('beside an earlier release')).toMatchObject([{ media_attachments: [{ id: file.id }] }])
  expect(file.status).toBe((await shown('beside an earlier release'))[0]?.id)
})

test('beside a media service of an earlier release, an attempt after one with attachments is retried', async () => {
  const { waiting, file } = await wait('tried beside an earlier release')
  await queue(waiting)
  await expect(publish(withOldMedia(lostBefore()), waiting)).rejects.toMatchObject({ code: 'unavailable' })
  const first = file.status
  await expect(publish(withOldMedia(ctx), waiting)).rejects.toMatchObject({ code: 'unavailable' })
  expect(file.status).toBe(first)
  expect(await show(waiting)).not.toHaveProperty('error')
  await publish(ctx, waiting)
  expect(await shown('tried beside an earlier release')).toMatchObject([{ id: file.status }])
})

test('media services of two releases give the attachments to the next attempt', async () => {
  const { waiting, file } = await wait('beside both releases')
  await queue(waiting)
  await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
  // Only processes of the present release give attachments back. Each release reserves them.
  const mixed: Context = Object.assign(Object.create(ctx), {
    call: (operation: unknown, input: object, ...rest: unknown[]) =>
      (ctx.call as (...all: unknown[]) => unknown)(operation, { ...input, formerHolders: undefined }, ...rest),
  })
  await publish(mixed, waiting)
  expect(await shown('beside both releases')).toMatchObject([{ id: file.status }])
})

test('attachments that are gone are a reason to fail, also after an earlier attempt', async () => {
  const { waiting, file } = await wait('without its file')
  await queue(waiting)
  await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
  harness.fakes.files.delete(file.id)
  await publish(ctx, waiting)
  expect(await show(waiting)).toMatchObject({ error: expect.stringContaining('not found or already attached') })
})

describe('beside a process of an earlier release that publishes the scheduled status', () => {
  /** Ends an attempt as an earlier release does: it stores the status, and deletes the row whatever its attempt is. */
  const publishAs = async (id: string, { id: scheduled }: ScheduledStatus, text: string, file: File) => {
    const composed = await compose(
      ctx,
      ann.id,
      statuses.createStatus.input.parse({ status: text, media_ids: [file.id] }) as never,
      { locale: '', application: null },
    )
    await ctx.db.tx(async (tx) => {
      await storeStatus(ctx, tx, composed.full(id, new Date()))
      await tx.run(sql`delete from scheduled_statuses where id = ${scheduled}`)
    })
  }

  test('the published status keeps the attachments that a later attempt has reserved', async () => {
    const { waiting, file } = await wait('by the older process')
    await queue(waiting)
    await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
    const earlier = String(file.status)
    await publish(
      withFirstTx(async (run) => {
        expect(file.status).not.toBe(earlier)
        await publishAs(earlier, waiting, 'by the older process', file)
        return run()
      }),
      waiting,
    )
    expect(await shown('by the older process')).toMatchObject([{ id: earlier, media_attachments: [{ id: file.id }] }])
    expect(file.status).toBe(earlier)
  })

  test('a file that the published status does not have is released', async () => {
    const { waiting, file } = await wait('with another file')
    const other = harness.fakes.file(ann)
    await queue(waiting)
    await expect(publish(lostBefore(), waiting)).rejects.toMatchObject({ code: 'unavailable' })
    const earlier = String(file.status)
    await publish(
      withFirstTx(async (run) => {
        await publishAs(earlier, waiting, 'with another file', other)
        return run()
      }),
      waiting,
    )
    expect(file.status).toBeNull()
  })
})

test('a job that ended after it marked the status as failed gives the attachments back when it is repeated', async () => {
  const { waiting, file } = await wait('marked and stopped')
  await queue(waiting)
  await publish(withOldMedia(withFirstTx(notStored)), waiting, statuses.publishScheduled.retry.times)
  expect(await show(waiting)).toHaveProperty('error')
  expect(file.status).not.toBe(waiting.id)
  await publish(ctx, waiting)
  expect(file.status).toBe(waiting.id)
  // Without a row, the repeated job does nothing.
  await remove(waiting)
  await publish(ctx, waiting)
  expect(file.status).toBeNull()
})

describe('during an attempt that has reserved the attachments', () => {
  /** The context in which something happens just before the transaction of an attempt. */
  const after = (change: () => Promise<unknown>) =>
    withTx(async (run) => {
      await change()
      return run()
    })

  test('a new time is accepted, and the attempt does not publish the status', async () => {
    const { waiting, file } = await wait('moved in the last moment')
    await queue(waiting)
    await publish(
      after(() => move(waiting)),
      waiting,
    )
    expect(await shown('moved in the last moment')).toEqual([])
    expect(await show(waiting)).not.toHaveProperty('error')
    expect(file.status).toBe(waiting.id)
    await due(waiting)
    await expect.poll(() => shown('moved in the last moment')).toHaveLength(1)
    expect(file.status).toBe((await shown('moved in the last moment'))[0]?.id)
  })

  test('a deletion is accepted, and the attachments are released', async () => {
    const { waiting, file } = await wait('deleted in the last moment')
    await queue(waiting)
    await publish(
      after(() => remove(waiting)),
      waiting,
    )
    expect(await shown('deleted in the last moment')).toEqual([])
    expect(file.status).toBeNull()
  })

  test('a second attempt publishes the status once, and the first one does not mark it as failed', async () => {
    const { waiting, file } = await wait('by two jobs')
    await queue(waiting)
    await publish(
      after(() => publish(ctx, waiting)),
      waiting,
      statuses.publishScheduled.retry.times,
    )
    expect(await shown('by two jobs')).toMatchObject([{ id: file.status }])
    const { waiting: other, file: theirs } = await wait('by a slower job')
    await queue(other)
    // The second attempt has the attachments, and fails later.
    const both = after(() => publish(lostBefore(), other).catch(() => null))
    await publish(both, other, statuses.publishScheduled.retry.times)
    expect(await show(other)).not.toHaveProperty('error')
    await publish(ctx, other)
    expect(await shown('by a slower job')).toMatchObject([{ id: theirs.status }])
  })
})

describe('a request whose result is unknown keeps the attachments', () => {
  const schedule = (on: Context, file: File, key: string | null) =>
    create.run(
      on,
      { id: ann.id } as never,
      statuses.createStatus.input.parse({ status: `keyed ${key}`, media_ids: [file.id], scheduled_at: inMinutes(60) }),
      request(key) as never,
    )
  test.each([
    ['stored', lostAfter],
    ['not stored', lostBefore],
  ])('of a scheduled status that was %s', async (how, lost) => {
    const file = harness.fakes.file(ann)
    const key = `unknown ${how}`
    await expect(schedule(lost(), file, key)).rejects.toMatchObject({ code: 'unavailable' })
    const again = (await call(
      statuses.createStatus,
      { status: `keyed ${key}`, media_ids: [file.id], scheduled_at: inMinutes(60) },
      harness.as(ann),
      { idempotencyKey: key },
    )) as ScheduledStatus
    expect(again.media_attachments.map((one) => one.id)).toEqual([file.id])
    expect(file.status).toBe(again.id)
  })

  test.each([
    ['and was stored', withFirstTx, stored, 1],
    ['and was not stored', withFirstTx, notStored, 0],
    ['if it cannot be read', withTx, stored, 1],
    ['if its absence cannot be read', withTx, notStored, 0],
  ])('of a scheduled status that had no key %s', async (how, transaction, transact, rows) => {
    const file = harness.fakes.file(ann)
    await expect(schedule(transaction(transact), file, null)).rejects.toMatchObject({ code: 'unavailable' })
    const found = await db().rows<{ id: string }>(
      sql`select id from scheduled_statuses where media_ids = array[${file.id}::bigint]`,
    )
    expect(found).toHaveLength(rows)
    if (how === 'and was not stored') expect(file.status).toBeNull()
    else if (rows === 0) expect(file.status).not.toBeNull()
    else expect(file.status).toBe(found[0]?.id)
  })

  test('of concurrent requests with one key', async () => {
    const file = harness.fakes.file(ann)
    const write = () =>
      call(
        statuses.createStatus,
        { status: 'at once', media_ids: [file.id], scheduled_at: inMinutes(60) },
        harness.as(ann),
        { idempotencyKey: 'at once' },
      )
    const all = await Promise.all([write(), write(), write()])
    expect(new Set(all.map((one) => one.id)).size).toBe(1)
    expect(file.status).toBe(all[0]?.id)
  })

  test.each([
    ['stored', stored],
    ['not stored', notStored],
  ])('of an edit that was %s', async (how, transact) => {
    const file = harness.fakes.file(ann)
    const { id } = await harness.post(ann, `edited, ${how}`)
    const input = statuses.editStatus.input.parse({ id, status: 'with a file', media_ids: [file.id] })
    // Only the transaction of the edit fails.
    await expect(
      edit.run(withFirstTx(transact), { id: ann.id } as never, input, request(null) as never),
    ).rejects.toMatchObject({
      code: 'unavailable',
    })
    await check(file)
    expect(file.status).toBe(how === 'stored' ? id : null)
  })

  test.each([
    ['before the other one is stored', false],
    ['after the other one was stored', true],
  ])('of two edits with the same new file, of which one fails %s', async (how, late) => {
    const file = harness.fakes.file(ann)
    const { id } = await harness.post(ann, `two edits, ${how}`)
    const input = (status: string) => statuses.editStatus.input.parse({ id, status, media_ids: [file.id] })
    const run = (on: Context, status: string) =>
      edit.run(on, { id: ann.id } as never, input(status), request(null) as never)
    const away = { code: 'unavailable' }
    const failing = (transact: Transact) => expect(run(withFirstTx(transact), 'fails')).rejects.toMatchObject(away)
    if (late)
      await failing(async (transact) => {
        await run(ctx, 'succeeds')
        return notStored(transact)
      })
    else
      await run(
        withFirstTx(async (transact) => {
          await failing(notStored)
          return transact()
        }),
        'succeeds',
      )
    await check(file)
    expect((await harness.cluster.call(statuses.showStatus, { id }, harness.as(ann))).media_attachments).toHaveLength(1)
    expect(file.status).toBe(id)
  })

  test('of an edit that keeps a file while another edit removes it', async () => {
    const file = harness.fakes.file(ann)
    const { id } = await harness.post(ann, { status: 'kept and removed', media_ids: [file.id] })
    const run = (on: Context, status: string, media_ids: string[]) =>
      edit.run(
        on,
        { id: ann.id } as never,
        statuses.editStatus.input.parse({ id, status, media_ids }),
        request(null) as never,
      )
    // The edit that keeps the file read the status before the other edit removed it, and is stored after.
    await run(
      withFirstTx(async (transact) => {
        await run(ctx, 'without', [])
        return transact()
      }),
      'with',
      [file.id],
    )
    await harness.cluster.waitForIdle()
    expect(harness.fakes.reservedFiles).toMatchObject([{ id: file.id, status: id }])
    await checkReserved.run(ctx)
    expect((await harness.cluster.call(statuses.showStatus, { id }, harness.as(ann))).media_attachments).toHaveLength(1)
    expect(file.status).toBe(id)
  })
})

describe('of two requests with one Idempotency-Key at once', () => {
  let keys = 0
  const soon = () => ({ scheduled_at: inMinutes(60) })
  const now = () => ({})
  const sending = (key: string, more: object) => (on: Context, file: File, text: string) =>
    create.run(
      on,
      { id: ann.id } as never,
      statuses.createStatus.input.parse({ status: text, media_ids: [file.id], ...more }),
      request(key) as never,
    )
  /** Ids of the statuses and scheduled statuses that have a file. */
  const holdersOf = async (file: File) =>
    (
      await db().rows<{ id: string }>(sql`select id from statuses where media_ids @> array[${file.id}::bigint]
        union all select id from scheduled_statuses where media_ids @> array[${file.id}::bigint]`)
    ).map((row) => row.id)
  const refused = { code: 'unprocessable' }

  test.each([
    ['status', 'before', now],
    ['scheduled status', 'before', soon],
    ['status', 'after', now],
    ['scheduled status', 'after', soon],
  ])('the %s keeps its attachments if the other request fails %s it is stored', async (_what, when, more) => {
    const run = sending(`fails ${++keys}`, more())
    const file = harness.fakes.file(ann)
    if (when === 'before')
      await run(
        withFirstTx(async (transact) => {
          await expect(run(refusing(), file, 'fails')).rejects.toMatchObject(refused)
          return transact()
        }),
        file,
        'succeeds',
      )
    else
      await expect(
        run(
          withFirstTx(async () => {
            await run(ctx, file, 'succeeds')
            throw fail('unprocessable', 'Not now')
          }),
          file,
          'fails',
        ),
      ).rejects.toMatchObject(refused)
    expect(await holdersOf(file)).toEqual([file.status])
    await check(file)
    expect(await holdersOf(file)).toEqual([file.status])
    // A repeated request gets the stored one.
    const again = harness.fakes.file(ann)
    await run(ctx, again, 'again')
    expect([await holdersOf(again), again.status]).toEqual([[], null])
  })

  test.each([
    ['a status', 'a scheduled status', now, soon],
    ['a scheduled status', 'a status', soon, now],
  ])('that ask for %s and %s, the stored one keeps its attachments', async (_slow, _fast, slow, fast) => {
    const key = `both kinds ${++keys}`
    const file = harness.fakes.file(ann)
    await sending(key, slow())(
      withFirstTx(async (transact) => {
        await sending(key, fast())(ctx, file, 'fast')
        return transact()
      }),
      file,
      'slow',
    )
    expect(await holdersOf(file)).toEqual([file.status])
  })

  test('the attachments of the request that is not stored become free', async () => {
    const run = sending(`other files ${++keys}`, {})
    const [used, spare] = [harness.fakes.file(ann), harness.fakes.file(ann)]
    await run(
      withFirstTx(async (transact) => {
        await run(ctx, used, 'with one file')
        return transact()
      }),
      spare,
      'with another file',
    )
    expect([await holdersOf(used), await holdersOf(spare)]).toEqual([[used.status], []])
    expect(spare.status).toBeNull()
  })

  test('the second gets the stored status also if its own attachments cannot be released', async () => {
    const run = sending(`cannot release ${++keys}`, {})
    const [used, spare] = [harness.fakes.file(ann), harness.fakes.file(ann)]
    const slow = withFirstTx(async (transact) => {
      await run(ctx, used, 'stored')
      return transact()
    })
    await run(withoutMedia(slow), spare, 'not stored')
    expect(await holdersOf(used)).toEqual([used.status])
    expect(spare.status).not.toBeNull()
    await check(spare)
    expect(spare.status).toBeNull()
  })

  test.each([
    ['with a key', 'refused'],
    ['without a key', null],
  ])('a refused request %s is refused also if its attachments cannot be released', async (_how, key) => {
    const file = harness.fakes.file(ann)
    const input = statuses.createStatus.input.parse({ status: 'refused', media_ids: [file.id] })
    const refusal = create.run(withoutMedia(refusing()), { id: ann.id } as never, input, request(key) as never)
    await expect(refusal).rejects.toMatchObject(refused)
    await check(file)
    expect(file.status).toBeNull()
  })

  test('both of which fail, the attachments become free, and a later request has them', async () => {
    const run = sending(`both fail ${++keys}`, {})
    const file = harness.fakes.file(ann)
    const failing = (on: Context) => expect(run(on, file, 'fails')).rejects.toMatchObject(refused)
    await failing(
      withFirstTx(async () => {
        await failing(refusing())
        throw fail('unprocessable', 'Not now')
      }),
    )
    expect(file.status).toBeNull()
    await run(ctx, file, 'succeeds')
    expect(await holdersOf(file)).toEqual([file.status])
  })
})
