/** Tests of sign-ups with an application: validation, approval, invitations, and what the token permits. */
import {
  accountAdminRecords,
  accountLookup,
  accountMany,
  accountModerate,
  accountShow,
  emailCheck,
  emailConfirm,
  inviteCreate,
  registrationApprove,
  registrationCreate,
  registrationListPending,
  registrationOpening,
  registrationReject,
  sessionSignIn,
  tokenResolve,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { canonicalEmailHash } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JoiningWorld, type Said, said, startJoining } from './joining-world.js'

let world: JoiningWorld
beforeAll(async () => {
  world = await startJoining()
  await world.policy({ registrations_mode: 'open' })
})
afterAll(() => world.stop())

const details = async (more: Said, ip?: string): Promise<Record<string, string[]>> => {
  const answer = await world.ask(registrationCreate, said(more), world.app(ip))
  if (answer.meta.status !== 422) throw new Error(`it was answered with ${answer.meta.status}`)
  const body = JSON.parse(new TextDecoder().decode(answer.bytes)) as {
    details: Record<string, { error: string }[]>
  }
  return Object.fromEntries(Object.entries(body.details).map(([field, list]) => [field, list.map((one) => one.error)]))
}
const state = async (token: string) => (await world.call(tokenResolve, { token, ip: null })).found?.state
const confirm = async (email: string) => world.call(emailConfirm, { token: await world.secret(email, 'confirmation') })

test('a user signs up, confirms the address, and can act', async () => {
  const { token, as, id, said: words } = await world.join()
  expect(await state(token)).toBe('unconfirmed')
  expect(await world.call(emailCheck, {}, as)).toBe(false)
  expect((await world.call(tokenResolve, { token, ip: null })).found?.scopes).toEqual(['read', 'write', 'follow'])
  expect(await confirm(words.email)).toEqual({ state: 'confirmed' })
  expect(await state(token)).toBe('ok')
  expect(await world.call(emailCheck, {}, as)).toBe(true)
  expect((await world.letters(words.email)).map((one) => one.kind)).toEqual(['welcome'])
  expect((await world.call(accountShow, { id })).username).toBe(words.username)
  const told = await world
    .db('accounts')
    .rows<{ subject: string }>(sql`select subject from outbox where data like ${`%"id":"${id}"%`} order by id`)
  expect(told.map((row) => row.subject)).toEqual(['evt.accounts.account.registered', 'evt.accounts.account.joined'])
})

test('all problems are listed in one error, by field and code', async () => {
  expect(await details({ username: '', email: '', password: '', agreement: undefined })).toEqual({
    username: ['ERR_BLANK'],
    email: ['ERR_BLANK', 'ERR_INVALID'],
    password: ['ERR_BLANK'],
    agreement: ['ERR_ACCEPTED'],
  })
  expect(
    await details({
      username: 'a b',
      email: 'nobody',
      password: 'short',
      agreement: false,
      time_zone: 'Middle/Earth',
      reason: 'x'.repeat(421),
      invite_code: 'nothing',
    }),
  ).toEqual({
    username: ['ERR_INVALID'],
    email: ['ERR_INVALID'],
    password: ['ERR_TOO_SHORT'],
    agreement: ['ERR_ACCEPTED'],
    time_zone: ['ERR_INCLUSION'],
    reason: ['ERR_TOO_LONG'],
    invite_code: ['ERR_INVALID'],
  })
  expect(await details({ username: 'x'.repeat(31) })).toEqual({ username: ['ERR_TOO_LONG'] })
  expect(await details({ username: 'Adm1n' })).toEqual({ username: ['ERR_RESERVED'] })
})

test.each([
  'a%b@mail.example',
  '"a,b"@mail.example',
  'a@mail.example,b@mail.example',
  'a@mail.example\r\nBcc: b@mail.example',
  `${'a'.repeat(310)}@mail.example`,
])('A097 the address %j is refused', async (email) => expect(Object.keys(await details({ email }))).toEqual(['email']))

test.each([
  ['1234567', ['ERR_TOO_SHORT']],
  ['x'.repeat(129), ['ERR_TOO_LONG']],
  ['password1', ['ERR_INVALID']],
  ['PassWord1', ['ERR_INVALID']],
  ['localhost', null],
])('D003 the password %j is refused with its codes', async (password, codes) => {
  if (codes) expect(await details({ password })).toEqual({ password: codes })
  else expect((await world.join({ password })).token).toHaveLength(43)
})

