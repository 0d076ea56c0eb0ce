/** Inbox store on a real database: one row per activity, replacement by redeliveries, deletion of old rows, and indexes of queries. */
import { sql } from '@murmuration/db'
import { analyzeTables, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { takeDueActivities } from '../src/inbox/held.store.js'
import {
  activityKey,
  closeEntries,
  deleteActivities,
  type InboundActivity,
  inboxEntries,
  storeActivities,
} from '../src/inbox/inbox.store.js'
import { markUndone, undoneStateOf, undoTargetOf } from '../src/inbox/undo.store.js'
import { app } from '../src/main.js'
import { inboxEntry } from './inbox-entry.js'

let cluster: Awaited<ReturnType<typeof startCluster>>
let counter = 0
beforeAll(async () => {
  cluster = await startCluster({ apps: [app] })
})
afterAll(() => cluster.stop())
const db = () => cluster.db('federation')
beforeEach(async () => {
  await db().run(sql`delete from inbox_activities`)
  await db().run(sql`delete from undone_activities`)
})

const incoming = (more: Partial<InboundActivity> = {}): InboundActivity => ({
  id: String(++counter),
  origin: 'https://a.example',
  activityId: 'https://a.example/1',
  type: 'Like',
  actor: 'https://a.example/users/a',
  ownerId: null,
  body: '{}',
  ...more,
})
const keep = async (more: Partial<InboundActivity> = {}) =>
  (await db().tx((tx) => storeActivities(tx, [incoming(more)])))[0] ?? null
const close = async (id: string, outcome: 'done' | 'ignored' | 'refused') =>
  (await closeEntries(db(), [{ id, outcome, reason: null }]))[0]

test('an activity is stored once per origin and id, and each time without an id', async () => {
  expect(await keep()).not.toBe(null)
  expect(await keep()).toBe(null)
  expect(await keep({ origin: 'https://b.example' })).not.toBe(null)
  expect(await keep({ activityId: null })).not.toBe(null)
  expect(await keep({ activityId: null })).not.toBe(null)
})

test('activities about different objects are stored under one id, each once', async () => {
  for (const objects of [[], ['https://a.example/n1'], ['https://a.example/n2'], ['https://a.example/n1', 'x']]) {
    expect(await keep({ objects })).not.toBe(null)
    expect(await keep({ objects, body: '{"other":1}' })).toBe(null)
  }
})

test('an activity without an id is stored once per bytes and signature', async () => {
  const unnamed = { activityId: null, signedAt: new Date(0) }
  expect(await keep(unnamed)).not.toBe(null)
  expect(await keep(unnamed)).toBe(null)
  expect(await keep({ ...unnamed, signedAt: new Date(1_000) })).not.toBe(null)
  expect(await keep({ ...unnamed, body: '{"other":1}' })).not.toBe(null)
  expect(await keep({ ...unnamed, origin: 'https://b.example' })).not.toBe(null)
})

test('an Update with other bytes under the same id is stored if it was signed no earlier', async () => {
  const edit = (second: number, body: string) => keep({ type: 'Update', signedAt: new Date(second * 1_000), body })
  const id = (await edit(5, 'one')) as string
  expect(await edit(5, 'two')).toBe(id)
  await close(id, 'done')
  expect(await edit(5, 'three')).toBe(id)
  await close(id, 'done')
  expect([await edit(4, 'four'), await edit(9, 'three')]).toEqual([null, null])
})

test('a batch with equal activities stores each once', async () => {
  const batch = [
    incoming(),
    incoming(),
    incoming({ activityId: null }),
    incoming({ activityId: 'https://a.example/2' }),
  ]
  const kept = await db().tx((tx) => storeActivities(tx, batch))
  expect(kept).toEqual([batch[0]?.id, null, batch[2]?.id, batch[3]?.id])
  const closings = kept.filter((id) => id !== null).map((id) => ({ id, outcome: 'done' as const, reason: null }))
  expect(await closeEntries(db(), closings)).toEqual([true, true, true])
  expect(await closeEntries(db(), closings)).toEqual([false, false, false])
})

test('one of several concurrent deliveries is stored', async () => {
  const kept = await Promise.all(Array.from({ length: 10 }, () => keep()))
  expect(kept.filter((it) => it !== null).length).toBe(1)
})

describe('deliveries that two processes receive at the same time', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
  const store = (...items: InboundActivity[]) => db().tx((tx) => storeActivities(tx, items))
  const idOf = (n: number) => `https://a.example/${n}`

  test('a redelivery queues one job', async () => {
    const id = (await keep({ signedAt: at(1) })) as string
    await close(id, 'done')
    const stored = await Promise.all(Array.from({ length: 10 }, () => keep({ signedAt: at(9) })))
    expect(stored.filter((it) => it !== null)).toEqual([id])
  })

  test('each activity of several batches is stored once, in whatever order the batches name them', async () => {
    const numbers = Array.from({ length: 40 }, (_, n) => n)
    const old = numbers.filter((n) => n % 2 === 0)
    const first = await store(...old.map((n) => incoming({ activityId: idOf(n), signedAt: at(1) })))
    await closeEntries(
      db(),
      first.map((id) => ({ id: String(id), outcome: 'done' as const, reason: null })),
    )
    const batches = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? numbers : numbers.toReversed()))
    const stored = await Promise.all(
      batches.map(async (batch) => {
        const ids = await store(...batch.map((n) => incoming({ activityId: idOf(n), signedAt: at(2) })))
        return batch.filter((_, i) => ids[i] !== null)
      }),
    )
    expect(stored.flat().toSorted((a, b) => a - b)).toEqual(numbers)
  })

  test('an Undo and a redelivery after it: the redelivery waits for the Undo, in either order', async () => {
    for (let n = 0; n < 20; n++) {
      const target = { activityId: idOf(n), origin: 'https://a.example' }
      const id = (await keep({ ...target, signedAt: at(1) })) as string
      await close(id, 'done')
      const key = activityKey('https://a.example', idOf(n))
      const sent = [
        () => keep({ type: 'Undo', activityId: `${idOf(n)}/undo`, undoes: key, signedAt: at(5) }),
        () => keep({ ...target, signedAt: at(6) }),
      ]
      const stored = await Promise.all((n % 2 === 0 ? sent : sent.toReversed()).map((send) => send()))
      expect(stored).toHaveLength(2)
      expect(stored).not.toContain(null)
      expect(await undoneStateOf(db(), key, 'https://a.example/users/a')).toBe('undoing')
    }
  })

  test('a batch that waits for a row finds what the other process wrote', async () => {
    const id = (await keep({ signedAt: at(1) })) as string
    await close(id, 'done')
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const first = db().tx(async (tx) => {
      const stored = await storeActivities(tx, [incoming({ signedAt: at(9) })])
      locked()
      await mayEnd
      return stored
    })
    await isLocked
    const second = keep({ signedAt: at(8) })
    expect(await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))])).toBe('waits')
    end()
    expect([await first, await second]).toEqual([[id], null])
  })
})

