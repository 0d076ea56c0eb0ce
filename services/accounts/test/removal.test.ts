/** Tests of deleted accounts: they are hidden, erased later, and their names stay taken. */
import {
  accountCards,
  accountRemoved,
  beginAccountRemoval,
  confirmEmail,
  createFollow,
  createRegistration,
  lookupAccount,
  moderateAccount,
  resolveToken,
  showAccount,
  signInUser,
  signingKey,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'
import { eraseRemovedAccounts, removeSuspended } from '../src/removal/ticks.js'
import { type JoiningHarness, signUpInput, startJoining } from './joining-harness.js'

let harness: JoiningHarness
beforeAll(async () => {
  harness = await startJoining()
  await harness.policy({ registrations_mode: 'open' })
})
afterAll(() => harness.stop())

const PASSWORD = 'a long password'

test('A077 a deleted account is hidden at once, its rows are erased later, and its name is never given again', async () => {
  const leaver = await harness.createAccount('leaver', { password: PASSWORD })
  const friend = await harness.createAccount('friend')
  const far = await harness.remote('far')
  await harness.call(createFollow, { id: friend.id }, leaver)
  await harness.call(createFollow, { id: leaver.id }, friend)
  await harness.call(createFollow, { id: far }, leaver)
  const token = await harness.token('leaver')
  const { session } = await harness.call(signInUser, {
    email: 'leaver@mail.example',
    password: PASSWORD,
    ip: null,
    userAgent: null,
  })
  const begin = (password: string) => harness.request(beginAccountRemoval, { session: session ?? '', password })
  expect((await begin('wrong password')).meta.status).toBe(422)
  expect((await harness.call(showAccount, { id: leaver.id })).id).toBe(leaver.id)

  expect((await begin(PASSWORD)).meta.status).toBe(200)
  for (const operation of [
    harness.request(showAccount, { id: leaver.id }),
    harness.request(lookupAccount, { acct: 'leaver' }),
  ])
    expect((await operation).meta.status).toBe(404)
  expect(await harness.call(accountCards, { ids: [leaver.id] })).toEqual(new Map())
  expect((await harness.call(resolveToken, { token, ip: null })).found).toBeNull()
  expect(
    (await harness.call(signInUser, { email: 'leaver@mail.example', password: PASSWORD, ip: null, userAgent: null }))
      .state,
  ).toBe('refused')
  const db = harness.db('accounts')
  const announced = await db.rows<{ data: string }>(
    sql`select data from outbox where subject = ${accountRemoved.subject}`,
  )
  expect(announced.map((row) => JSON.parse(row.data))).toEqual([
    expect.objectContaining({ id: leaver.id, local: true }),
  ])
  expect((await harness.emails('leaver@mail.example')).map((one) => one.kind)).toEqual(['account-removed'])

  const ctx = harness.host.running.find((one) => one.service === 'accounts')?.ctx
  const follows = () => db.rows(sql`select 1 from follows where ${leaver.id} in (account_id, target_id)`)
  await eraseRemovedAccounts.run(ctx)
  // Deliveries to other servers have not ended yet.
  expect(await follows()).not.toEqual([])
  harness.moveTo(601_000)
  await eraseRemovedAccounts.run(ctx)
  await eraseRemovedAccounts.run(ctx)
  harness.moveTo(0)
  expect(await follows()).toEqual([])
  expect(await db.rows(sql`select 1 from removals`)).toEqual([])
  expect(await harness.call(showAccount, { id: friend.id })).toMatchObject({ followers_count: 0, following_count: 0 })
  expect(await db.rows(sql`select display_name, note, avatar from accounts where id = ${leaver.id}`)).toEqual([
    { display_name: '', note: '', avatar: null },
  ])
  // The Delete still has to be signed.
  expect((await harness.call(signingKey, { ids: [leaver.id] })).keys[leaver.id]?.privatePem).toContain('PRIVATE KEY')
  for (const username of ['leaver', 'Leaver', 'LEAVER']) {
    const again = await harness.request(
      createRegistration,
      signUpInput({ username, email: 'leaver@mail.example' }),
      harness.app(),
    )
    expect([again.meta.status, new TextDecoder().decode(again.bytes)]).toEqual([
      422,
      expect.stringContaining('ERR_TAKEN'),
    ])
    expect(new TextDecoder().decode(again.bytes)).not.toContain('"email"')
  }
})

/** The contents of all tables of accounts, as text. */
const everything = async (): Promise<string> => {
  const row = await harness
    .db('accounts')
    .row<{ text: string }>(sql`select schema_to_xml('accounts', true, false, '')::text as text`)
  return row?.text ?? ''
}
const DAY = 86_400_000
const runTicks = async () => {
  const running = harness.host.running.find((one) => one.service === 'accounts')
  for (const tick of app.manifest.ticks) await tick.run(running?.ctx)
}

test('D074 IP addresses are kept for a year at most, and a deleted account is erased within thirty days', async () => {
  const ip = '203.0.113.77'
  const stays = await harness.join({ username: 'stays', email: 'stays@mail.example' }, ip)
  const leaves = await harness.join(
    { username: 'leaves', email: 'leaves@mail.example', reason: 'a private reason' },
    ip,
  )
  const browser = { ip, userAgent: 'a telling browser' }
  for (const { input } of [stays, leaves]) {
    await harness.call(confirmEmail, { token: await harness.secret(input.email, 'confirmation') })
    await harness.call(resolveToken, { token: input === stays.input ? stays.token : leaves.token, ip })
    await harness.call(signInUser, { email: input.email, password: 'wrong', ...browser })
  }
  const { session } = await harness.call(signInUser, {
    email: 'leaves@mail.example',
    password: PASSWORD,
    ...browser,
  })
  await harness.call(updateCredentials, { display_name: 'Leah Leaving', note: 'telling words' }, leaves.as)
  await harness.call(beginAccountRemoval, { session: session ?? '', password: PASSWORD })
  await harness.waitForIdle()
  expect(await everything()).toContain(ip)

  harness.moveTo(29 * DAY)
  for (let round = 0; round < 3; round++) await runTicks()
  await harness.waitForIdle()
  const month = await everything()
  for (const telling of ['leaves@mail.example', 'Leah Leaving', 'telling words', 'a private reason'])
    expect(month).not.toContain(telling)

  harness.moveTo(366 * DAY)
  for (let round = 0; round < 3; round++) await runTicks()
  harness.moveTo(0)
  const year = await everything()
  expect(year).not.toContain(ip)
  expect(year).not.toContain('a telling browser')
  expect((await harness.call(showAccount, { id: stays.id })).username).toBe('stays')
})

test('moderation: an account suspended for thirty days is deleted and its name stays taken; one unsuspended before that stays', async () => {
  const [kept, freed, again] = [
    await harness.createAccount('keptout'),
    await harness.createAccount('freed'),
    await harness.createAccount('suspendedagain'),
  ]
  const moderate = (id: string, action: 'suspend' | 'unsuspend') =>
    harness.call(moderateAccount, { id, action, stamp: `${action} ${id}` })
  const ctx = harness.host.running.find((one) => one.service === 'accounts')?.ctx
  const db = harness.db('accounts')
  const gone = async (): Promise<string[]> => {
    await removeSuspended.run(ctx)
    const rows = await db.rows<{ id: string }>(sql`select id from accounts where removed_at is not null
      and id = any(${[kept.id, freed.id, again.id]}::bigint[])`)
    return rows.map((row) => row.id)
  }
  for (const { id } of [kept, freed, again]) await moderate(id, 'suspend')
  harness.moveTo(29 * DAY)
  expect(await gone()).toEqual([])
  await moderate(freed.id, 'unsuspend')
  // The thirty days begin again with each suspension.
  await moderate(again.id, 'unsuspend')
  await moderate(again.id, 'suspend')
  harness.moveTo(31 * DAY)
  expect(await gone()).toEqual([kept.id])
  expect(await gone()).toEqual([kept.id])
  const announced = await db.rows<{ data: string }>(
    sql`select data from outbox where subject = ${accountRemoved.subject}`,
  )
  expect(announced.map((row) => JSON.parse(row.data)).filter((one) => one.id === kept.id)).toEqual([
    expect.objectContaining({ id: kept.id, local: true }),
  ])
  // An account that is deleted already cannot be restored in part.
  expect(await moderate(kept.id, 'unsuspend')).toEqual({ changed: 0 })
  // The Delete is signed while it is delivered.
  expect((await harness.call(signingKey, { ids: [kept.id] })).keys[kept.id]?.privatePem).toContain('PRIVATE KEY')
  harness.moveTo(32 * DAY)
  await eraseRemovedAccounts.run(ctx)
  harness.moveTo(0)
  expect(await db.rows(sql`select email from users where account_id = ${kept.id}`)).toEqual([])
  expect((await harness.call(showAccount, { id: freed.id })).suspended).toBeUndefined()
  expect((await harness.call(showAccount, { id: again.id })).suspended).toBe(true)
  const taken = await harness.request(createRegistration, signUpInput({ username: 'KeptOut' }), harness.app())
  expect(new TextDecoder().decode(taken.bytes)).toContain('ERR_TAKEN')
})
