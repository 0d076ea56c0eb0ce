/** Which waiting activities a later one replaces, and which activities are sent to blocked hosts. */
import { expect, test } from 'vitest'
import { isEnd, mayReachBlocked, outdatedBy, overtakenBy, replaces } from './compaction.rules.js'

test('ends replace everything about their object, edits earlier edits, a refusal an acceptance', () => {
  expect(['Delete', 'Undo', 'Update', 'Reject', 'Create', 'Like'].map(replaces)).toEqual([
    'everything',
    'everything',
    ['Update'],
    ['Accept'],
    [],
    [],
  ])
})

test('nothing is said about a thing after its Delete or Undo', () => {
  expect(['Delete', 'Undo', 'Update', 'Reject'].map(isEnd)).toEqual([true, true, false, false])
})

test('blocked hosts hear only what ends things: Reject, Undo, and that an account is gone', () => {
  const may = (kind: string, isActorDeletion = false) => mayReachBlocked({ kind, isActorDeletion })
  expect([may('Reject'), may('Undo'), may('Delete', true), may('Delete'), may('Create'), may('Follow')]).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

test('an activity is built again when its object was edited or removed meanwhile', () => {
  expect(['Create', 'Update', 'Add', 'Announce', 'Delete'].map((kind) => outdatedBy(kind).length > 0)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

test('an acceptance says nothing after a later refusal, and no refusal gives way to an acceptance', () => {
  expect(['Accept', 'Add', 'Reject', 'Remove', 'Create'].map(overtakenBy)).toEqual([['Reject'], ['Remove'], [], [], []])
})
