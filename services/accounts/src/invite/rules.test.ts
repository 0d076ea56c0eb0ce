/** Tests of invitation codes and of the accepted values of invitations. */
import { expect, test } from 'vitest'
import { inviteProblems, newInviteCode } from './rules.js'

test('a code has eight characters without ambiguous ones', () => {
  const codes = Array.from({ length: 2_000 }, newInviteCode)
  expect(codes.filter((code) => !/^[2-9A-HJ-NP-Za-km-z]{8}$/.test(code))).toEqual([])
  expect(new Set(codes).size).toBe(2_000)
})

test.each([
  [{ max_uses: null, expires_in: null, comment: '' }, []],
  [{ max_uses: 1, expires_in: 1_800, comment: 'x'.repeat(420) }, []],
  [{ max_uses: 2, expires_in: null, comment: '' }, ['max_uses']],
  [{ max_uses: 100, expires_in: 7, comment: 'x'.repeat(421) }, ['expires_in', 'comment']],
])('the invitation %j has problems in the fields %j', (wanted, fields) =>
  expect(inviteProblems(wanted).map((one) => one.field)).toEqual(fields),
)
