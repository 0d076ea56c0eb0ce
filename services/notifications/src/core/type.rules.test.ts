/** Types: filters of lists, and keys of groups. */
import { NotificationType } from '@murmuration/contracts/entities'
import { expect, test } from 'vitest'
import { groupPrefix, hourOf, needsFallback, wantedTypes } from './type.rules.js'

test('S-071 there are 17 types', () => {
  expect(NotificationType.options).toHaveLength(17)
})

test('S-091 types filter a list, unknown ones are ignored, and only unknown ones give an empty list', () => {
  expect(wantedTypes(undefined, undefined)).toBeNull()
  expect(wantedTypes([], [])).toBeNull()
  expect(wantedTypes(['mention', 'nonsense'], undefined)).toEqual(['mention'])
  expect(wantedTypes(['nonsense'], undefined)).toEqual([])
  expect(wantedTypes(['mention', 'follow'], ['follow'])).toEqual(['mention'])
  expect(wantedTypes(undefined, ['mention', 'nonsense'])).toHaveLength(16)
})

test('the key of a group has the type and, if there is one, the status', () => {
  expect(groupPrefix('favourite', '7')).toBe('favourite-7')
  expect(groupPrefix('reblog', '7')).toBe('reblog-7')
  expect(groupPrefix('follow', null)).toBe('follow')
  expect(groupPrefix('admin.sign_up', null)).toBe('admin.sign_up')
  expect(groupPrefix('mention', '7')).toBeNull()
  expect(hourOf(7_200_000)).toBe(2)
})

test('only types that older clients may not support have a fallback text', () => {
  expect(NotificationType.options.filter(needsFallback)).toEqual([
    'admin.sign_up',
    'added_to_collection',
    'collection_update',
    'admin.report',
    'severed_relationships',
    'moderation_warning',
  ])
})
