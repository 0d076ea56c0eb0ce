/** Addresses of local statuses, accounts, tags and collections. */
import { expect, test } from 'vitest'
import {
  handleOfAddress,
  linkedCollections,
  localAccountName,
  localStatusId,
  reblogUri,
  statusUri,
  statusUrl,
  tagUrl,
} from './rules.js'

const origin = 'https://here.example'

test('generated addresses of local statuses are recognised', () => {
  expect(localStatusId(origin, statusUri(`${origin}/ap/users/7`, '42'))).toBe('42')
  expect(localStatusId(origin, statusUri(`${origin}/users/ann`, '42'))).toBe('42')
  expect(localStatusId(origin, reblogUri(`${origin}/ap/users/7`, '42'))).toBe('42')
  expect(localStatusId(origin, `${statusUrl(`${origin}/@ann`, '42')}?x=1#y`)).toBe('42')
})

test.each([
  'HTTPS://Here.Example/@ann/42',
  'https://here.example:443/ap/users/7/statuses/42/',
  `${origin}/%40ann/42`,
  `${origin}/@%61nn/%34%32`,
  `${origin}/web/@ann/42`,
  `${origin}/@ann/42/embed`,
])('%s is one of ours', (address) => {
  expect(localStatusId(origin, address)).toBe('42')
})

test.each([
  'https://there.example/@ann/42',
  'https://here.example.evil/@ann/42',
  'https://here.example/@ann',
  'https://here.example/@ann/42/extra',
  'https://here.example/@ann/99999999999999999999',
  'http://here.example/@ann/42',
])('%s is not one of ours', (address) => {
  expect(localStatusId(origin, address)).toBeNull()
})

test('a tag in any script has a page address', () => {
  expect(tagUrl(origin, '日本')).toBe('https://here.example/tags/%E6%97%A5%E6%9C%AC')
})

test('the page of a local account is recognised, with or without query and fragment', () => {
  for (const path of ['/@ann', '/@ann/', '/users/ann', '/@ann?x=1#y', '/%40ann', '/@%61n%6E', '/web/@ann'])
    expect(localAccountName(origin, `${origin}${path}`)).toBe('ann')
  for (const address of ['https://there.example/@ann', `${origin}/@ann/42`, `${origin}/@ann@there.example`, origin])
    expect(localAccountName(origin, address)).toBeNull()
})

test('a page below a profile, as Mastodon has them, names the account', () => {
  for (const part of ['with_replies', 'media', 'followers/', 'following?page=2', 'featured', 'collections'])
    expect([part, localAccountName(origin, `${origin}/@ann/${part}`)]).toEqual([part, 'ann'])
  expect(localAccountName(origin, `${origin}/web/%40ann/followers`)).toBe('ann')
  expect(handleOfAddress(origin, `${origin}/@ann@there.example/followers`)).toBe('ann@there.example')
  for (const path of [
    '/@ann/other',
    '/@ann/followers/2',
    '/users/ann/followers',
    '/followers',
    '/@ann@there.example/media',
  ])
    expect([path, localAccountName(origin, origin + path)]).toEqual([path, null])
})

test('an address of this server with a handle names the account or status of any server', () => {
  for (const path of ['/@ann@there.example', '/web/@ann@there.example/', '/@ann%40there.example?x=1'])
    expect(handleOfAddress(origin, `${origin}${path}`)).toBe('ann@there.example')
  for (const path of ['/@ann', '/@ann@there.example/42', '/@a@b@c', '/users/ann@there.example'])
    expect(handleOfAddress(origin, `${origin}${path}`)).toBeNull()
  expect(handleOfAddress(origin, 'https://there.example/@ann@here.example')).toBeNull()
  expect(localStatusId(origin, `${origin}/@ann@there.example/42`)).toBe('42')
})

test('collections of this server that a text links are found, each once, in HTML and in JSON that contains HTML', () => {
  const link = (url: string) => `<a href="${url}" rel="tag">${url}</a>`
  const html = `<p>${[
    `${origin}/collections/7`,
    `${origin}/ap/users/1/collections/8`,
    `${origin}/collections/7`,
    `${origin}/collections/9/edit`,
    'https://there.example/collections/10',
    'https://here.example.evil/collections/11',
    `${origin}/tags/12`,
  ]
    .map(link)
    .join(' ')} ${origin}/collections/13</p>`
  expect(linkedCollections(origin, html)).toEqual(['7', '8'])
  expect(linkedCollections(origin, JSON.stringify({ content: html }))).toEqual(['7', '8'])
  expect(linkedCollections(origin, '<p>no link</p>')).toEqual([])
  const many = Array.from({ length: 30 }, (_, i) => link(`${origin}/collections/${i + 1}`)).join(' ')
  expect(linkedCollections(origin, many)).toHaveLength(10)
})
