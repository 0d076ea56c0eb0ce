/** Access to timelines for anonymous viewers, accounts and staff, by setting. */
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { describe, expect, test } from 'vitest'
import { halvesAsked, halvesShown } from './rules.js'

const person = { permissions: 0 }
const staff = { permissions: PERMISSIONS.view_feeds }
const both = { local: true, remote: true }

test('a request names the local half, the remote half, both or neither', () => {
  expect(halvesAsked({})).toEqual(both)
  expect(halvesAsked({ local: true, remote: true })).toEqual(both)
  expect(halvesAsked({ local: false, remote: false })).toEqual(both)
  expect(halvesAsked({ local: true })).toEqual({ local: true, remote: false })
  expect(halvesAsked({ remote: true, local: false })).toEqual({ local: false, remote: true })
})

describe('S-096 S-197 access to public and hashtag timelines', () => {
  test('anonymous viewers are refused if a requested half is not public', () => {
    const access = { local: 'public', remote: 'authenticated' } as const
    expect(() => halvesShown(null, access, both)).toThrow('This method requires an authenticated user')
    expect(() => halvesShown(null, access, { local: false, remote: true })).toThrow()
    expect(halvesShown(null, access, { local: true, remote: false })).toEqual({ local: true, remote: false })
    expect(() => halvesShown(null, { local: 'disabled', remote: 'public' }, both)).toThrow()
  })
  test('accounts receive the halves that are not disabled, and staff receives all', () => {
    const access = { local: 'disabled', remote: 'authenticated' } as const
    expect(halvesShown(person, access, both)).toEqual({ local: false, remote: true })
    expect(halvesShown(staff, access, both)).toEqual(both)
    expect(halvesShown(person, { local: 'disabled', remote: 'disabled' }, both)).toEqual({
      local: false,
      remote: false,
    })
  })
})
