/** Tests of domain blocks that are removed: accounts that are deleted, stored or decided about meanwhile, and other blocks. */
import { accountRecords, moderateAccount, putRemote, removeRemote } from '@murmuration/contracts/accounts'
import { type Sql, sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { beginDomain } from '../src/moderation/domain.js'
import { OTHERS_PAGE, otherOrders } from '../src/moderation/domain.store.js'
import { purgeKind } from '../src/remote-account/purge.js'
import { type Harness, remoteActor, startAccounts } from './harness.js'

let stamp: string
let harness: Harness
let domain: string
let count = 0
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())
let held: Awaited<ReturnType<typeof holding>> | undefined
beforeEach(() => {
  stamp = new Date(Date.UTC(2026, 0, ++count)).toISOString()
  domain = `removed${count}.example`
})
afterEach(async () => {
  await held?.letGo()
  held = undefined
})

const db = () => harness.db('accounts')
const context = () => {
  const found = harness.host.running.find((one) => one.service === 'accounts')
  if (!found) throw new Error('accounts does not run')
  return found.ctx as unknown as Context
}
type Action = 'suspend' | 'unsuspend' | 'silence' | 'unsilence'
const hold = async (locks: Sql) => {
  held = await holding(db(), locks)
  return held
}
const moderate = (action: Action, more: { domain?: string; stamp?: string } = {}) =>
  harness.call(moderateAccount, { domain, stamp, ...more, action })
const uriOf = (id: number) => `https://${domain}/users/p${id}`
const store = async (id: number) =>
  (await harness.call(putRemote, { actor: { ...remoteActor(`p${id}`, { domain }), uri: uriOf(id) } })).record

/** Stores accounts of the domain, and returns the id of the last one. */
const createAccounts = async (many: number): Promise<number> => {
  const first = 8_000_000 + count * 10_000
  await harness.fillTables(
    'accounts',
    sql`insert into accounts (id, username, domain, uri, url, created_at)
    select ${first}::int + n, 'p' || (${first}::int + n), ${domain},
      'https://' || ${domain}::text || '/users/p' || (${first}::int + n), '', now()
    from generate_series(1, ${many}::int) as n`,
  )
  return first + many
}
const ordersLeft = () => db().rows(sql`select 1 from domain_measures where domain = ${domain}`)

const purge = (id: number) => {
  const input = { domains: [domain], below: false, byUri: false }
  const found = [{ id: String(id), uri: uriOf(id), turned: '' }]
  return context().db.tx((tx) =>
    purgeKind.apply(context(), tx, { id: '1', input, after: '', dryRun: false }, { found, emojis: 0 }),
  )
}
const removals = {
  'deletes itself': (id: number) => harness.call(removeRemote, { uri: uriOf(id) }),
  'is purged with its domain': purge,
}
const measures = [
  { on: 'suspend', off: 'unsuspend', flag: 'suspended' },
  { on: 'silence', off: 'unsilence', flag: 'silenced' },
] as const

test.each(
  (['deletes itself', 'is purged with its domain'] as const).flatMap((how) =>
    measures.map((measure) => ({ how, ...measure })),
  ),
)('an account that $how while its block is removed is not $flag when it is stored again', async (given) => {
  const last = await createAccounts(1_200)
  await moderate(given.on)
  await harness.waitForIdle()
  const { queued, letGo } = await hold(sql`select 1 from accounts where id = ${last} for update`)
  const removing = removals[given.how](last)
  await queued(1)
  await moderate(given.off)
  await queued(2)
  await letGo()
  await removing
  await harness.waitForIdle()
  expect(await store(last)).toMatchObject({ [given.flag]: false })
  expect(await ordersLeft()).toEqual([])
})

/** Stores the decisions of a block about removed accounts of the domain. Every second one of the limited has a mark. */
const removedAccounts = async (many: number): Promise<void> => {
  const ids = sql`select 'https://' || ${domain}::text || '/users/p' || (100000 + n) as uri, n from generate_series(1, ${many}::int) n`
  await harness.fillTables(
    'accounts',
    sql`insert into suspended_actors (uri, suspended_at, suspended_by)
    select uri, now(), ${stamp} from (${ids}) actors`,
    sql`insert into actor_decisions (uri, domain, silenced_at, silenced_by, sensitized_at)
    select uri, ${domain}, now(), ${stamp}, case when n % 2 = 0 then now() end from (${ids}) actors`,
  )
}
const decisionsLeft = (reader: Pick<ReturnType<typeof db>, 'row'>) =>
  reader.row(sql`select (select count(*)::int from suspended_actors where suspended_by = ${stamp}) as suspended,
    count(silenced_by)::int as limited, count(sensitized_at)::int as marked from actor_decisions where domain = ${domain}`)