test('D003 a password equal to the user name is refused, and all characters of long ones are compared', async () => {
  expect(await details({ username: 'feathers_and_all', password: 'Feathers_And_All' })).toEqual({
    password: ['ERR_INVALID'],
  })
  const { said: words } = await world.join({ password: `${'x'.repeat(127)}1` })
  const signIn = (password: string) =>
    world.call(sessionSignIn, { email: words.email, password, ip: null, userAgent: null })
  expect((await signIn(`${'x'.repeat(127)}1`)).state).toBe('signed-in')
  expect((await signIn(`${'x'.repeat(127)}2`)).state).toBe('refused')
})

test('F065 names and addresses are compared ignoring case, and of two concurrent sign-ups one succeeds', async () => {
  const { said: words } = await world.join()
  expect(await details({ username: words.username.toUpperCase(), email: words.email.toUpperCase() })).toEqual({
    username: ['ERR_TAKEN'],
    email: ['ERR_TAKEN'],
  })
  const tries = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      world.ask(
        registrationCreate,
        said({
          username: i % 2 ? 'Racing' : 'racing',
          email: i < 10 ? 'Racing@mail.example' : `racing${i}@mail.example`,
        }),
        world.app(),
      ),
    ),
  )
  const texts = tries.map((one) => new TextDecoder().decode(one.bytes))
  expect(tries.filter((one) => one.meta.status === 200)).toHaveLength(1)
  expect(tries.filter((one) => one.meta.status === 422)).toHaveLength(19)
  expect(texts.filter((text) => text.includes('ERR_TAKEN'))).toHaveLength(19)
})

test('an address with an internationalised domain is the same in both of its forms', async () => {
  const { said: words } = await world.join({ email: 'Ada@M\u00fcnchen.example' })
  const [row] = await world.db('accounts').rows<{ email: string }>(sql`select email from users
    where lower(email) = 'ada@xn--mnchen-3ya.example'`)
  expect(row?.email).toBe('Ada@xn--mnchen-3ya.example')
  await confirm(row?.email ?? '')
  for (const email of ['ada@m\u00fcnchen.example', 'ADA@xn--mnchen-3ya.example', 'ada@mu\u0308nchen.example']) {
    const signedIn = await world.call(sessionSignIn, { email, password: words.password ?? '', ip: null, userAgent: '' })
    expect([email, signedIn.state]).toEqual([email, 'signed-in'])
    expect(await details({ email })).toMatchObject({ email: ['ERR_TAKEN'] })
  }
  expect(await details({ email: 'j\u00f6rg@mail.example' })).toEqual({ email: ['ERR_INVALID'] })
})

test('a sign-up requires a token of an application without a user', async () => {
  const { as } = await world.join()
  const again = await world.ask(registrationCreate, said(), as)
  expect([again.meta.status, new TextDecoder().decode(again.bytes)]).toEqual([
    403,
    expect.stringContaining('This method requires an client credentials authentication'),
  ])
})

test('an unsupported language is ignored, and a supported one stored', async () => {
  const locale = async (given: string) => {
    const { id } = await world.join({ locale: given })
    return (await world.db('accounts').row<{ locale: string }>(sql`select locale from users where account_id = ${id}`))
      ?.locale
  }
  expect(await locale('de')).toBe('de')
  expect(await locale('tlh-Klingon')).toBe('en')
})

test('S-082 S-122 an unfinished sign-up is found by lookup only', async () => {
  const { id, said: words } = await world.join()
  expect((await world.ask(accountShow, { id })).meta.status).toBe(404)
  expect(await world.call(accountMany, { id: [id] })).toEqual([])
  expect((await world.call(accountLookup, { acct: words.username })).id).toBe(id)
})