test.each([
  ['done', false],
  ['ignored', true],
  ['refused', true],
] as const)('a redelivery after the outcome %s is stored: %s', async (outcome, again) => {
  const id = (await keep()) as string
  expect(await close(id, outcome)).toBe(true)
  expect(await close(id, outcome)).toBe(false)
  expect(await inboxEntry(db(), id)).toMatchObject({ outcome, body: null })
  expect(await keep({ body: '{"again":true}' })).toBe(again ? id : null)
  expect(await inboxEntry(db(), id)).toMatchObject(again ? { outcome: null, body: '{"again":true}' } : { outcome })
})

test('a delivery to another inbox replaces the activity', async () => {
  const id = await keep({ ownerId: '1' })
  expect(await keep({ ownerId: '1' })).toBe(null)
  expect(await keep({ ownerId: '2' })).toBe(id)
})

test('a status is stored per inbox owner, also in one batch and before the first is processed', async () => {
  const batch = ['1', '2', '1'].map((ownerId) => incoming({ type: 'Create', ownerId }))
  const kept = await db().tx((tx) => storeActivities(tx, batch))
  expect(kept).toEqual([batch[0]?.id, batch[1]?.id, null])
  expect(await keep({ type: 'Create', ownerId: '2' })).toBe(null)
})

