// What a later activity makes pointless, and what leaves for blocked hosts.
import { expect, test } from 'vitest'
import { isLastWord, mayReachBlocked, replaces } from './compaction.js'

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
  const may = (kind: string, farewell = false) => mayReachBlocked({ kind, farewell })
  expect([may('Reject'), may('Undo'), may('Delete', true), may('Delete'), may('Create'), may('Follow')]).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
