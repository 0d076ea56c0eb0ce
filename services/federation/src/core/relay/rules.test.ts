/** Which statuses relays receive, and how inboxes of relays are recognised. */
import { expect, test } from 'vitest'
import { isRelayed, ownsInbox, styleOf } from './rules.js'

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

test.each([
  ['the owner', { inbox_url: 'https://r.example/inbox', shared_inbox_url: null, bot: false }, true],
  ['an application that shares it', { inbox_url: 'https://r.example/actor/inbox', bot: true }, true],
  ['a person who shares it', { inbox_url: 'https://r.example/users/eve/inbox', bot: false }, false],
  ['somebody else', { inbox_url: 'https://r.example/x', shared_inbox_url: 'https://r.example/y', bot: true }, false],
] as const)('an inbox is answered for by %s: %o %s', (_who, account, expected) => {
  const inbox = 'https://r.example/inbox'
  expect(ownsInbox({ shared_inbox_url: inbox, ...account }, inbox)).toBe(expected)
})