test('the removal of a block deletes decisions about removed accounts in pages, the first one within the request', async () => {
  await removedAccounts(2_500)
  const begun = await context().db.tx(async (tx) => {
    for (const action of ['unsuspend', 'unsilence'] as const)
      await beginDomain(context(), tx, { domain, action, stamp })
    return decisionsLeft(tx)
  })
  expect(begun).toEqual({ suspended: 1_500, limited: 1_500, marked: 1_250 })
  await harness.waitForIdle()
  expect(await decisionsLeft(db())).toEqual({ suspended: 0, limited: 0, marked: 1_250 })
  expect(await ordersLeft()).toEqual([])
})

test.each(measures)(
  'an account that is stored again while its block is removed is not $flag, although jobs did not reach it',
  async ({ off, flag }) => {
    await removedAccounts(2_500)
    const decisions =
      flag === 'suspended'
        ? sql`suspended_actors where suspended_by = ${stamp}`
        : sql`actor_decisions where silenced_by = ${stamp}`
    const at = async (place: number) =>
      (await db().row<{ uri: string }>(sql`select uri from ${decisions} offset ${place} limit 1`))?.uri ?? ''
    const [middle, last] = [await at(1_500), await at(2_499)]
    const { queued, letGo } = await hold(sql`select 1 from ${decisions} and uri = ${middle} for update`)
    await moderate(off)
    await queued(1)
    const id = Number(last.split('/p')[1])
    const again = await store(id)
    await letGo()
    await harness.waitForIdle()
    expect(again).toMatchObject({ [flag]: false })
    expect((await harness.call(accountRecords, { ids: [again.id] })).records).toMatchObject([{ [flag]: false }])
  },
)

test('a decision of staff about an account stays if its block is removed at the same time', async () => {
  const last = await createAccounts(3)
  await moderate('suspend')
  const { queued, letGo } = await hold(sql`update accounts set suspended_by = 'staff' where id = ${last}`)
  const lifting = moderate('unsuspend')
  await queued(1)
  await letGo()
  await lifting
  await harness.waitForIdle()
  const left = await db().rows(
    sql`select suspended_by from accounts where domain = ${domain} and suspended_at is not null`,
  )
  expect(left).toEqual([{ suspended_by: 'staff' }])
})

test('accounts that change during a page do not end the removal of a block early', async () => {
  const last = await createAccounts(1_700)
  await moderate('suspend')
  await harness.waitForIdle()
  const { queued, letGo } = await hold(sql`update accounts set suspended_by = 'staff' where id = ${last - 1_650}`)
  const lifting = moderate('unsuspend')
  await queued(1)
  await letGo()
  await lifting
  await harness.waitForIdle()
  const left = await db().rows(sql`select id from accounts where domain = ${domain} and suspended_at is not null`)
  expect(left).toEqual([{ id: String(last - 1_650) }])
})

test.each([
  ['the domain', ''],
  ['a subdomain', 'below.'],
])(
  'accounts of a removed block stay suspended by another block of %s, however many they are',
  async (_where, below) => {
    const removed = domain
    domain = below + removed
    const last = await createAccounts(1_700)
    await moderate('suspend', { domain: removed })
    await harness.waitForIdle()
    const { queued, letGo } = await hold(sql`select 1 from accounts where id = ${last - 5} for update`)
    await moderate('unsuspend', { domain: removed })
    await queued(1)
    await moderate('suspend', { stamp: `other ${stamp}` })
    const applied = async () =>
      (
        await db().row<{ n: number }>(
          sql`select count(*)::int as n from accounts where suspended_by = ${`other ${stamp}`}`,
        )
      )?.n
    await expect.poll(applied).toBe(1_500)
    // In this time the jobs of the other block find no more accounts, and end.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await letGo()
    await harness.waitForIdle()
    expect(
      await db().rows(sql`select suspended_by, count(*)::int as n from accounts where domain = ${domain} group by 1`),
    ).toEqual([{ suspended_by: `other ${stamp}`, n: 1_700 }])
  },
)