const KEY = activityKey('https://a.example', 'https://a.example/1')
const ACTOR = 'https://a.example/users/a'
const state = (actor = ACTOR) => undoneStateOf(db(), KEY, actor)
const target = async () => (await undoTargetOf(db(), KEY, ACTOR)).state

test('an Undo counts for its own actor only', async () => {
  await markUndone(db(), KEY, ACTOR)
  expect(await state()).toBe('undone')
  expect(await state('https://a.example/users/b')).toBe('not')
  expect(await target()).toBe('absent')
  const id = (await keep()) as string
  expect(await target()).toBe('waiting')
  await close(id, 'done')
  expect(await target()).toBe('closed')
})

/** Seconds after midnight. */
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const sendActivity = (second: number, more: Partial<InboundActivity> = {}) => keep({ signedAt: at(second), ...more })
const sendUndo = (second: number, n: number) =>
  sendActivity(second, { type: 'Undo', activityId: `https://a.example/undo/${n}`, undoes: KEY })

const other = { body: '{"published":"later"}' }

describe('a redelivery under the same id after its Undo', () => {
  test.each(['Follow', 'Like', 'EmojiReact', 'Announce', 'Block'])(
    'a %s signed before the Undo is ignored, and one signed later is stored, with other and with the same bytes',
    async (type) => {
      const id = await sendActivity(1, { type })
      await close(id as string, 'done')
      await close((await sendUndo(5, 1)) as string, 'done')
      for (const second of [1, 3, 4])
        for (const bytes of [{}, other]) expect(await sendActivity(second, { type, ...bytes })).toBe(null)
      expect(await sendActivity(6, { type })).toBe(id)
      expect(await state()).toBe('again')
      await close(id as string, 'done')
      expect(await sendActivity(6, { type })).toBe(null)
      await close((await sendUndo(8, 2)) as string, 'done')
      for (const second of [6, 7])
        for (const bytes of [{}, other]) expect(await sendActivity(second, { type, ...bytes })).toBe(null)
      expect(await sendActivity(9, { type, ...other })).toBe(id)
    },
  )

  test('a redelivery signed later is stored without an Undo, because its handler checks the current state', async () => {
    const id = (await sendActivity(1)) as string
    await close(id, 'done')
    expect(await sendActivity(2)).toBe(id)
    await close(id, 'done')
    for (const second of [1, 2]) expect(await sendActivity(second)).toBe(null)
  })

  test('a repetition received while the first waits is ignored after the first is processed', async () => {
    const id = (await sendActivity(1)) as string
    expect(await sendActivity(3)).toBe(null)
    await close(id, 'done')
    for (const second of [1, 2, 3]) expect(await sendActivity(second)).toBe(null)
    expect(await sendActivity(4)).toBe(id)
  })

  test('a redelivery signed after an Undo that another server passed on was received is stored', async () => {
    const id = (await sendActivity(1)) as string
    await close(id, 'done')
    await close((await keep({ type: 'Undo', activityId: 'https://a.example/undo/1', undoes: KEY })) as string, 'done')
    expect(await sendActivity(6)).toBe(null)
    expect(await keep({ signedAt: new Date(Date.now() + 60_000) })).toBe(id)
  })

  const undoAt = (second: number) =>
    incoming({ type: 'Undo', activityId: 'https://a.example/undo/1', undoes: KEY, signedAt: at(second), body: 'undo' })
  const orders = <T>(all: readonly T[]): T[][] =>
    all.length < 2 ? [[...all]] : all.flatMap((one, i) => orders(all.toSpliced(i, 1)).map((rest) => [one, ...rest]))
  const clear = async () => {
    await db().run(sql`delete from inbox_activities`)
    await db().run(sql`delete from undone_activities`)
  }

  test('an activity, its Undo and the same bytes again in one batch, in any order: it is sent again', async () => {
    for (const batch of orders([incoming({ signedAt: at(1) }), undoAt(5), incoming({ signedAt: at(6) })])) {
      await clear()
      const kept = await db().tx((tx) => storeActivities(tx, batch))
      expect(kept.filter((id) => id !== null)).toHaveLength(2)
      expect([await state(), await target()]).toEqual(['undoing', 'again'])
    }
  })

  test('an activity, its Undo, the same bytes again and an Undo in one batch, in any order: it is undone', async () => {
    const all = [incoming({ signedAt: at(1) }), undoAt(5), incoming({ signedAt: at(6) }), undoAt(9)]
    for (const batch of orders(all)) {
      await clear()
      await db().tx((tx) => storeActivities(tx, batch))
      expect(await state()).toBe('undone')
    }
  })

  test('a Like and an Undo under one id are decided one after the other, and the batch is one transaction', async () => {
    const like = incoming({ signedAt: at(4) })
    const undo = incoming({
      type: 'Undo',
      undoes: activityKey('https://a.example', 'x'),
      signedAt: at(5),
      body: 'undo',
    })
    const others = [2, 3].map((n) => incoming({ activityId: `https://a.example/${n}`, signedAt: at(4) }))
    for (const batch of orders([like, undo, ...others])) {
      await clear()
      const kept = await db().tx((tx) => storeActivities(tx, batch))
      expect(kept).toEqual(batch.map((it) => (it === like ? null : it.id)))
      const rows = await db().rows(sql`select id from inbox_activities where xmin = (
        select xmin from inbox_activities where id = ${undo.id}) order by id`)
      expect(rows).toEqual([undo, ...others].map(({ id }) => ({ id })))
    }
  })

  test.each(['done', 'ignored', 'waiting'] as const)(
    'a Like and an Undo under the id of an activity that is %s are stored without failure',
    async (outcome) => {
      const like = incoming({ signedAt: at(4), ...other })
      const undo = incoming({ type: 'Undo', undoes: KEY, signedAt: at(5), body: 'undo' })
      for (const batch of orders([like, undo])) {
        await clear()
        const id = (await sendActivity(1)) as string
        if (outcome !== 'waiting') await close(id, outcome)
        const kept = await db().tx((tx) => storeActivities(tx, batch))
        expect(new Set(kept.filter((it) => it !== null)).size).toBeLessThanOrEqual(1)
      }
    },
  )

  test('a redelivery of a waiting Undo undoes the redelivery before it, and not the one after it', async () => {
    const id = (await sendActivity(1)) as string
    await close(id, 'done')
    const put = async (one: InboundActivity) => (await db().tx((tx) => storeActivities(tx, [one])))[0]
    await put(undoAt(5))
    expect(await sendActivity(6)).toBe(id)
    expect(await state()).toBe('undoing')
    expect(await put(undoAt(5))).toBe(null)
    expect(await state()).toBe('undoing')
    expect(await put(undoAt(8))).toBe(null)
    expect([await state(), await target()]).toEqual(['undone', 'waiting'])
    expect(await sendActivity(9)).toBe(id)
    expect([await state(), await target()]).toEqual(['undoing', 'again'])
  })

  test('an activity undone while it waited has an effect when it is sent again at once', async () => {
    const id = (await sendActivity(1)) as string
    await sendUndo(5, 1)
    await close(id, 'ignored')
    expect(await sendActivity(6)).toBe(id)
    expect(await state()).toBe('undoing')
  })

  test('other bytes signed in the same second as the Undo are stored', async () => {
    const id = (await sendActivity(1)) as string
    await close(id, 'done')
    await close((await sendUndo(5, 1)) as string, 'done')
    expect(await sendActivity(5, other)).toBe(id)
    expect(await state()).toBe('again')
  })

  test('a redelivery that another server passed on is ignored', async () => {
    await close((await sendActivity(1)) as string, 'done')
    await close((await sendUndo(5, 1)) as string, 'done')
    expect(await keep({ signedAt: null })).toBe(null)
  })

  test('a redelivery waits for its Undo, and the Undo does not wait for it', async () => {
    const id = (await sendActivity(1)) as string
    await close(id, 'done')
    const undo = (await sendUndo(5, 1)) as string
    expect(await sendActivity(6, other)).toBe(id)
    expect([await state(), await target()]).toEqual(['undoing', 'again'])
    await close(undo, 'done')
    expect([await state(), await target()]).toEqual(['again', 'again'])
    await close(id, 'done')
    // A second Undo is about the redelivery.
    await sendUndo(8, 2)
    expect(await target()).toBe('closed')
  })

  test('a redelivery replaces a waiting activity, whose job then closes nothing', async () => {
    const id = (await sendActivity(1)) as string
    const [entry] = await inboxEntries(db(), [id])
    await sendUndo(5, 1)
    expect([await state(), await target()]).toEqual(['undone', 'waiting'])
    expect(await sendActivity(6, other)).toBe(id)
    expect([await state(), await target()]).toEqual(['undoing', 'again'])
    const closing = { id, outcome: 'ignored' as const, reason: 'undone-before' }
    expect(await closeEntries(db(), [{ ...closing, kept: entry?.kept as string }])).toEqual([false])
    const [again] = await inboxEntries(db(), [id])
    expect(await closeEntries(db(), [{ ...closing, kept: again?.kept as string }])).toEqual([true])
  })

  test.each(['done', 'waiting'])(
    'a redelivery in one batch with its Undo waits for it, if the first was %s',
    async (first) => {
      const undo = incoming({ type: 'Undo', activityId: 'https://a.example/undo/1', undoes: KEY, signedAt: at(5) })
      for (const batch of [
        [undo, incoming({ signedAt: at(6), ...other })],
        [incoming({ signedAt: at(6), ...other }), undo],
      ]) {
        await db().run(sql`delete from inbox_activities`)
        await db().run(sql`delete from undone_activities`)
        const id = (await sendActivity(1)) as string
        if (first === 'done') await close(id, 'done')
        const kept = await db().tx((tx) => storeActivities(tx, batch))
        expect(kept).toEqual(batch.map((one) => (one === undo ? undo.id : id)))
        expect([await state(), await target()]).toEqual(['undoing', 'again'])
        await close(undo.id, 'done')
        expect([await state(), await target()]).toEqual(['again', 'again'])
      }
    },
  )

  test('a redelivery in one batch with a later Undo is undone', async () => {
    await close((await sendActivity(1)) as string, 'done')
    const undo = incoming({ type: 'Undo', activityId: 'https://a.example/undo/1', undoes: KEY, signedAt: at(9) })
    await db().tx((tx) => storeActivities(tx, [incoming({ signedAt: at(6), ...other }), undo]))
    expect(await target()).toBe('closed')
  })

  test('a delivery to a second inbox after the Undo is no redelivery', async () => {
    const id = (await sendActivity(1)) as string
    await sendUndo(5, 1)
    expect(await sendActivity(6, { ownerId: '2' })).toBe(id)
    expect([await state(), await target()]).toEqual(['undone', 'waiting'])
  })

  test('an activity without effect is late, until its actor signs other bytes, or the same six hours later', async () => {
    await close((await sendUndo(5, 1)) as string, 'done')
    const id = (await sendActivity(6)) as string
    expect(await state()).toBe('undone')
    await close(id, 'ignored')
    expect(await sendActivity(7)).toBe(id)
    expect(await state()).toBe('undone')
    await close(id, 'ignored')
    expect(await sendActivity(6, other)).toBe(id)
    expect(await state()).toBe('undone')
    await close(id, 'ignored')
    await db().run(sql`update inbox_activities set closed_at = closed_at - interval '7 hours'`)
    expect(await sendActivity(8, other)).toBe(id)
    expect(await state()).toBe('again')
    await close(id, 'ignored')
    expect(await sendActivity(9)).toBe(id)
    expect(await state()).toBe('again')
  })

  test('a second Undo, and an Undo received before its activity, undo it', async () => {
    const id = (await sendActivity(1)) as string
    await close(id, 'done')
    await close((await sendUndo(5, 1)) as string, 'done')
    expect(await sendActivity(6, other)).toBe(id)
    await sendUndo(7, 2)
    expect([await state(), await target()]).toEqual(['undone', 'waiting'])
    await db().run(sql`delete from inbox_activities`)
    await db().run(sql`delete from undone_activities`)
    await close((await sendUndo(5, 1)) as string, 'done')
    await sendActivity(6)
    expect(await state()).toBe('undone')
  })
})

