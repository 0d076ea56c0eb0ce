/** What relays are given, and how they are told apart. */
import { expect, test } from 'vitest'
import { isRelayed, styleOf } from './relay.js'

test.each([
  ['https://relay.example/inbox', 'inbox'],
  ['https://relay.example/inbox/', 'inbox'],
  ['https://relay.example/actor', 'actor'],
  ['https://pleroma.example/relay', 'actor'],
  ['https://relay.example/inbox.html', 'actor'],
] as const)('%s is spoken to as %s', (url, style) => {
  expect(styleOf(url)).toBe(style)
})

test('only public statuses go to relays, and no boosts', () => {
  const all = ['public', 'unlisted', 'private', 'direct', 'limited'] as const
  expect(all.filter((visibility) => isRelayed({ visibility, reblog_of: null }))).toEqual(['public'])
  expect(isRelayed({ visibility: 'public', reblog_of: '1' })).toBe(false)
})
