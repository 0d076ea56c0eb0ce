/** Tests of moves: aliases, local and remote moves, carried relationships, and interruptions at any point. */
import {
  addAlias,
  addListMembers,
  applyMove,
  beginMove,
  cancelMove,
  carryOverJob,
  createBlock,
  createDomainBlock,
  createFollow,
  createList,
  createMute,
  listAliases,
  listBlocks,
  listFollowRequests,
  listMembersOfList,
  listMutes,
  listRelationships,
  removeAlias,
  resetUserPassword,
  resolveToken,
  setNote,
  showAccount,
  showMove,
  signInUser,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asked, type Harness, outside, remoteActor, slow, startAccounts } from './harness.js'

const password = 'correct horse battery'
let harness: Harness
beforeAll(async () => {
  harness = await startAccounts({
    FAULT_POINTS: 'carryOver.page=throw@2,carryOver.page=throw@5,carryOver.page=throw@9',
  })
})
afterAll(() => harness.stop())

const suspend = (id: string) =>
  harness.db('accounts').run(sql`update accounts set suspended_at = now() where id = ${id}`)
const signIn = async (name: string): Promise<string> =>
  (await harness.call(signInUser, { email: `${name}@mail.example`, password, ip: null, userAgent: null })).session ?? ''
const createAccount = async (name: string) => {
  const viewer = await harness.createAccount(name, { password })
  return { viewer, session: await signIn(name), uri: (await harness.call(showAccount, { id: viewer.id })).uri }
}
const relation = async (viewer: Viewer, id: string) => (await harness.call(listRelationships, { id: [id] }, viewer))[0]
/** Stores a remote account with these aliases. */
const home = async (name: string, also_known_as: string[], more: object = {}) => {
  const actor = remoteActor(name, { also_known_as, domain: 'new.example', ...more })
  outside.set(`${name}@new.example`, actor)
  outside.set(actor.uri, actor)
  return `${name}@new.example`
}
const events = async (name: string) =>
  (
    await harness
      .db('accounts')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${`evt.accounts.${name}`} order by id`)
  ).map((row) => JSON.parse(row.data))

test('aliases are resolved, listed and removed', async () => {
  const vera = await createAccount('vera')
  const add = (acct: string) => harness.call(addAlias, { session: vera.session, acct })
  const elsewhere = await home('old-vera', [])
  expect(await add(`@${elsewhere}`)).toMatchObject({ acct: elsewhere, uri: 'https://new.example/users/old-vera' })
  for (const [acct, text] of [
    [elsewhere, 'Account has already been taken'],
    ['', "Account can't be blank"],
    ['nobody@new.example', 'Account could not be found'],
    ['vera', 'Account cannot be the current account'],
  ])
    await expect(add(acct ?? '')).rejects.toMatchObject({ status: 422, message: `Validation failed: ${text}` })
  const { aliases } = await harness.call(listAliases, { session: vera.session })
  expect(aliases.map((one) => one.acct)).toEqual([elsewhere])
  expect((await events('account.changed')).at(-1)).toMatchObject({ id: vera.viewer.id, profile: true })
  expect(await harness.call(removeAlias, { session: vera.session, uri: aliases[0]?.uri ?? '' })).toEqual({
    removed: true,
  })
  expect(await harness.call(removeAlias, { session: vera.session, uri: 'https://x.example/' })).toEqual({
    removed: false,
  })
  await expect(harness.call(listAliases, { session: 'nobody' })).rejects.toMatchObject({ status: 401 })
})

test('60 a move is refused for each fault of its target', async () => {
  const paul = await createAccount('paul')
  const move = (acct: string, given = password) =>
    harness.call(beginMove, { session: paul.session, acct, password: given })
  const because = (text: string) => ({ status: 422, message: `Validation failed: ${text}` })
  const good = await home('paul2', [paul.uri])
  await expect(move(good, 'wrong')).rejects.toMatchObject({ status: 422, message: 'The password is not right.' })
  await expect(move('nobody@new.example')).rejects.toMatchObject(because('New account could not be found'))
  await expect(move('paul')).rejects.toMatchObject(because('New account cannot be the current account'))
  const noAlias = because('New account does not name this account as an alias')
  await expect(move(await home('other', []))).rejects.toMatchObject(noAlias)
  await expect(move(await home('gone', [paul.uri], { suspended: true }))).rejects.toMatchObject(
    because('New account could not be found'),
  )
  // The stored document does not count if the server does not respond now.
  outside.delete(good)
  await harness.remote('paul2', { domain: 'new.example', also_known_as: [paul.uri] })
  await harness
    .db('accounts')
    .run(sql`update accounts set fetched_at = now() - interval '1 hour' where username = 'paul2'`)
  await expect(move(good)).rejects.toMatchObject(because('New account could not be found'))
})

test.each([
  ['move', 'a change of the password', 401, (id: string) => harness.call(resetUserPassword, { id, show: true })],
  ['alias', 'a change of the password', 401, (id: string) => harness.call(resetUserPassword, { id, show: true })],
  ['move', 'a suspension', 403, (id: string) => suspend(id)],
  ['alias', 'a suspension', 403, (id: string) => suspend(id)],
] as const)('A092 a new %s whose account is being fetched is refused after %s', async (kind, _end, status, end) => {
  const name = `quin_${kind}_${status}`
  const quin = await createAccount(name)
  const acct = await home(`${name}2`, [quin.uri])
  const { promise, resolve } = Promise.withResolvers<void>()
  slow.set(acct, promise)
  const { session } = quin
  const running =
    kind === 'move' ? harness.call(beginMove, { session, acct, password }) : harness.call(addAlias, { session, acct })
  const refused = expect(running).rejects.toMatchObject({ status })
  await vi.waitFor(() => expect(asked).toContain(acct))
  await end(quin.viewer.id)
  resolve()
  await refused
  const unchanged = sql`select 1 from accounts where id = ${quin.viewer.id} and moved_to_id is null and also_known_as = '{}'`
  expect(await harness.db('accounts').rows(unchanged)).toHaveLength(1)
})

test('a local account moves once: it names its target, its user cannot act, and the move can be cancelled', async () => {
  const olga = await createAccount('olga')
  const token = await harness.token('olga')
  const acct = await home('olga2', [olga.uri])
  const begin = () => harness.call(beginMove, { session: olga.session, acct, password })
  const both = await Promise.allSettled([begin(), begin()])
  expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  expect(await events('account.moved')).toContainEqual(
    expect.objectContaining({ id: olga.viewer.id, local: true, targetUri: 'https://new.example/users/olga2' }),
  )
  expect((await harness.call(showAccount, { id: olga.viewer.id })).moved).toMatchObject({ acct })
  expect((await harness.call(resolveToken, { token, ip: null })).found?.state).toBe('disabled')
  await harness.waitForIdle()
  const shown = await harness.call(showMove, { session: olga.session })
  expect(shown).toMatchObject({ moved: { acct }, passwordless: false, past: [{ acct, done: true }] })
  expect(Date.parse(shown.next_at ?? '')).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  await expect(begin()).rejects.toMatchObject({ status: 409 })

  expect(await harness.call(cancelMove, { session: olga.session })).toEqual({ cancelled: true })
  expect((await harness.call(showAccount, { id: olga.viewer.id })).moved).toBeUndefined()
  expect((await harness.call(resolveToken, { token, ip: null })).found?.state).toBe('ok')
  await expect(begin()).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(/^You moved recently\. You can move again on \d{4}-\d\d-\d\d\.$/),
  })
})

test('local followers move to a remote target with options, lists and notes; those with a block of it stay', async () => {
  const nina = await createAccount('nina')
  const [fan, picky, apart, gone] = await Promise.all(
    ['fan', 'picky', 'apart', 'gone'].map((name) => harness.createAccount(name)),
  )
  if (!fan || !picky || !apart || !gone) throw new Error('nobody came')
  const id = nina.viewer.id
  await harness.call(createFollow, { id }, fan)
  await harness.call(createFollow, { id, reblogs: false, notify: true, languages: ['de'] }, picky)
  await harness.call(createFollow, { id }, apart)
  const list = await harness.call(createList, { title: 'Friends' }, picky)
  await harness.call(addListMembers, { id: list.id, account_ids: [id] }, picky)
  await harness.call(setNote, { id, comment: 'from school' }, fan)
  await harness.call(createMute, { id, notifications: false }, picky)
  await harness.call(createBlock, { id }, gone)
  const acct = await home('nina2', [nina.uri])
  const target = await harness.remote('nina2', { domain: 'new.example', also_known_as: [nina.uri] })
  await harness.call(createDomainBlock, { domain: 'new.example' }, apart)
  await harness.call(beginMove, { session: nina.session, acct, password })
  await harness.waitForIdle()

  expect(await relation(fan, target)).toMatchObject({ requested: true, showing_reblogs: true, note: 'from school' })
  expect(await relation(fan, id)).toMatchObject({ following: false, note: 'from school' })
  expect(await relation(picky, target)).toMatchObject({
    requested: true,
    notifying: true,
    showing_reblogs: false,
    languages: ['de'],
    muting: true,
    muting_notifications: false,
  })
  expect((await harness.call(listMembersOfList, { id: list.id }, picky)).map((one) => one.id)).toEqual([target])
  expect(await relation(apart, target)).toMatchObject({ requested: false })
  expect(await relation(apart, id)).toMatchObject({ following: true })
  expect((await harness.call(listBlocks, {}, gone)).map((one) => one.id)).toEqual([target, id])
  const requests = (await events('follow-request.created')).filter((one) => one.to === target)
  expect(requests.map((one) => one.from).sort()).toEqual([fan.id, picky.id].sort())
  expect((await events('follow.removed')).filter((one) => one.to === id).map((one) => one.byTarget)).toEqual([
    false,
    false,
  ])
})

test('m24 local followers of a remote account move to a local target, a locked one gets requests; accepted once in seven days', async () => {
  const rita = await harness.remote('rita')
  const [kept, muter, bob] = await Promise.all(['kept', 'muter', 'bob'].map((name) => harness.createAccount(name)))
  if (!kept || !muter || !bob) throw new Error('nobody came')
  const here = await createAccount('here')
  outside.set('rita@remote.example', remoteActor('rita'))
  const apply = (account: string, target: string) => harness.call(applyMove, { account, target })
  expect(await apply(rita, here.viewer.id)).toEqual({ outcome: 'no-alias' })
  await harness.call(addAlias, { session: here.session, acct: 'rita@remote.example' })
  await harness.call(updateCredentials, { locked: true }, here.viewer)
  await harness
    .db('accounts')
    .run(
      sql`insert into follows (id, account_id, target_id, account_local, created_at) values (1, ${kept.id}, ${rita}, true, now())`,
    )
  await harness.call(createMute, { id: rita, notifications: true, duration: 3600 }, muter)
  expect(await apply(bob.id, here.viewer.id)).toEqual({ outcome: 'refused' })
  expect(await apply(rita, here.viewer.id)).toEqual({ outcome: 'done' })
  expect(await apply(rita, here.viewer.id)).toEqual({ outcome: 'moved-recently' })
  await harness.waitForIdle()
  expect((await harness.call(listFollowRequests, {}, here.viewer)).map((one) => one.id)).toEqual([kept.id])
  expect(await relation(kept, rita)).toMatchObject({ following: false })
  const [mute] = await harness.call(listMutes, {}, muter)
  expect(mute?.id).toBe(here.viewer.id)
  expect(mute?.mute_expires_at).not.toBe(null)
  expect((await harness.call(showAccount, { id: rita })).moved?.id).toBe(here.viewer.id)
  expect(await events('account.moved')).toContainEqual(expect.objectContaining({ id: rita, local: false }))
})

test('many followers are carried over in pages, however often the job is interrupted and repeated', async () => {
  const star = await harness.remote('star')
  const dest = await createAccount('dest')
  await harness
    .db('accounts')
    .run(sql`update accounts set also_known_as = '{https://remote.example/users/star}' where id = ${dest.viewer.id}`)
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, uri, url, created_at)
    select n, 'follower' || n, 'https://x/' || n, 'https://x/@' || n, now() from generate_series(1001, 1950) n`)
  await db.run(
    sql`insert into account_stats (account_id, following_count) select n, 1 from generate_series(1001, 1950) n`,
  )
  await db.run(sql`insert into follows (id, account_id, target_id, account_local, created_at)
    select n, n, ${star}, true, now() from generate_series(1001, 1950) n`)
  await db.run(sql`update account_stats set followers_count = 950 where account_id = ${star}`)
  expect(await harness.call(applyMove, { account: star, target: dest.viewer.id })).toEqual({ outcome: 'done' })
  await harness.waitForIdle()
  const left = await db.row(sql`select
    (select count(*)::int from follows where target_id = ${star}) as stayed,
    (select count(*)::int from follows where target_id = ${dest.viewer.id}) as moved,
    (select followers_count from account_stats where account_id = ${star}) as old,
    (select followers_count from account_stats where account_id = ${dest.viewer.id}) as new,
    (select count(*)::int from account_stats where account_id between 1001 and 1950 and following_count = 1) as even`)
  expect(left).toEqual({ stayed: 0, moved: 950, old: 0, new: 950, even: 950 })
  expect((await events('follow.created')).filter((one) => one.to === dest.viewer.id)).toHaveLength(950)
  // A job that ran again after its commit has no second next job.
  const jobs = await db.rows<{ what: string; after: string }>(sql`select data::jsonb->>'what' as what,
      data::jsonb->>'after' as after from outbox
    where subject = ${carryOverJob.subject} and data::jsonb->>'move' in (
      select id::text from moves where target_id = ${dest.viewer.id}) order by id`)
  const pages = ['0', '1200', '1400', '1600', '1800']
  expect(jobs.map(({ what, after }) => `${what} ${after}`)).toEqual([
    'notes 0',
    'mutes 0',
    ...pages.map((after) => `followers ${after}`),
    'blocks 0',
  ])
})