test('old rows are deleted, a bounded number at a time', async () => {
  for (let n = 0; n < 5; n++) await keep({ activityId: `https://a.example/${n}` })
  await db().run(
    sql`update inbox_activities set received_at = now() - interval '8 days' where activity_id <> 'https://a.example/0'`,
  )
  expect(await deleteActivities(db(), 3)).toBe(3)
  expect(await deleteActivities(db(), 3)).toBe(1)
  expect(await db().rows(sql`select activity_id from inbox_activities`)).toEqual([
    { activity_id: 'https://a.example/0' },
  ])
})

const plan = async (query: ReturnType<typeof sql>): Promise<string> =>
  db().tx(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    const rows = await tx.rows<{ 'QUERY PLAN': string }>(query)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })

test('sites with many due activities do not keep those of other sites waiting', async () => {
  await db().run(sql`insert into held_activities (id, site, tries, due_at)
    select n, 'a' || n % 4, 0, now() - interval '1 hour' from generate_series(1, 400) as n
    union all select 401, 'z', 0, now() - interval '1 second'`)
  const taken = await db().tx((tx) => takeDueActivities(tx, { ofSite: 100, limit: 10 }))
  expect(Object.entries(Object.groupBy(taken, (one) => one.site)).map(([site, all]) => [site, all?.length])).toEqual(
    expect.arrayContaining([['z', 1], ...['a0', 'a1'].map((site) => [site, expect.any(Number)])]),
  )
  expect(taken).toHaveLength(10)
  expect(Math.max(...Object.values(Object.groupBy(taken, (one) => one.site)).map((all) => all?.length ?? 0))).toBe(3)
  await db().run(sql`delete from held_activities`)
})