/** Decisions of the blocks of a domain (`top`) and of a subdomain (`below`), in the order in which they are applied. */
type Decision = [Action, of: 'top' | 'below', domain: 'top' | 'below']
const decisions = async (steps: Decision[]): Promise<void> => {
  const top = domain.replace('below.', '')
  for (const [action, of, on] of steps) {
    await moderate(action, {
      domain: on === 'top' ? top : `below.${top}`,
      stamp: of === 'top' ? stamp : `own ${stamp}`,
    })
    await harness.waitForIdle()
  }
}
const flagged = async () =>
  (
    await db().row<{ n: number }>(sql`select count(*)::int as n from accounts
      where domain = ${domain} and (suspended_at is not null or silenced_at is not null)`)
  )?.n

test.each(
  measures.flatMap(({ on, off, flag }) => {
    const both: Decision[] = [
      [on, 'below', 'below'],
      [on, 'top', 'top'],
      [on, 'top', 'below'],
      [on, 'below', 'below'],
    ]
    const other = on === 'suspend' ? 'silence' : 'suspend'
    const undo = on === 'suspend' ? 'unsilence' : 'unsuspend'
    const cases: [string, Decision[]][] = [
      [
        'the block of the subdomain, then the block of the domain, are removed',
        [
          [off, 'below', 'below'],
          [on, 'top', 'below'],
          [off, 'top', 'top'],
        ],
      ],
      [
        'the block of the domain, then the block of the subdomain, are removed',
        [
          [off, 'top', 'top'],
          [on, 'below', 'below'],
          [off, 'below', 'below'],
        ],
      ],
      [
        'the block of the domain changes its severity, then both are removed',
        [
          [off, 'top', 'top'],
          [other, 'top', 'top'],
          [other, 'top', 'below'],
          [on, 'below', 'below'],
          [off, 'below', 'below'],
          [other, 'top', 'below'],
          [undo, 'top', 'top'],
        ],
      ],
    ]
    return cases.map(([how, removed]) => ({ how, flag, steps: [...both, ...removed] }))
  }),
)('no account of a subdomain stays $flag after $how', async ({ steps }) => {
  domain = `below.${domain}`
  await createAccounts(3)
  await decisions(steps.slice(0, 4))
  expect(await flagged()).toBe(3)
  await decisions(steps.slice(4))
  expect(await flagged()).toBe(0)
})

test('the block of a subdomain applies again after the block of the domain with the same time was removed', async () => {
  domain = `below.${domain}`
  await createAccounts(3)
  await decisions([
    ['suspend', 'top', 'top'],
    ['suspend', 'top', 'below'],
    ['unsuspend', 'top', 'top'],
    ['suspend', 'top', 'below'],
  ])
  expect(await flagged()).toBe(3)
})

test('blocks of very many subdomains apply again in pages after the block of their domain was removed', async () => {
  const many = OTHERS_PAGE + 20
  const last = await createAccounts(many)
  const subdomains = sql`select domain from accounts where right(domain, ${domain.length}) = ${domain}`
  await db().run(sql`update accounts set domain = 's' || id || '.' || domain where domain = ${domain}`)
  await moderate('suspend')
  await harness.waitForIdle()
  await db().run(sql`insert into domain_measures (domain, measure, stamp, "order", action, action_order)
    select domain, 'suspended', 'own', 7, 'suspend', 7 from (${subdomains}) one`)
  const measure = { domain, measure: 'suspended' as const, stamp }
  const first = await otherOrders(db(), measure)
  const rest = await otherOrders(db(), measure, first.at(-1))
  expect([first.length, rest.length]).toEqual([OTHERS_PAGE, 20])
  expect(new Set([...first, ...rest].map((one) => one.domain)).size).toBe(many)
  // The jobs of few accounts suffice.
  await db().run(sql`delete from accounts where id > ${last - many + 2} and id < ${last - 2}`)
  await moderate('unsuspend')
  await harness.waitForIdle()
  expect(
    await db().rows(sql`select suspended_by, count(*)::int as n from accounts
      where right(domain, ${domain.length}) = ${domain} group by 1`),
  ).toEqual([{ suspended_by: 'own', n: 5 }])
  expect(await ordersLeft()).toEqual([])
})