test('rules for IP addresses, e-mail providers and names apply to sign-ups', async () => {
  await world.policy(
    { registrations_mode: 'open' },
    {
      ips: [
        { ip: '198.51.100.0/24', severity: 'sign_up_block', expires_at: null },
        { ip: '203.0.113.0/24', severity: 'sign_up_requires_approval', expires_at: null },
      ],
      email_domains: [
        { domain: 'throwaway.example', allow_with_approval: false },
        { domain: 'odd.example', allow_with_approval: true },
      ],
      canonical_emails: [canonicalEmailHash('eve@mail.example')],
      usernames: [{ username: 'shop', exact: false, allow_with_approval: true }],
    },
  )
  expect((await world.ask(registrationCreate, said(), world.app('198.51.100.9'))).meta.status).toBe(403)
  expect(await details({ email: 'a@mx.throwaway.example' })).toEqual({ email: ['ERR_BLOCKED'] })
  expect(await details({ email: 'E.v.e+x@mail.example' })).toEqual({ email: ['ERR_TAKEN'] })
  const waits = async (more: Said, ip?: string) => {
    const { said: words } = await world.join(more, ip)
    return (await confirm(words.email)).state
  }
  expect(await waits({}, '203.0.113.9')).toBe('waiting')
  expect(await waits({ email: 'a@odd.example' })).toBe('waiting')
  expect(await waits({ username: 'my_shop' })).toBe('waiting')
  expect(await waits({}, '203.0.112.9')).toBe('confirmed')
  await world.policy({ registrations_mode: 'open' })
})

test('an applicant below the minimum age is refused, and the date of birth is not stored', async () => {
  await world.policy({ registrations_mode: 'open', min_age: 16 })
  expect(await details({})).toEqual({ date_of_birth: ['ERR_BLANK'] })
  expect(await details({ date_of_birth: `${new Date().getFullYear() - 10}-01-01` })).toEqual({
    date_of_birth: ['ERR_BELOW_LIMIT'],
  })
  await world.join({ date_of_birth: '1981-02-03' })
  const rows = await world.db('accounts').rows<{ line: string }>(sql`select s::text as line from sign_ups s`)
  expect(rows.some((row) => row.line.includes('1981-02'))).toBe(false)
  await world.policy({ registrations_mode: 'open' })
})

test('S-026 S-074 with approval required, staff approve a sign-up or reject it, and a rejected name is free again', async () => {
  await world.policy({ registrations_mode: 'approved', require_invite_text: true })
  const staff = await world.person('staffer', { role: 'moderator' })
  expect(await details({})).toEqual({ reason: ['ERR_BLANK'] })
  const first = await world.join({ reason: 'I like birds' })
  expect(await confirm(first.said.email)).toEqual({ state: 'waiting' })
  expect(await state(first.token)).toBe('unapproved')
  const pending = await world.call(registrationListPending, {})
  expect(pending.people.at(-1)).toMatchObject({
    id: first.id,
    reason: 'I like birds',
    confirmed: true,
    ip: '192.0.2.1',
  })
  const { records } = await world.call(accountAdminRecords, { ids: [first.id] })
  expect(records[0]?.account).toMatchObject({
    approved: false,
    confirmed: true,
    invite_request: 'I like birds',
    created_by_application_id: '7',
    ip: '192.0.2.1',
  })
  expect((await world.letters('staffer@mail.example')).at(-1)).toMatchObject({
    kind: 'sign-up-waiting',
    facts: { username: first.said.username, reason: 'I like birds' },
  })
  expect(await world.call(registrationApprove, { id: first.id })).toEqual({ changed: true })
  expect(await world.call(registrationApprove, { id: first.id })).toEqual({ changed: false })
  expect(await world.call(registrationReject, { id: first.id })).toEqual({ changed: false })
  expect(await state(first.token)).toBe('ok')
  expect((await world.letters(first.said.email)).map((one) => one.kind)).toEqual(['approved'])

  const second = await world.join({ reason: 'spam' })
  await confirm(second.said.email)
  expect(await world.call(registrationReject, { id: second.id })).toEqual({ changed: true })
  expect(await state(second.token)).toBeUndefined()
  expect((await world.letters(second.said.email)).map((one) => one.kind)).toEqual(['rejected'])
  const again = await world.join({ ...second.said, reason: 'again' })
  expect(again.id).not.toBe(second.id)
  expect(staff.id).not.toBe(first.id)
  await world.policy({ registrations_mode: 'open' })
})

test('a user who was approved before the confirmation joins by the confirmation', async () => {
  await world.policy({ registrations_mode: 'approved' })
  const { id, token, said: words } = await world.join()
  expect(await world.call(registrationApprove, { id })).toEqual({ changed: true })
  expect(await state(token)).toBe('unconfirmed')
  expect(await confirm(words.email)).toEqual({ state: 'confirmed' })
  expect(await state(token)).toBe('ok')
  await world.policy({ registrations_mode: 'open' })
})

