/** Invitations that end, are revoked or whose inviter may no longer act while accounts sign up with them. */
import {
  createInvite,
  createRegistration,
  deactivateInvite,
  expireInvite,
  listAllInvites,
  moderateAccount,
  registrationOpening,
  restoreInvite,
  signInUser,
} from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JoiningHarness, signUpInput, startJoining } from './joining-harness.js'

let harness: JoiningHarness
beforeAll(async () => {
  harness = await startJoining()
  await harness.policy({ registrations_mode: 'none' })
})
afterAll(() => harness.stop())

const PASSWORD = 'a long password'
const invite = async (name: string, more: Partial<{ max_uses: number | null; expires_in: number | null }> = {}) => {
  const { id } = await harness.createAccount(name, { password: PASSWORD })
  const entered = { email: `${name}@mail.example`, password: PASSWORD, ip: null, userAgent: null }
  const session = (await harness.call(signInUser, entered)).session ?? ''
  const wish = { session, max_uses: null, expires_in: null, autofollow: false, comment: '', ...more }
  return { inviter: id, session, ...(await harness.call(createInvite, wish)).invite }
}
const signUp = async (invite_code: string) =>
  (await harness.request(createRegistration, signUpInput({ invite_code }), harness.app())).meta.status
const together = async (code: string, max: number, between: () => Promise<unknown> = async () => undefined) => {
  const answers = Promise.all(Array.from({ length: max }, () => signUp(code)))
  await between()
  return (await answers).filter((status) => status === 200).length
}
const usesOf = async (code: string) =>
  (await harness.db('accounts').row<{ uses: number }>(sql`select uses from invites where code = ${code}`))?.uses

test('of twenty simultaneous sign-ups with an invitation for five, five succeed', async () => {
  const { code } = await invite('fiver', { max_uses: 5 })
  expect([await together(code, 20), await usesOf(code)]).toEqual([5, 5])
  expect(await signUp(code)).toBe(403)
  expect(await harness.call(registrationOpening, { invite_code: code, ip: null })).toMatchObject({ bad_code: true })
})

test('no sign-up succeeds after its invitation was revoked, by the inviter or by staff', async () => {
  for (const [name, revoke] of [
    [
      'revoker',
      (one: { session: string; id: string }) => harness.call(expireInvite, { session: one.session, id: one.id }),
    ],
    ['revoked', (one: { id: string }) => harness.call(deactivateInvite, { id: one.id })],
  ] as const) {
    const one = await invite(name)
    const before = await together(one.code, 12, () => revoke(one))
    expect(await usesOf(one.code)).toBe(before)
    expect(await signUp(one.code)).toBe(403)
    // A second revocation does not extend it.
    await revoke(one)
    expect(await signUp(one.code)).toBe(403)
  }
})

test('an invitation ends at its time, and not before', async () => {
  const { code, id } = await invite('timer', { expires_in: 1_800 })
  const ends = (delta: string) =>
    harness.db('accounts').run(sql`update invites set expires_at = now() + ${delta}::interval where id = ${id}`)
  await ends('1 minute')
  expect(await signUp(code)).toBe(200)
  await ends('-1 millisecond')
  expect(await signUp(code)).toBe(403)
  expect(await harness.call(listAllInvites, { usable: true } as never)).not.toContainEqual(
    expect.objectContaining({ id }),
  )
})

test('invitations of a disabled, suspended or deleted inviter are refused', async () => {
  for (const [name, action, undo] of [
    ['disabled', 'disable', 'enable'],
    ['suspended', 'suspend', 'unsuspend'],
  ] as const) {
    const one = await invite(`${name}_inviter`)
    const moderate = (what: typeof action | typeof undo) =>
      harness.call(moderateAccount, { id: one.inviter, action: what, stamp: 'staff' })
    await moderate(action)
    expect([name, await signUp(one.code)]).toEqual([name, 403])
    await moderate(undo)
    expect([name, await signUp(one.code)]).toEqual([name, 200])
  }
  const gone = await invite('gone_inviter')
  await harness.db('accounts').run(sql`delete from users where account_id = ${gone.inviter}`)
  expect(await signUp(gone.code)).toBe(403)
})

test('the undo of a revocation does not restore an invitation that ended meanwhile', async () => {
  const one = await invite('undoer', { max_uses: 1 })
  const expiry = async () =>
    (
      await harness
        .db('accounts')
        .row<{ at: Date | null }>(sql`select expires_at as at from invites where id = ${one.id}`)
    )?.at
  const [before] = [{ expires_at: (await expiry()) ?? null }]
  await harness.call(deactivateInvite, { id: one.id })
  const after = { expires_at: (await expiry())?.toISOString() ?? null }
  const restore = () =>
    harness.call(restoreInvite, {
      by: one.inviter,
      action: 'destroy_invite',
      targetId: one.id,
      before,
      after,
      dry: false,
    } as never)
  expect(await restore()).toEqual({ outcome: 'restored' })
  expect(await signUp(one.code)).toBe(200)
  expect(await restore()).toEqual({ outcome: 'already' })
  expect(await signUp(one.code)).toBe(403)
})
