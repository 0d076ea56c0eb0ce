/** Permissions of moderators for actions on accounts. */
import { DEFAULT_ROLES, permissionsOf } from '@murmuration/contracts/permissions'
import { expect, test } from 'vitest'
import { type Action, actionOf, auditNameOf, checkAct, checkEnd, moderationOf, textOf } from './account-action.rules.js'

test('there are five types, and a missing one is refused differently from an invalid one', () => {
  expect(actionOf('none')).toBe('none')
  expect(() => actionOf(undefined)).toThrow("Validation failed: Type can't be blank, Type is not included in the list")
  expect(() => actionOf('delete')).toThrow('Validation failed: Type is not included in the list')
})

test('texts have a maximum length', () => {
  expect(textOf(' x ')).toBe('x')
  expect(() => textOf('x'.repeat(2_001))).toThrow('Validation failed: Text is too long (maximum is 2000 characters)')
})

const { moderator, admin, owner, everyone } = DEFAULT_ROLES
const reporter = { permissions: permissionsOf('manage_reports'), position: 10 }
const userManager = { permissions: permissionsOf('manage_users'), position: 10 }

test.each([
  [moderator, 'suspend', everyone.position, true],
  [moderator, 'suspend', null, true],
  [moderator, 'suspend', moderator.position, false],
  [moderator, 'silence', admin.position, false],
  [admin, 'disable', moderator.position, true],
  [owner, 'suspend', admin.position, true],
  [admin, 'sensitive', owner.position, false],
  [reporter, 'suspend', -1, true],
  [reporter, 'disable', -1, false],
  [userManager, 'disable', -1, true],
  [{ permissions: 0, position: 99 }, 'silence', -1, false],
  [moderator, 'none', owner.position, true],
] as const)('A067 %j may %s at position %s: %s', (actor, action, position, allowed) => {
  const act = () => checkAct(actor, action as Action, position)
  if (allowed) expect(act).not.toThrow()
  else expect(act).toThrow('This action is not allowed')
})

const target = { position: -1 as number | null, local: true, suspendedLocally: true }

test('A067 an undo requires a higher position too, and a state that this server set', () => {
  expect(() => checkEnd(moderator, 'silence', target)).not.toThrow()
  expect(() => checkEnd(moderator, 'silence', { ...target, position: 10 })).toThrow('This action is not allowed')
  expect(() => checkEnd(moderator, 'suspend', { ...target, suspendedLocally: false })).toThrow(
    'This action is not allowed',
  )
  expect(() => checkEnd(moderator, 'disable', { ...target, local: false, position: null })).toThrow('Forbidden')
})

test('each state has its moderation action and its name in the audit log', () => {
  expect([moderationOf('disable', false), auditNameOf('disable', false)]).toEqual(['enable', 'enable_user'])
  expect([moderationOf('disable', true), auditNameOf('disable', true)]).toEqual(['disable', 'disable_user'])
  expect([moderationOf('suspend', false), auditNameOf('suspend', false)]).toEqual(['unsuspend', 'unsuspend_account'])
  expect([moderationOf('sensitive', true), auditNameOf('sensitive', true)]).toEqual(['sensitive', 'sensitive_account'])
})
