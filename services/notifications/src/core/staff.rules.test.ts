/** Senders that count as staff. */
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { expect, test } from 'vitest'
import { isFromStaff } from './staff.rules.js'

const moderator = { ...DEFAULT_ROLES.moderator, highlighted: true }
const owner = { ...DEFAULT_ROLES.owner, highlighted: true }

test('staff has a highlighted moderation role above the role of the recipient', () => {
  expect(isFromStaff(moderator, null)).toBe(true)
  expect(isFromStaff(owner, moderator)).toBe(true)
  expect(isFromStaff(moderator, owner)).toBe(false)
  expect(isFromStaff(moderator, moderator)).toBe(false)
  expect(isFromStaff({ ...moderator, highlighted: false }, null)).toBe(false)
  expect(isFromStaff({ position: 5, permissions: 0, highlighted: true }, null)).toBe(false)
  expect(isFromStaff(null, null)).toBe(false)
})
