/** Tests of S-024: sign-ups affected by an e-mail domain block are counted for a week, by network. */
import { createRegistration, refusedSignUpHistory } from '@murmuration/contracts/accounts'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteRefusedSignUps } from '../src/sign-up/ticks.js'
import { type JoiningHarness, signUpInput, startJoining } from './joining-harness.js'

let harness: JoiningHarness
beforeAll(async () => {
  harness = await startJoining()
  await harness.policy(
    { registrations_mode: 'open' },
    {
      email_domains: [
        { domain: 'bad.example', allow_with_approval: false },
        { domain: 'odd.example', allow_with_approval: true },
      ],
    },
  )
})
afterAll(() => harness.stop())

const attempt = (email: string, ip: string) =>
  harness.call(createRegistration, signUpInput({ email }), harness.app(ip)).then(
    () => 'signed up',
    () => 'refused',
  )
const history = async (...domains: string[]) =>
  (await harness.call(refusedSignUpHistory, { domains })).histories.map((days) =>
    days.map((day) => `${day.uses}/${day.accounts}`),
  )

test('refused and pending sign-ups count for the domain of the block, others do not', async () => {
  expect(await attempt('a@bad.example', '192.0.2.1')).toBe('refused')
  expect(await attempt('b@mx.bad.example', '192.0.2.1')).toBe('refused')
  expect(await attempt('c@bad.example', '2001:db8::1')).toBe('refused')
  expect(await attempt('d@bad.example', '2001:db8::2')).toBe('refused')
  expect(await attempt('e@odd.example', '192.0.2.1')).toBe('signed up')
  expect(await attempt('f@fine.example', '192.0.2.1')).toBe('signed up')
  const none = Array.from({ length: 6 }, () => '0/0')
  expect(await history('odd.example', 'bad.example', 'fine.example')).toEqual([
    ['1/1', ...none],
    ['4/2', ...none],
    ['0/0', ...none],
  ])
})

test('counters older than a week are deleted', async () => {
  const db = harness.db('accounts')
  await db.run(sql`update refused_sign_ups set day = day - 8 where domain = 'bad.example'`)
  const running = harness.host.running.find((one) => one.service === 'accounts')
  await deleteRefusedSignUps.run(running?.ctx)
  expect(await db.rows(sql`select domain from refused_sign_ups`)).toEqual([{ domain: 'odd.example' }])
})
