/** Timelines for anonymous visitors, accounts and staff under every setting. */
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { describe, expect, test } from 'vitest'
import { halvesAsked, halvesShown } from './rules.js'

const person = { permissions: 0 }
const staff = { permissions: PERMISSIONS.view_feeds }
const both = { local: true, remote: true }

test('local, remote, both or neither', () => {
  expect(halvesAsked({})).toEqual(both)
  expect(halvesAsked({ local: true, remote: true })).toEqual(both)
  expect(halvesAsked({ local: false, remote: false })).toEqual(both)
  expect(halvesAsked({ local: true })).toEqual({ local: true, remote: false })
  expect(halvesAsked({ remote: true, local: false })).toEqual({ local: false, remote: true })
})

describe('S-096 S-197 access', () => {
  test('anonymous visitors are refused when a half they ask for is not public', () => {
    const access = { local: 'public', remote: 'authenticated' } as const
    expect(() => halvesShown(null, access, both)).toThrow('This method requires an authenticated user')
    expect(() => halvesShown(null, access, { local: false, remote: true })).toThrow()
    expect(halvesShown(null, access, { local: true, remote: false })).toEqual({ local: true, remote: false })
    expect(() => halvesShown(null, { local: 'disabled', remote: 'public' }, both)).toThrow()
  })
  test('people get the halves that are not disabled, staff all of them', () => {
    const access = { local: 'disabled', remote: 'authenticated' } as const
    expect(halvesShown(person, access, both)).toEqual({ local: false, remote: true })
    expect(halvesShown(staff, access, both)).toEqual(both)
    expect(halvesShown(person, { local: 'disabled', remote: 'disabled' }, both)).toEqual({
      local: false,
      remote: false,
    })
  })
})