/** Creates a user with a browser session. */
const inviter = async (name: string, role?: string) => {
  const { id } = await world.person(name, { password: 'a long password', ...(role ? { role } : {}) })
  const { session } = await world.call(sessionSignIn, {
    email: `${name}@mail.example`,
    password: 'a long password',
    ip: null,
    userAgent: null,
  })
  const invite = async (
    more: Partial<{ max_uses: number | null; expires_in: number | null; autofollow: boolean }> = {},
  ) =>
    (
      await world.call(inviteCreate, {
        session: session ?? '',
        max_uses: null,
        expires_in: null,
        autofollow: false,
        comment: '',
        ...more,
      })
    ).invite
  return { id, invite }
}
const asked = (more: Said) => world.ask(registrationCreate, said(more), world.app())

test('S-162 an invitation permits a sign-up on a closed server, and approval depends on the inviter’s permission', async () => {
  await world.policy({ registrations_mode: 'none' })
  expect((await asked({})).meta.status).toBe(403)
  expect((await asked({ invite_code: 'ABCDEFGH' })).meta.status).toBe(403)
  const plain = await inviter('plain_inviter')
  const { code } = await plain.invite()
  expect(await world.call(registrationOpening, { invite_code: code, ip: null })).toMatchObject({
    open: true,
    inviter: { username: 'plain_inviter' },
    bad_code: false,
  })
  const waiting = await world.join({ invite_code: code })
  expect((await confirm(waiting.said.email)).state).toBe('waiting')
  const owner = await inviter('owner_inviter', 'owner')
  const direct = await world.join({ invite_code: (await owner.invite({ autofollow: true })).code })
  expect((await confirm(direct.said.email)).state).toBe('confirmed')
  await world.settle()
  const followed = await world
    .db('accounts')
    .rows(sql`select 1 from follows where account_id = ${direct.id} and target_id = ${owner.id}`)
  expect(followed).toHaveLength(1)
  await world.policy({ registrations_mode: 'open' })
})

test('F066 of twenty concurrent sign-ups with an invitation for one, one succeeds', async () => {
  const { invite } = await inviter('one_inviter')
  const { code } = await invite({ max_uses: 1 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => asked({ invite_code: code })))
  expect(answers.filter((one) => one.meta.status === 200)).toHaveLength(1)
  expect(answers.filter((one) => one.meta.status === 422)).toHaveLength(19)
})

test('A099 an invitation is refused if its inviter is suspended or it expired', async () => {
  const { id, invite } = await inviter('bad_inviter')
  const { code } = await invite()
  await world.call(accountModerate, { id, action: 'suspend', stamp: 'x' })
  expect((await asked({ invite_code: code })).meta.status).toBe(422)
  await world.call(accountModerate, { id, action: 'unsuspend', stamp: 'x' })
  expect((await asked({ invite_code: code })).meta.status).toBe(200)
  await world.db('accounts').run(sql`update invites set expires_at = now() where code = ${code}`)
  expect((await asked({ invite_code: code })).meta.status).toBe(422)
})

test('an unconfirmed sign-up is deleted after a week, and its name is free', async () => {
  const { id, said: words, token } = await world.join()
  await world
    .db('accounts')
    .run(sql`update sign_ups set confirmation_sent_at = now() - interval '8 days' where account_id = ${id}`)
  const tick = (await import('../src/sign-up/ticks.js')).purgeJoining
  const ctx = world.host.running.find((one) => one.service === 'accounts')?.ctx
  await tick.run(ctx)
  expect(await state(token)).toBeUndefined()
  expect((await world.join(words)).id).not.toBe(id)
})

test('a token of a user cannot sign up, whatever the form contains', async () => {
  const odd = [null, { a: 'b' }, ['x'], 'a\0', 7, 'x'.repeat(20_000), true]
  for (const value of odd) {
    const fields = ['username', 'email', 'password', 'reason', 'locale', 'date_of_birth', 'invite_code', 'time_zone']
    const form = Object.fromEntries(fields.map((name) => [name, value]))
    expect(registrationCreate.input.safeParse(form).success).toBe(true)
  }
})
