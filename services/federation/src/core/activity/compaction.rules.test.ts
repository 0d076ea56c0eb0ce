/** Which waiting activities a later one replaces, and which activities are sent to blocked hosts. */
import { expect, test } from 'vitest'
import { isEnd, mayReachBlocked, outdatedBy, replaces, supersededBy } from './compaction.rules.js'

test('a Delete or Undo replaces all activities about its object, an Update earlier Updates, a Reject the Accept', () => {
  expect(['Delete', 'Undo', 'Update', 'Reject', 'Create', 'Like'].map(replaces)).toEqual([
    'everything',
    'everything',
    ['Update'],
    ['Accept'],
    [],
    [],
  ])
})

test('no activity about an object is sent after its Delete or Undo', () => {
  expect(['Delete', 'Undo', 'Update', 'Reject'].map(isEnd)).toEqual([true, true, false, false])
})

test('blocked hosts receive only Reject, Undo, and the Delete of an actor', () => {
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

test('an Accept is not sent after a later Reject, and an Accept never replaces a Reject', () => {
  expect(['Accept', 'Add', 'Reject', 'Remove', 'Create'].map(supersededBy)).toEqual([
    ['Reject'],
    ['Remove'],
    [],
    [],
    [],
  ])
})
