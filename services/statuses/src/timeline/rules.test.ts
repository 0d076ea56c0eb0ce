/** Access to timelines for anonymous viewers, accounts and staff, by setting. */
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { describe, expect, test } from 'vitest'
import { sourcesSelected, sourcesShown } from './rules.js'

const person = { permissions: 0 }
const staff = { permissions: PERMISSIONS.view_feeds }
const both = { local: true, remote: true }

test('a request names the local source, the remote source, both or neither', () => {
  expect(sourcesSelected({})).toEqual(both)
  expect(sourcesSelected({ local: true, remote: true })).toEqual(both)
  expect(sourcesSelected({ local: false, remote: false })).toEqual(both)
  expect(sourcesSelected({ local: true })).toEqual({ local: true, remote: false })
  expect(sourcesSelected({ remote: true, local: false })).toEqual({ local: false, remote: true })
})

describe('S-096 S-197 access to public and hashtag timelines', () => {
  test('anonymous viewers are refused if a requested source is not public', () => {
    const access = { local: 'public', remote: 'authenticated' } as const
    expect(() => sourcesShown(null, access, both)).toThrow('This method requires an authenticated user')
    expect(() => sourcesShown(null, access, { local: false, remote: true })).toThrow()
    expect(sourcesShown(null, access, { local: true, remote: false })).toEqual({ local: true, remote: false })
    expect(() => sourcesShown(null, { local: 'disabled', remote: 'public' }, both)).toThrow()
  })
  test('accounts receive the sources that are not disabled, and staff receives all', () => {
    const access = { local: 'disabled', remote: 'authenticated' } as const
    expect(sourcesShown(person, access, both)).toEqual({ local: false, remote: true })
    expect(sourcesShown(staff, access, both)).toEqual(both)
    expect(sourcesShown(person, { local: 'disabled', remote: 'disabled' }, both)).toEqual({
      local: false,
      remote: false,
    })
  })
})
