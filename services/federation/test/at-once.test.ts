/** Two processes that process activities about one object at the same time reach a state that some sequence also reaches. */
import {
  applyRemote,
  createBlock,
  createFollow,
  listRelationships,
  moderateAccount,
  removeFollow,
  removeRemote,
} from '@murmuration/contracts/accounts'
import {
  addPin,
  applyRemoteInteraction,
  castRemoteVote,
  createStatus,
  deleteStatus,
  putRemotePin,
  removeRemoteStatus,
  resolveStatus,
  respondToQuote,
  revokeApproval,
  showStatus,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { makeActivity, PUBLIC } from '@murmuration/testkit/outside/remote-actor'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.js'

const TIMES = 16
let fixture: Fixture
/** Account id of rita. */
let rita: string
beforeAll(async () => {
  fixture = await startFixture()
  rita = (await fixture.harness.account(fixture.rita.id))?.id ?? ''
})
afterAll(() => fixture.harness.stop())

const times = <T>(make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, n) => make(n)))
/** Runs both functions concurrently, started in either order. */
const both = (n: number, one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(n % 2 === 0 ? [one(), other()] : [other(), one()])
const call: Fixture['harness']['call'] = (...args) => fixture.harness.call(...args)
const db: Fixture['harness']['db'] = (...args) => fixture.harness.db(...args)
const createAccount: Fixture['harness']['createAccount'] = (...args) => fixture.harness.createAccount(...args)
const rows = async (service: 'accounts' | 'statuses', query: ReturnType<typeof sql>) =>
  (await db(service).rows(query)).length

test.each(['favourite', 'reblog'] as const)(
  'a %s and its Undo, each twice: nothing is stored or counted',
  async (what) => {
    const type = what === 'favourite' ? 'Like' : 'Announce'
    const counted = await times(async (n) => {
      const { id, uri: object } = await fixture.write({ status: `look ${n}` })
      const uri = makeActivity(fixture.rita, type, object).id
      const input = { actor: rita, object, uri, visibility: 'public' as const }
      const twice = (one: () => Promise<unknown>) => () => Promise.all([one(), one()])
      await both(
        n,
        twice(() => call(applyRemoteInteraction, { ...input, what })),
        twice(() => call(applyRemoteInteraction, { ...input, what: `undo-${what}` })),
      )
      const { favourites_count, reblogs_count } = await call(showStatus, { id }, fixture.bob)
      const alive = (await call(statusRecords, { uris: [uri] })).records.filter((it) => !it.deleted).length
      return [favourites_count, reblogs_count, alive]
    })
    expect(counted).toEqual(counted.map(() => [0, 0, 0]))
  },
)

test.each(['favourite', 'reblog'] as const)(
  '%s and Undo under new ids each time: the count equals the stored rows',
  async (what) => {
    const { id, uri: object } = await fixture.write({ status: 'look' })
    await times(async (n) => {
      const uri = makeActivity(fixture.rita, 'Like', object).id
      const input = { actor: rita, object, uri, visibility: 'public' as const }
      await both(
        n,
        () => call(applyRemoteInteraction, { ...input, what, exact: n % 3 === 0 }),
        () => call(applyRemoteInteraction, { ...input, what: `undo-${what}`, exact: n % 3 === 1 }),
      )
    })
    const { favourites_count, reblogs_count } = await call(showStatus, { id }, fixture.bob)
    const favourites = await rows('statuses', sql`select 1 from favourites where status_id = ${id}`)
    const reblogs = await rows(
      'statuses',
      sql`select 1 from reblogs r join statuses s on s.id = r.reblog_id
      where r.status_id = ${id} and s.deleted_at is null and exists (select 1 from post_uris p where p.uri = s.uri and p.status_id = s.id)`,
    )
    expect([favourites_count, reblogs_count]).toEqual([favourites, reblogs])
  },
)

test('a Like during the deletion of the status leaves nothing', async () => {
  const left = await times(async (n) => {
    const { id, uri: object } = await fixture.write({ status: `going ${n}` })
    await both(
      n,
      () => call(applyRemoteInteraction, { what: 'favourite', actor: rita, object, uri: `${fixture.rita.id}#l/${id}` }),
      () => call(deleteStatus, { id }, fixture.bob),
    )
    return (await call(statusRecords, { ids: [id] })).records[0]?.deleted
  })
  expect(left).toEqual(left.map(() => true))
})

test('a concurrent Create, two Updates and Delete leave a deleted status', async () => {
  const { harness } = fixture
  const notes = Array.from({ length: TIMES }, () =>
    fixture.note(fixture.rita, { published: new Date(Date.now() - 60_000).toISOString() }),
  )
  const edit = (n: number) => ({
    content: `<p>${n}</p>`,
    updated: new Date(Date.now() - 50_000 + n * 1_000).toISOString(),
  })
  await Promise.all(
    notes.flatMap((note) =>
      [
        makeActivity(fixture.rita, 'Create', note),
        ...[1, 2].map((n) => makeActivity(fixture.rita, 'Update', { ...note, ...edit(n) })),
        makeActivity(fixture.rita, 'Delete', { id: note.id, type: 'Tombstone' }, { to: [PUBLIC] }),
      ].map((activity) => harness.deliver(fixture.remote, activity, { as: fixture.rita })),
    ),
  )
  await harness.waitForIdle()
  const { records } = await call(statusRecords, { uris: notes.map((note) => note.id) })
  expect(records.filter((it) => !it.deleted)).toEqual([])
})

test('a concurrent Update and Delete of a stored status leave it deleted', async () => {
  const { harness } = fixture
  const notes = Array.from({ length: TIMES }, () =>
    fixture.note(fixture.rita, { published: new Date(Date.now() - 60_000).toISOString() }),
  )
  for (const note of notes)
    await harness.deliver(fixture.remote, makeActivity(fixture.rita, 'Create', note), { as: fixture.rita })
  await harness.waitForIdle()
  await Promise.all(
    notes.map((note, n) => {
      const edited = { ...note, content: '<p>new</p>', updated: new Date(Date.now() - 5_000).toISOString() }
      const update = makeActivity(fixture.rita, 'Update', edited)
      return both(
        n,
        () => harness.deliver(fixture.remote, update, { as: fixture.rita }),
        () => call(removeRemoteStatus, { uri: note.id, author: rita }),
      )
    }),
  )
  await harness.waitForIdle()
  const { records } = await call(statusRecords, { uris: notes.map((note) => note.id) })
  expect(records.map((it) => it.deleted)).toEqual(notes.map(() => true))
})

const relation = async (who: Parameters<typeof call>[2]) => (await call(listRelationships, { id: [rita] }, who))[0]
const followBy = (target: string, uri: string) => call(applyRemote, { what: 'follow', actor: rita, target, uri })

test('a remote Follow during a local block leaves the block and no follow', async () => {
  const seen = await times(async (n) => {
    const ann = await createAccount(`ann${n}`)
    await both(
      n,
      () => followBy(ann.id, `${fixture.rita.id}#f/${n}`),
      () => call(createBlock, { id: rita }, ann),
    )
    return relation(ann)
  })
  expect(seen).toEqual(seen.map(() => expect.objectContaining({ blocking: true, followed_by: false })))
})

test('a local follow that is accepted during its Undo leaves nothing, and counters agree', async () => {
  const accounts = await times(async (n) => createAccount(`cat${n}`))
  for (const one of accounts) await call(createFollow, { id: rita }, one)
  const seen = await Promise.all(
    accounts.map(async (one, n) => {
      await both(
        n,
        () => call(applyRemote, { what: 'accept-follow', actor: rita, target: one.id, uri: null }),
        () => call(removeFollow, { id: rita }, one),
      )
      return relation(one)
    }),
  )
  expect(seen).toEqual(seen.map(() => expect.objectContaining({ following: false, requested: false })))
  const counted = await db('accounts').rows<{ n: number }>(sql`select following_count as n from account_stats
    where account_id = any(${accounts.map((one) => one.id)}::bigint[]) and following_count <> 0`)
  expect(counted).toEqual([])
})

test('a Follow with a concurrent Undo, suspension or deletion of the follower', async () => {
  const bea = await createAccount('bea')
  await times((n) =>
    both(
      n,
      () => followBy(bea.id, `${fixture.rita.id}#g/${n}`),
      () => call(applyRemote, { what: 'undo-follow', actor: rita, target: bea.id, uri: `${fixture.rita.id}#g/${n}` }),
    ),
  )
  const current = await rows('accounts', sql`select 1 from follows where target_id = ${bea.id}`)
  const [stats] = await db('accounts').rows<{ n: number }>(
    sql`select followers_count as n from account_stats where account_id = ${bea.id}`,
  )
  expect(stats?.n ?? 0).toBe(current)
  for (const end of ['suspend', 'remove'] as const) {
    const left = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const who = await fixture.remote.addActor(`x${end}${n}`)
        await fixture.harness.outcome(fixture.remote, makeActivity(who, 'Like', `${fixture.harness.origin}/x`), {
          as: who,
        })
        const id = (await fixture.harness.account(who.id))?.id ?? ''
        await both(
          n,
          () => call(applyRemote, { what: 'follow', actor: id, target: bea.id, uri: `${who.id}#f/1` }),
          () =>
            end === 'suspend'
              ? call(moderateAccount, { id, action: 'suspend', stamp: 'staff' })
              : call(removeRemote, { uri: who.id }),
        )
        await fixture.harness.waitForIdle()
        return rows('accounts', sql`select 1 from follows where account_id = ${id}`)
      }),
    )
    expect(left).toEqual(left.map(() => 0))
  }
})

