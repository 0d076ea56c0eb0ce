/** Tests of the rules of sign-ups: reason, age, time zone, and approval by staff. */
import { expect, test } from 'vitest'
import type { UsableInvite } from '../invite/rules.js'
import { applicationProblems, isApproved, reasonWanted, type Terms } from './rules.js'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const invite: UsableInvite = { id: '1', account_id: '2', bypasses: false }
const open: Terms = { mode: 'open', requireReason: false, minAge: null, invite: null }
const codes = (given: object, terms: Partial<Terms> = {}) =>
  applicationProblems({ agreement: true, ...given }, { ...open, ...terms }, NOW).map(
    ({ field, code }) => `${field} ${code}`,
  )

test('a sign-up needs the agreement and nothing else by default', () => {
  expect(codes({})).toEqual([])
  expect(codes({ agreement: undefined })).toEqual(['agreement ERR_ACCEPTED'])
})

test.each([
  [{ ...open, requireReason: true }, 'none'],
  [{ ...open, mode: 'approved' }, 'optional'],
  [{ ...open, mode: 'approved', requireReason: true }, 'required'],
  [{ ...open, mode: 'approved', requireReason: true, invite }, 'none'],
] as const)('under the terms %j a reason is %s', (terms, wanted) => expect(reasonWanted(terms)).toBe(wanted))

test('a required reason must not be blank, and every reason has at most 420 characters', () => {
  const terms = { mode: 'approved', requireReason: true } as const
  expect(codes({ reason: ' ' }, terms)).toEqual(['reason ERR_BLANK'])
  expect(codes({ reason: '🐦'.repeat(420) }, terms)).toEqual([])
  expect(codes({ reason: 'x'.repeat(421) })).toEqual(['reason ERR_TOO_LONG'])
})

test.each([
  ['2010-03-01', []],
  ['2010-03-02', ['date_of_birth ERR_BELOW_LIMIT']],
  ['2008-02-29', []],
  ['2010-02-30', ['date_of_birth ERR_INVALID']],
  ['2030-01-01', ['date_of_birth ERR_INVALID']],
  ['yesterday', ['date_of_birth ERR_INVALID']],
  [null, ['date_of_birth ERR_BLANK']],
])('the birth date %s with a minimum age of sixteen has the problems %j', (date_of_birth, problems) =>
  expect(codes({ date_of_birth }, { minAge: 16 })).toEqual(problems),
)

test('the birth date is ignored without a minimum age', () => expect(codes({ date_of_birth: 'x' })).toEqual([]))

test('a time zone must be in the time zone database', () => {
  expect(codes({ time_zone: 'Europe/Berlin' })).toEqual([])
  expect(codes({ time_zone: 'Middle/Earth' })).toEqual(['time_zone ERR_INCLUSION'])
})

test.each([
  [open, false, true],
  [open, true, false],
  [{ ...open, mode: 'approved' }, false, false],
  [{ ...open, mode: 'approved', invite }, false, false],
  [{ ...open, mode: 'approved', invite: { ...invite, bypasses: true } }, true, true],
  [{ ...open, mode: 'none', invite }, false, false],
  [{ ...open, mode: 'none', invite: { ...invite, bypasses: true } }, false, true],
] as const)('S-162 under the terms %j with doubts %j the sign-up is approved: %j', (terms, doubts, approved) =>
  expect(isApproved(terms, doubts)).toBe(approved),
)
