// What a later activity makes pointless, and what leaves for blocked hosts.
import { expect, test } from 'vitest'
import { isLastWord, mayReachBlocked, outdatedBy, overtakenBy, replaces } from './compaction.rules.js'

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
  expect(['Delete', 'Undo', 'Update', 'Reject'].map(isLastWord)).toEqual([true, true, false, false])
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

test('what is told of a thing is read again when it was edited or taken off meanwhile', () => {
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