test('of two concurrent votes in a single-choice poll, one counts', async () => {
  const counts = await times(async (n) => {
    const poll = { options: ['Red', 'Blue'], expires_in: 3_600 }
    const { id } = await call(createStatus, { status: `which ${n}`, poll } as never, fixture.bob)
    const status = (await call(statusRecords, { ids: [id] })).records[0]?.uri as string
    const vote = (option: string) =>
      call(castRemoteVote, { status, actor: rita, votes: [{ option, uri: `${fixture.rita.id}#v/${id}/${option}` }] })
    await both(
      n,
      () => Promise.all([vote('Red'), vote('Red')]),
      () => vote('Blue'),
    )
    const shown = (await call(showStatus, { id }, fixture.bob)).poll
    return [shown?.votes_count, shown?.options.reduce((sum, it) => sum + (it.votes_count ?? 0), 0)]
  })
  expect(counts).toEqual(counts.map(() => [1, 1]))
})

test('a pin during the deletion of the status leaves no pin, local and remote', async () => {
  const ids = await times(async (n) => {
    const author = await createAccount(`dan${n}`)
    const { id } = await fixture.write({ status: `pin ${n}` }, author)
    await both(
      n,
      () => call(addPin, { id }, author).catch(() => null),
      () => call(deleteStatus, { id }, author),
    )
    const note = fixture.note(fixture.rita)
    await fixture.harness.deliver(fixture.remote, makeActivity(fixture.rita, 'Create', note), { as: fixture.rita })
    return { id, uri: note.id }
  })
  await fixture.harness.waitForIdle()
  const { records } = await call(statusRecords, { uris: ids.map((it) => it.uri) })
  await Promise.all(
    records.map((it, n) =>
      both(
        n,
        () => call(putRemotePin, { account: rita, status: it.id, pinned: true }),
        () => call(removeRemoteStatus, { uri: it.uri, author: rita }),
      ),
    ),
  )
  const all = [...ids.map((it) => it.id), ...records.map((it) => it.id)]
  expect(await rows('statuses', sql`select 1 from pins where status_id = any(${all}::bigint[])`)).toBe(0)
})

test('a quote with a concurrent approval and revocation is not approved', async () => {
  const note = fixture.remote.addNote(fixture.rita, 'words', {
    interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } },
  })
  const { id: quoted } = await call(resolveStatus, { uri: note.id, viewer: null })
  const states = await times(async (n) => {
    const { id } = await call(createStatus, { status: `q ${n}`, quoted_status_id: quoted } as never, fixture.bob)
    const stamp = `${fixture.rita.id}/stamps/${id}`
    await both(
      n,
      () => call(respondToQuote, { actor: rita, status: id, stamp }),
      () => call(revokeApproval, { actor: rita, approval: stamp }),
    )
    return (await call(showStatus, { id }, fixture.bob)).quote?.state
  })
  expect(states).not.toContain('accepted')
})