test('each query has its index', async () => {
  const key = activityKey('https://a.example', 'https://a.example/1')
  // The planner has no preference for an index of an empty table.
  await db().run(sql`insert into inbox_activities (id, key, type, actor, outcome)
    select 1000000 + n, sha256(n::text::bytea), 'Like', 'x', 'done' from generate_series(1, 500) as n`)
  await db().run(
    sql`insert into undone_activities (key, actor) select sha256(n::text::bytea), 'x' from generate_series(1, 500) as n`,
  )
  await analyzeTables(cluster.env.DATABASE_URL ?? '', 'federation.inbox_activities', 'federation.undone_activities')
  expect(await plan(sql`explain select id from inbox_activities where key = ${key} and actor = ${'x'}`)).toContain(
    'inbox_activities_key',
  )
  expect(await plan(sql`explain select body from inbox_activities where id = ${1}`)).toContain('inbox_activities_pkey')
  expect(
    await plan(
      sql`explain select id from inbox_activities where received_at < now() - interval '7 days' order by received_at limit 10`,
    ),
  ).toContain('inbox_activities_received_at')
  expect(await plan(sql`explain select 1 from undone_activities where key = ${key} and actor = ${'x'}`)).toContain(
    'undone_activities_pkey',
  )
  expect(
    await plan(sql`explain select 1 from undone_activities u left join inbox_activities i on i.key = u.key and i.actor = u.actor
      where u.key = ${key} and u.actor = ${'x'}`),
  ).toMatch(/inbox_activities_key[\s\S]*undone_activities_pkey|undone_activities_pkey[\s\S]*inbox_activities_key/)
  await db().run(sql`insert into held_activities (id, site, tries, due_at)
    select n, 'site' || n % 2, 0, now() + make_interval(secs => n) from generate_series(1, 2000) as n`)
  await analyzeTables(cluster.env.DATABASE_URL ?? '', 'federation.held_activities')
  expect(
    await plan(
      sql`explain select id from held_activities where site = ${'site1'} and due_at <= now() order by due_at limit 10`,
    ),
  ).toContain('held_activities_site')
  expect(
    await plan(sql`explain select site from held_activities where site > ${'site0'} order by site limit 1`),
  ).toContain('held_activities_site')
  await db().run(sql`delete from held_activities`)
  expect(await plan(sql`explain select 1 from peers where host = ${'a.example'}`)).toContain('peers_pkey')
  expect(await plan(sql`explain select 1 from gone_actors where account_id = ${1}`)).toContain('gone_actors_pkey')
})
