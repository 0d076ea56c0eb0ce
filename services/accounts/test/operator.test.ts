/** Tests of accounts and tokens that operators create, and of secrets in the database. */
import {
  accountRecords,
  createAccountByOperator,
  createTokenByOperator,
  createTokenByStaff,
  firstAdmin,
  resolveToken,
  signingKey,
  tokenRevoked,
  userManaged,
} from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { ALL_PERMISSIONS, DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { name, type Sql, sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endExpiredTokens } from '../src/session/ticks.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

const resolve = (token: string) => harness.call(resolveToken, { token, ip: '127.0.0.1' })

test('the first admin is created once, also by concurrent starts', async () => {
  const answers = await Promise.all([harness.call(firstAdmin, {}), harness.call(firstAdmin, {})])
  expect(answers.filter((one) => one.created)).toHaveLength(1)
  const made = answers.find((one) => one.created)
  expect(made).toMatchObject({ username: 'admin', email: 'admin@localhost' })
  expect(made?.password?.length).toBeGreaterThan(20)
  expect(await harness.call(firstAdmin, {})).toEqual({ created: false })
  const { found } = await resolve(await harness.token('admin'))
  expect(found?.viewer).toMatchObject({ permissions: ALL_PERMISSIONS, position: 1000 })
})

test('a new server has the roles of the contract', async () => {
  const roles = await harness.db('accounts').rows(sql`select name, position, permissions from roles order by position`)
  expect(roles).toEqual(
    Object.values(DEFAULT_ROLES)
      .map(({ name, position, permissions }) => ({ name, position, permissions }))
      .sort((a, b) => a.position - b.position),
  )
})

test('an account that an operator creates has a random password, and its token resolves to its viewer', async () => {
  const made = await harness.call(createAccountByOperator, {
    username: 'Alice',
    email: 'alice@mail.example',
    role: 'moderator',
    confirmed: true,
  })
  expect(made.password).toHaveLength(43)
  const token = await harness.token('alice', 'read write:statuses')
  expect(await resolve(token)).toMatchObject({
    why: 'ok',
    found: { scopes: ['read', 'write:statuses'], state: 'ok', viewer: { id: made.id, position: 10 } },
  })
  expect(await resolve('nobody-has-this')).toEqual({ found: null, why: 'unknown' })
  const { records } = await harness.call(accountRecords, { handles: ['alice'] })
  expect(records).toMatchObject([{ id: made.id, acct: 'Alice', domain: null, usable: true }])
  expect(records[0]?.uri).toBe(`${harness.origin}/ap/users/${made.id}`)
})

test('the e-mail address of a created account has its domain in ASCII', async () => {
  const made = await harness.call(createAccountByOperator, { username: 'umlaut', email: ' Umlaut@münchen.example' })
  expect(made.email).toBe('Umlaut@xn--mnchen-3ya.example')
  const staff = await harness.createAccount('creator')
  const by = viewer(staff.id, { permissions: 1, position: 1_000 })
  await harness.call(createAccountByOperator, { username: 'invited', email: 'invited@münchen.example' }, by)
  const mails = await harness
    .db('accounts')
    .rows<{ address: string }>(sql`select address from letters where username = 'invited'`)
  expect(new Set(mails.map((one) => one.address))).toEqual(new Set(['invited@xn--mnchen-3ya.example']))
})

test('problems of a new account are listed by field', async () => {
  const create = (more: object) =>
    harness.call(createAccountByOperator, { username: 'bob', email: 'bob@mail.example', confirmed: true, ...more })
  await expect(create({ username: 'a b' })).rejects.toMatchObject({
    code: 'unprocessable',
    extras: { body: { details: { username: [{ error: 'ERR_INVALID' }] } } },
  })
  await expect(create({ email: 'a%b@x' })).rejects.toMatchObject({
    extras: { body: { details: { email: [{ error: 'ERR_INVALID' }] } } },
  })
  await expect(create({ password: 'short' })).rejects.toMatchObject({
    message: 'Validation failed: Password is too short (minimum is 8 characters)',
  })
  await expect(create({ role: 'king' })).rejects.toMatchObject({ code: 'unprocessable' })
  await expect(harness.call(createTokenByOperator, { username: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
})

test('staff creates tokens of accounts below their own role, without admin scopes', async () => {
  const make = (username: string, role?: string, confirmed = false) =>
    harness.call(createAccountByOperator, {
      ...{ username, email: `${username}@mail.example`, confirmed },
      ...(role && { role }),
    })
  const [boss, equal, below] = [
    await make('boss', 'Owner'),
    await make('equal', 'Owner'),
    await make('below', undefined, true),
  ]
  const by = viewer(boss.id, { permissions: 1, position: 1_000 })
  const create = (id: string, scopes?: string) =>
    harness.call(createTokenByStaff, { id, ...(scopes && { scopes }) }, by)
  const { token, scopes } = await create(below.id, 'read write:statuses')
  const { found } = await harness.call(resolveToken, { token, ip: null })
  expect([scopes, found?.scopes, found?.viewer?.id]).toEqual([
    ['read', 'write:statuses'],
    ['read', 'write:statuses'],
    below.id,
  ])
  for (const id of [boss.id, equal.id]) await expect(create(id)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(create('7')).rejects.toMatchObject({ code: 'not_found' })
  for (const wrong of ['read admin:read', 'admin:write:accounts', 'king'])
    await expect(create(below.id, wrong)).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('Scopes'),
    })
  const managed = sql`select data::jsonb - 'after' as data from outbox where subject = ${userManaged.subject}
    and data::jsonb ->> 'action' = 'create_token_user' and data::jsonb ->> 'by' is not null`
  expect((await harness.db('accounts').rows<{ data: object }>(managed)).map(({ data }) => data)).toEqual([
    expect.objectContaining({ by: boss.id, targetId: below.id, target: 'below' }),
  ])
  const mails = sql`select kind from letters where address = 'below@mail.example' order by id`
  expect(await harness.db('accounts').rows(mails)).toContainEqual({ kind: 'token-created' })
})

test('a token that staff creates expires, and its expiry is in the response, the audit log and the e-mail', async () => {
  const create = (username: string, role?: string) =>
    harness.call(createAccountByOperator, {
      ...{ username, email: `${username}@mail.example`, confirmed: true },
      ...(role && { role }),
    })
  const [chief, holder] = [await create('chief', 'Owner'), await create('holder')]
  const by = viewer(chief.id, { permissions: 1, position: 1_000 })
  const { clock } = harness.host.running.find((one) => one.service === 'accounts')!.ctx
  const make = async (expires_in?: number) => {
    const now = clock.now()
    const made = await harness.call(createTokenByStaff, { id: holder.id, ...(expires_in && { expires_in }) }, by)
    return { ...made, seconds: Math.floor((Date.parse(made.expires_at ?? '') - now) / 1_000) }
  }
  expect(Math.abs((await make()).seconds - 30 * 86_400)).toBeLessThan(60)
  const { token, expires_at } = await make(60)
  const resolved = await resolve(token)
  expect(resolved.found?.expiresAt).toBe(Date.parse(expires_at ?? ''))
  const rows = <T extends object>(query: Sql) => harness.db('accounts').rows<T>(query)
  expect(
    await rows(sql`select data::jsonb #>> '{after,expires_at}' as expires_at from outbox
      where subject = ${userManaged.subject} and data::jsonb #>> '{after,token_id}' = ${resolved.found?.tokenId ?? ''}`),
  ).toEqual([{ expires_at }])
  const mails = sql`select ${name(olderNames.mailValues)} as values from letters where kind = 'token-created' and address = 'holder@mail.example' order by id`
  expect((await rows<{ values: object }>(mails)).at(-1)).toEqual({ values: { expires_at } })
  for (const wrong of [0, -1, 31_536_001, 1.5, 'soon'] as number[])
    await expect(harness.call(createTokenByStaff, { id: holder.id, expires_in: wrong }, by)).rejects.toMatchObject({
      status: 422,
      message: 'Validation failed: Expires in is invalid',
    })

  // The token has expired before the tick marks it.
  await harness.db('accounts').run(sql`update access_tokens set expires_at = now() - interval '1 second'
    where id = ${resolved.found?.tokenId ?? ''}`)
  expect(await resolve(token)).toEqual({ found: null, why: 'expired' })
  const revoked = sql`select data::jsonb -> 'tokenIds' as ids from outbox where subject = ${tokenRevoked.subject} order by id desc limit 1`
  await endExpiredTokens.run(harness.host.running.find((one) => one.service === 'accounts')!.ctx as never)
  expect(await rows(revoked)).toEqual([{ ids: [resolved.found?.tokenId] }])
  expect(await resolve(token)).toEqual({ found: null, why: 'expired' })
})

test('F065 of concurrent sign-ups with one name or address one succeeds, and the others get a validation error', async () => {
  const tries = Array.from({ length: 20 }, (_, i) =>
    harness.call(createAccountByOperator, {
      username: i % 2 ? 'Racer' : 'racer',
      email: i < 10 ? 'racer@mail.example' : `racer${i}@mail.example`,
      password: 'a long password',
    }),
  )
  const settled = await Promise.allSettled(tries)
  expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  for (const one of settled)
    if (one.status === 'rejected')
      expect(Object.values(one.reason.extras.body.details).flat()).toContainEqual(
        expect.objectContaining({ error: 'ERR_TAKEN' }),
      )
})

test('D001 D020 D022 the database contains no password, token or private key in clear text', async () => {
  const password = 'correct horse battery'
  await harness.createAccount('carol', { password })
  const token = await harness.token('carol')
  const { keys } = await harness.call(signingKey, { ids: ['-99'] })
  const tables = ['users', 'access_tokens', 'keys', 'applications']
  const rows = await Promise.all(
    tables.map((table) =>
      harness.db('accounts').rows<{ line: string }>(sql`select t::text as line from ${name(table)} t`),
    ),
  )
  const dump = rows
    .flat()
    .map((row) => row.line)
    .join('\n')
  const { password_hash } = (await harness
    .db('accounts')
    .row<{ password_hash: string }>(sql`select password_hash from users where email = 'carol@mail.example'`)) ?? {
    password_hash: '',
  }
  expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(dump).not.toContain(password)
  expect(dump).not.toContain(token)
  expect(keys['-99']?.privatePem).toContain('PRIVATE KEY')
  expect(dump).toContain('PUBLIC KEY')
  expect(dump).not.toContain('PRIVATE KEY')
})
