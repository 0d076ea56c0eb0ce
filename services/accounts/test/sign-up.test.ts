/** Tests of sign-ups with an application: validation, approval, invitations, and what the token permits. */
import {
  accountAdminRecords,
  accountMany,
  approveRegistration,
  checkEmail,
  confirmEmail,
  createBlock,
  createEndorsement,
  createFollow,
  createInvite,
  createMute,
  createRegistration,
  listEndorsementsOf,
  listFollowees,
  listFollowers,
  listPendingRegistrations,
  lookupAccount,
  moderateAccount,
  registrationOpening,
  rejectRegistration,
  resolveToken,
  searchAccounts,
  setNote,
  showAccount,
  signInUser,
} from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { canonicalEmailHash } from '@murmuration/kernel'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type JoiningHarness, type SignUpInput, signUpInput, startJoining } from './joining-harness.js'

let harness: JoiningHarness
beforeAll(async () => {
  harness = await startJoining()
  await harness.policy({ registrations_mode: 'open' })
})
afterAll(() => harness.stop())

const details = async (more: SignUpInput, ip?: string): Promise<Record<string, string[]>> => {
  const answer = await harness.request(createRegistration, signUpInput(more), harness.app(ip))
  if (answer.meta.status !== 422) throw new Error(`it was answered with ${answer.meta.status}`)
  const body = JSON.parse(new TextDecoder().decode(answer.bytes)) as {
    details: Record<string, { error: string }[]>
  }
  return Object.fromEntries(Object.entries(body.details).map(([field, list]) => [field, list.map((one) => one.error)]))
}
const state = async (token: string) => (await harness.call(resolveToken, { token, ip: null })).found?.state
const confirm = async (email: string) =>
  harness.call(confirmEmail, { token: await harness.secret(email, 'confirmation') })

test('a user signs up, confirms the address, and can act', async () => {
  const { token, as, id, input } = await harness.join()
  expect(await state(token)).toBe('unconfirmed')
  expect(await harness.call(checkEmail, {}, as)).toBe(false)
  expect((await harness.call(resolveToken, { token, ip: null })).found?.scopes).toEqual(['read', 'write', 'follow'])
  expect(await confirm(input.email)).toEqual({ state: 'confirmed' })
  expect(await state(token)).toBe('ok')
  expect(await harness.call(checkEmail, {}, as)).toBe(true)
  expect((await harness.emails(input.email)).map((one) => one.kind)).toEqual(['welcome'])
  expect((await harness.call(showAccount, { id })).username).toBe(input.username)
  const announced = await harness
    .db('accounts')
    .rows<{ subject: string }>(sql`select subject from outbox where data like ${`%"id":"${id}"%`} order by id`)
  expect(announced.map((row) => row.subject)).toEqual([
    'evt.accounts.account.registered',
    'evt.accounts.account.joined',
  ])
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
  else expect((await harness.join({ password })).token).toHaveLength(43)
})

test('D003 a password equal to the user name is refused, and all characters of long ones are compared', async () => {
  expect(await details({ username: 'feathers_and_all', password: 'Feathers_And_All' })).toEqual({
    password: ['ERR_INVALID'],
  })
  const { input } = await harness.join({ password: `${'x'.repeat(127)}1` })
  const signIn = (password: string) =>
    harness.call(signInUser, { email: input.email, password, ip: null, userAgent: null })
  expect((await signIn(`${'x'.repeat(127)}1`)).state).toBe('signed-in')
  expect((await signIn(`${'x'.repeat(127)}2`)).state).toBe('refused')
})

test('F065 names and addresses are compared ignoring case, and of two concurrent sign-ups one succeeds', async () => {
  const { input } = await harness.join()
  expect(await details({ username: input.username.toUpperCase(), email: input.email.toUpperCase() })).toEqual({
    username: ['ERR_TAKEN'],
    email: ['ERR_TAKEN'],
  })
  const tries = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      harness.request(
        createRegistration,
        signUpInput({
          username: i % 2 ? 'Racing' : 'racing',
          email: i < 10 ? 'Racing@mail.example' : `racing${i}@mail.example`,
        }),
        harness.app(),
      ),
    ),
  )
  const texts = tries.map((one) => new TextDecoder().decode(one.bytes))
  expect(tries.filter((one) => one.meta.status === 200)).toHaveLength(1)
  expect(tries.filter((one) => one.meta.status === 422)).toHaveLength(19)
  expect(texts.filter((text) => text.includes('ERR_TAKEN'))).toHaveLength(19)
})

