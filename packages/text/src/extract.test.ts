// Cases for mentions, hashtags, links and shortcodes of a text.
import { expect, test } from 'vitest'
import { hashtagsIn, mentionsIn, rewriteMentions, shortcodesIn, urlsIn } from './extract.js'

const text =
  'Hey @Bob@Far.example, @alice @bob@far.example #Café #cafe #x :blob: :blob: https://a.example/:no:x xmpp:a@b.example'

test('mentions are returned with their offsets, including repeated ones', () => {
  expect(mentionsIn(text).map(({ username, domain, start }) => [username, domain, start])).toEqual([
    ['Bob', 'far.example', 4],
    ['alice', null, 22],
    ['bob', 'far.example', 29],
  ])
  expect(mentionsIn('nobody')).toEqual([])
})

test('hashtags are returned once, with the first spelling', () => {
  expect(hashtagsIn(text)).toEqual([
    { name: 'cafe', display: 'Café' },
    { name: 'x', display: 'x' },
  ])
})

test('only web links are returned', () => {
  expect(urlsIn(text).map(({ url }) => url)).toEqual(['https://a.example/:no:x'])
  expect(urlsIn('none')).toEqual([])
})

test('shortcodes are returned once, and none from links', () => expect(shortcodesIn(text)).toEqual(['blob']))

test('mentions are rewritten to canonical handles, and unknown ones stay', () => {
  const accts = new Map([
    ['bob@far.example', 'bob@far.example'],
    ['alice', 'Alice'],
  ])
  const own = new Set(['here.example'])
  expect(rewriteMentions('@BOB@FAR.example @alice@here.example @ghost', accts, own)).toBe(
    '@bob@far.example @Alice @ghost',
  )
  expect(rewriteMentions('none', accts, own)).toBe('none')
})
