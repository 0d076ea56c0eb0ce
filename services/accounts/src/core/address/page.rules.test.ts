/** Tests of handles and actor ids in addresses. */
import { hostsOf } from '@murmuration/text/own-address'
import { expect, test } from 'vitest'
import { actorOfAddress, handleOfPage, ownerOfPage } from './page.rules.js'

const own = {
  site: { origin: 'https://here.example', handleDomains: new Set(['handles.example', 'here.example']) },
  ownHosts: hostsOf(['handles.example', 'here.example']),
}

test.each<[string, { username: string; domain: string | null } | null]>([
  ['https://here.example/@Bob', { username: 'bob', domain: null }],
  ['https://here.example/web/@bob', { username: 'bob', domain: null }],
  ['HTTPS://Here.Example/%40bob/#me', { username: 'bob', domain: null }],
  ['https://here.example/@%62%6Fb', { username: 'bob', domain: null }],
  ['https://here.example/@bob@here.example', { username: 'bob', domain: null }],
  ['https://here.example/%40Bob%40HERE.example/', { username: 'bob', domain: null }],
  ['https://handles.example/@bob', { username: 'bob', domain: null }],
  ['http://here.example/users/Bob/', { username: 'bob', domain: null }],
  ['http://handles.example/@bob@handles.example', { username: 'bob', domain: null }],
  ['https://handles.example/@bob@far.example', null],
  ['https://here.example/@bob@far.example', null],
  ['https://here.example/@Bob/with_replies', { username: 'bob', domain: null }],
  ['https://here.example/@bob/followers/', { username: 'bob', domain: null }],
  ['https://handles.example/@bob@handles.example/media?x=1', { username: 'bob', domain: null }],
  ['https://here.example/users/bob/followers', null],
  ['https://here.example/@bob/other', null],
  ['https://here.example/@bob@far.example/followers', null],
  ['https://far.example/@bob/followers', null],
  ['https://here.example/@bob@', null],
  ['https://far.example/users/bob', { username: 'bob', domain: 'far.example' }],
  ['https://here.example/users/bob#follows/5', null],
  ['https://far.example:8443/@bob', { username: 'bob', domain: 'far.example:8443' }],
  ['https://[::1]/@bob', null],
  ['https://here.example:8443/@bob', { username: 'bob', domain: 'here.example:8443' }],
  ['ftp://far.example/@bob', null],
  ['https://far.example/@bob/1', null],
])('the profile page %s names the handle %j', (page, handle) => {
  expect(handleOfPage(page, own)).toEqual(handle)
})

test.each<[string, string | null]>([
  ['https://here.example/ap/users/7/', 'https://here.example/ap/users/7'],
  ['HTTPS://here.example:443/ap/users/7?x=1#main-key', 'https://here.example/ap/users/7'],
  ['https://handles.example/ap/users/7', 'https://here.example/ap/users/7'],
  ['http://here.example/ap/users/7/', 'https://here.example/ap/users/7'],
  ['https://sub.here.example/ap/users/7', null],
  ['https://here.example/ap/users/7/statuses/1', null],
  ['https://here.example/ap/users/7#follows/5', null],
  ['https://far.example/ap/users/7/', null],
])('the address %s names the actor %j', (address, actor) => {
  expect(actorOfAddress(address, own)).toBe(actor)
})

test('a page belongs to the account that states it, and the handle decides between several', () => {
  const account = (username: string, domain: string | null, url: string | null) => ({ username, domain, url })
  const page = 'https://social.example/@bob'
  const ownerOf = (...accounts: ReturnType<typeof account>[]) => ownerOfPage(accounts, page, handleOfPage(page, own))
  const split = account('Bob', 'far.example', page)
  const same = account('bob', 'social.example', page)
  expect(ownerOf(split)).toBe(split)
  expect(ownerOf(account('other', 'far.example', page))?.username).toBe('other')
  expect(ownerOf(account('other', 'social.example', page))).toBeNull()
  expect(ownerOf(account('bob', 'social.example', 'https://social.example/bob'))).toBeNull()
  expect(ownerOf(account('bob', null, page))).toBeNull()
  expect(ownerOf(split, same)).toBe(same)
  expect(ownerOf(split, account('eve', 'social.example', page))).toBeNull()
  expect(ownerOf()).toBeNull()
  const odd = 'https://social.example/author/7/'
  expect(ownerOfPage([account('bob', 'far.example', odd)], odd, null)?.username).toBe('bob')
})