test('an address with an internationalised domain is the same in both of its forms', async () => {
  const { input } = await harness.join({ email: 'Ada@M\u00fcnchen.example' })
  const [row] = await harness.db('accounts').rows<{ email: string }>(sql`select email from users
    where lower(email) = 'ada@xn--mnchen-3ya.example'`)
  expect(row?.email).toBe('Ada@xn--mnchen-3ya.example')
  await confirm(row?.email ?? '')
  for (const email of ['ada@m\u00fcnchen.example', 'ADA@xn--mnchen-3ya.example', 'ada@mu\u0308nchen.example']) {
    const signedIn = await harness.call(signInUser, {
      email,
      password: input.password ?? '',
      ip: null,
      userAgent: '',
    })
    expect([email, signedIn.state]).toEqual([email, 'signed-in'])
    expect(await details({ email })).toMatchObject({ email: ['ERR_TAKEN'] })
  }
  expect(await details({ email: 'j\u00f6rg@mail.example' })).toEqual({ email: ['ERR_INVALID'] })
})

test('an internationalised domain with characters of a URL is refused', async () => {
  const domains = ['m\u00fcnchen.example/evil', 'm\u00fcnchen.example?x', 'm\u00fcnchen.example#x']
  for (const domain of [...domains, 'm\u00fcnchen%2eexample', '\u00fc\\x.example', 'm\u00fcn\tchen.example'])
    expect([domain, await details({ email: `eva@${domain}` })]).toEqual([domain, { email: ['ERR_INVALID'] }])
})

test('a sign-up requires a token of an application without a user', async () => {
  const { as } = await harness.join()
  const again = await harness.request(createRegistration, signUpInput(), as)
  expect([again.meta.status, new TextDecoder().decode(again.bytes)]).toEqual([
    403,
    expect.stringContaining('This method requires an client credentials authentication'),
  ])
})

test('an unsupported language is ignored, and a supported one stored', async () => {
  const locale = async (given: string) => {
    const { id } = await harness.join({ locale: given })
    return (
      await harness.db('accounts').row<{ locale: string }>(sql`select locale from users where account_id = ${id}`)
    )?.locale
  }
  expect(await locale('de')).toBe('de')
  expect(await locale('tlh-Klingon')).toBe('en')
})

test('S-082 S-122 a sign-up without confirmation or approval is found by lookup only', async () => {
  const viewer = await harness.createAccount('seeker')
  const hidden = async (id: string, username: string) => {
    expect((await harness.request(showAccount, { id })).meta.status).toBe(404)
    for (const operation of [listFollowers, listFollowees, listEndorsementsOf])
      expect([operation.name, (await harness.request(operation, { id })).meta.status]).toEqual([operation.name, 404])
    for (const operation of [createFollow, createBlock, createMute, setNote, createEndorsement])
      expect([operation.name, (await harness.request(operation, { id } as never, viewer)).meta.status]).toEqual([
        operation.name,
        404,
      ])
    expect(await harness.call(accountMany, { id: [id, viewer.id] })).toMatchObject([{ id: viewer.id }])
    for (const q of [username, `@${username}`]) expect(await harness.call(searchAccounts, { q }, viewer)).toEqual([])
    expect((await harness.call(lookupAccount, { acct: username })).id).toBe(id)
  }
  const unconfirmed = await harness.join()
  await hidden(unconfirmed.id, unconfirmed.input.username)
  await harness.policy({ registrations_mode: 'approved' })
  const unapproved = await harness.join()
  expect(await confirm(unapproved.input.email)).toEqual({ state: 'waiting' })
  await hidden(unapproved.id, unapproved.input.username)
  await harness.policy({ registrations_mode: 'open' })
  // After its approval, the same requests find the account.
  await harness.call(approveRegistration, { id: unapproved.id })
  expect((await harness.request(showAccount, { id: unapproved.id })).meta.status).toBe(200)
  expect(await harness.call(searchAccounts, { q: unapproved.input.username }, viewer)).toHaveLength(1)
})

test('S-122 lookup finds an account that waits for approval', async () => {
  await harness.policy({ registrations_mode: 'approved' })
  const { id, input } = await harness.join()
  expect((await confirm(input.email)).state).toBe('waiting')
  expect((await harness.call(lookupAccount, { acct: input.username })).id).toBe(id)
  expect((await harness.request(showAccount, { id })).meta.status).toBe(404)
  await harness.policy({ registrations_mode: 'open' })
})

