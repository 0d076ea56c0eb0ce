/** Signing up: what is asked for under which terms, how old somebody is, and when staff has to look. */
import { expect, test } from 'vitest'
import type { UsableInvite } from '../invite/rules.js'
import { applicationProblems, isApproved, reasonWanted, type Terms } from './rules.js'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const invite: UsableInvite = { id: '1', account_id: '2', bypasses: false }
const open: Terms = { mode: 'open', requireReason: false, minAge: null, invite: null }
const codes = (said: object, terms: Partial<Terms> = {}) =>
  applicationProblems({ agreement: true, ...said }, { ...open, ...terms }, NOW).map(
    ({ field, code }) => `${field} ${code}`,
  )

test('an applicant who agrees and is asked for nothing else may join', () => {
  expect(codes({})).toEqual([])
  expect(codes({ agreement: undefined })).toEqual(['agreement ERR_ACCEPTED'])
})

test.each([
  [{ ...open, requireReason: true }, 'none'],
  [{ ...open, mode: 'approved' }, 'optional'],
  [{ ...open, mode: 'approved', requireReason: true }, 'required'],
  [{ ...open, mode: 'approved', requireReason: true, invite }, 'none'],
] as const)('under %j a reason is %s', (terms, wanted) => expect(reasonWanted(terms)).toBe(wanted))

test('a reason is required where it is, and at most 420 characters long', () => {
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
])('born on %s at an age of sixteen: %j', (date_of_birth, problems) =>
  expect(codes({ date_of_birth }, { minAge: 16 })).toEqual(problems),
)

test('no age is asked for unless there is a limit', () => expect(codes({ date_of_birth: 'x' })).toEqual([]))

test('a time zone is one of the database', () => {
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
] as const)('S-162 under %j with doubts %j approval is %j', (terms, doubts, approved) =>
  expect(isApproved(terms, doubts)).toBe(approved),
)
