/** Senders that count as staff. */
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { expect, test } from 'vitest'
import { speaksAsStaff } from './staff.rules.js'

const moderator = { ...DEFAULT_ROLES.moderator, highlighted: true }
const owner = { ...DEFAULT_ROLES.owner, highlighted: true }

test('staff has a highlighted moderation role above the role of the recipient', () => {
  expect(speaksAsStaff(moderator, null)).toBe(true)
  expect(speaksAsStaff(owner, moderator)).toBe(true)
  expect(speaksAsStaff(moderator, owner)).toBe(false)
  expect(speaksAsStaff(moderator, moderator)).toBe(false)
  expect(speaksAsStaff({ ...moderator, highlighted: false }, null)).toBe(false)
  expect(speaksAsStaff({ position: 5, permissions: 0, highlighted: true }, null)).toBe(false)
  expect(speaksAsStaff(null, null)).toBe(false)
})