test('rules for IP addresses, e-mail providers and names apply to sign-ups', async () => {
  await harness.policy(
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
  expect((await harness.request(createRegistration, signUpInput(), harness.app('198.51.100.9'))).meta.status).toBe(403)
  expect(await details({ email: 'a@mx.throwaway.example' })).toEqual({ email: ['ERR_BLOCKED'] })
  expect(await details({ email: 'E.v.e+x@mail.example' })).toEqual({ email: ['ERR_TAKEN'] })
  const waits = async (more: SignUpInput, ip?: string) => {
    const { input } = await harness.join(more, ip)
    return (await confirm(input.email)).state
  }
  expect(await waits({}, '203.0.113.9')).toBe('waiting')
  expect(await waits({ email: 'a@odd.example' })).toBe('waiting')
  expect(await waits({ username: 'my_shop' })).toBe('waiting')
  expect(await waits({}, '203.0.112.9')).toBe('confirmed')
  await harness.policy({ registrations_mode: 'open' })
})

test('an applicant below the minimum age is refused, and the date of birth is not stored', async () => {
  await harness.policy({ registrations_mode: 'open', min_age: 16 })
  expect(await details({})).toEqual({ date_of_birth: ['ERR_BLANK'] })
  expect(await details({ date_of_birth: `${new Date().getFullYear() - 10}-01-01` })).toEqual({
    date_of_birth: ['ERR_BELOW_LIMIT'],
  })
  await harness.join({ date_of_birth: '1981-02-03' })
  const rows = await harness.db('accounts').rows<{ line: string }>(sql`select s::text as line from sign_ups s`)
  expect(rows.some((row) => row.line.includes('1981-02'))).toBe(false)
  await harness.policy({ registrations_mode: 'open' })
})

test('S-026 S-074 with approval required, staff approve a sign-up or reject it, and a rejected name is free again', async () => {
  await harness.policy({ registrations_mode: 'approved', require_invite_text: true })
  const staff = await harness.createAccount('staffer', { role: 'moderator' })
  expect(await details({})).toEqual({ reason: ['ERR_BLANK'] })
  const first = await harness.join({ reason: 'I like birds' })
  const states = async () => {
    const { records } = await harness.call(accountAdminRecords, { ids: [first.id] })
    return [records[0]?.account.confirmed, records[0]?.account.approved]
  }
  expect(await states()).toEqual([false, false])
  expect(await confirm(first.input.email)).toEqual({ state: 'waiting' })
  expect(await state(first.token)).toBe('unapproved')
  const pending = await harness.call(listPendingRegistrations, {})
  expect(pending.people.at(-1)).toMatchObject({
    id: first.id,
    reason: 'I like birds',
    confirmed: true,
    ip: '192.0.2.1',
  })
  const { records } = await harness.call(accountAdminRecords, { ids: [first.id] })
  expect(records[0]?.account).toMatchObject({
    approved: false,
    confirmed: true,
    invite_request: 'I like birds',
    created_by_application_id: '7',
    ip: '192.0.2.1',
  })
  expect((await harness.emails('staffer@mail.example')).at(-1)).toMatchObject({
    kind: 'sign-up-waiting',
    [olderNames.mailValues]: { username: first.input.username, reason: 'I like birds' },
  })
  expect(await harness.call(approveRegistration, { id: first.id })).toEqual({ changed: true })
  expect(await harness.call(approveRegistration, { id: first.id })).toEqual({ changed: false })
  expect(await harness.call(rejectRegistration, { id: first.id })).toEqual({ changed: false })
  expect(await state(first.token)).toBe('ok')
  expect(await states()).toEqual([true, true])
  expect((await harness.emails(first.input.email)).map((one) => one.kind)).toEqual(['approved'])

  const second = await harness.join({ reason: 'spam' })
  await confirm(second.input.email)
  expect(await harness.call(rejectRegistration, { id: second.id })).toEqual({ changed: true })
  expect(await state(second.token)).toBeUndefined()
  expect((await harness.emails(second.input.email)).map((one) => one.kind)).toEqual(['rejected'])
  const again = await harness.join({ ...second.input, reason: 'again' })
  expect(again.id).not.toBe(second.id)
  expect(staff.id).not.toBe(first.id)
  await harness.policy({ registrations_mode: 'open' })
})

test('a user who was approved before the confirmation joins by the confirmation', async () => {
  await harness.policy({ registrations_mode: 'approved' })
  const { id, token, input } = await harness.join()
  expect(await harness.call(approveRegistration, { id })).toEqual({ changed: true })
  expect(await state(token)).toBe('unconfirmed')
  expect(await confirm(input.email)).toEqual({ state: 'confirmed' })
  expect(await state(token)).toBe('ok')
  await harness.policy({ registrations_mode: 'open' })
})

/** Creates a user with a browser session. */
const inviter = async (name: string, role?: string) => {
  const { id } = await harness.createAccount(name, { password: 'a long password', ...(role ? { role } : {}) })
  const { session } = await harness.call(signInUser, {
    email: `${name}@mail.example`,
    password: 'a long password',
    ip: null,
    userAgent: null,
  })
  const invite = async (
    more: Partial<{ max_uses: number | null; expires_in: number | null; autofollow: boolean }> = {},
  ) =>
    (
      await harness.call(createInvite, {
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
const asked = (more: SignUpInput) => harness.request(createRegistration, signUpInput(more), harness.app())

test('S-162 an invitation permits a sign-up on a closed server, and approval depends on the inviter’s permission', async () => {
  await harness.policy({ registrations_mode: 'none' })
  expect((await asked({})).meta.status).toBe(403)
  expect((await asked({ invite_code: 'ABCDEFGH' })).meta.status).toBe(403)
  const plain = await inviter('plain_inviter')
  const { code } = await plain.invite()
  expect(await harness.call(registrationOpening, { invite_code: code, ip: null })).toMatchObject({
    open: true,
    inviter: { username: 'plain_inviter' },
    bad_code: false,
  })
  const waiting = await harness.join({ invite_code: code })
  expect((await confirm(waiting.input.email)).state).toBe('waiting')
  const owner = await inviter('owner_inviter', 'owner')
  const direct = await harness.join({ invite_code: (await owner.invite({ autofollow: true })).code })
  expect((await confirm(direct.input.email)).state).toBe('confirmed')
  await harness.waitForIdle()
  const followed = await harness
    .db('accounts')
    .rows(sql`select 1 from follows where account_id = ${direct.id} and target_id = ${owner.id}`)
  expect(followed).toHaveLength(1)
  await harness.policy({ registrations_mode: 'open' })
})

test('a sign-up is unavailable until the rules of staff are loaded, also with an invitation', async () => {
  const { code } = await (await inviter('patient')).invite()
  const { ctx } = harness.host.running.find((one) => one.service === 'accounts')!
  const loaded = vi.spyOn(ctx.policy, 'loaded').mockReturnValue(false)
  expect((await asked({ invite_code: code })).meta.status).toBe(503)
  const opening = harness.call(registrationOpening, { invite_code: code, ip: null })
  await expect(opening).rejects.toMatchObject({ status: 503 })
  loaded.mockRestore()
  expect((await asked({ invite_code: code })).meta.status).toBe(200)
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
  await harness.call(moderateAccount, { id, action: 'suspend', stamp: 'x' })
  expect((await asked({ invite_code: code })).meta.status).toBe(422)
  await harness.call(moderateAccount, { id, action: 'unsuspend', stamp: 'x' })
  expect((await asked({ invite_code: code })).meta.status).toBe(200)
  await harness
    .db('accounts')
    .run(sql`update invites set expires_at = now() - interval '1 second' where code = ${code}`)
  expect((await asked({ invite_code: code })).meta.status).toBe(422)
})

test('an unconfirmed sign-up is deleted after a week, and its name is free', async () => {
  const { id, input, token } = await harness.join()
  await harness
    .db('accounts')
    .run(sql`update sign_ups set confirmation_sent_at = now() - interval '8 days' where account_id = ${id}`)
  const tick = (await import('../src/sign-up/ticks.js')).purgeJoining
  const ctx = harness.host.running.find((one) => one.service === 'accounts')?.ctx
  await tick.run(ctx)
  expect(await state(token)).toBeUndefined()
  expect((await harness.join(input)).id).not.toBe(id)
})

test('a token of a user cannot sign up, whatever the form contains', async () => {
  const odd = [null, { a: 'b' }, ['x'], 'a\0', 7, 'x'.repeat(20_000), true]
  for (const value of odd) {
    const fields = ['username', 'email', 'password', 'reason', 'locale', 'date_of_birth', 'invite_code', 'time_zone']
    const form = Object.fromEntries(fields.map((name) => [name, value]))
    expect(createRegistration.input.safeParse(form).success).toBe(true)
  }
})
