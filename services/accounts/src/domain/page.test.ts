/** Which handle the page of a profile may be of. */
import { expect, test } from 'vitest'
import { handleOfPage } from './page.js'

const site = { origin: 'https://here.example', localDomain: 'here.example', webDomain: 'here.example' }

test.each<[string, { username: string; domain: string | null } | null]>([
  ['https://here.example/@Bob', { username: 'bob', domain: null }],
  ['https://far.example/users/bob', { username: 'bob', domain: 'far.example' }],
  ['https://far.example:8443/@bob', { username: 'bob', domain: 'far.example:8443' }],
  ['https://[::1]/@bob', null],
  ['https://here.example:8443/@bob', { username: 'bob', domain: 'here.example:8443' }],
  ['ftp://far.example/@bob', null],
  ['https://far.example/@bob/1', null],
])('%s', (page, handle) => {
  expect(handleOfPage(page, site)).toEqual(handle)
})
