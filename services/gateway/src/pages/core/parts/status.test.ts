/** Quoted statuses in pages, by the state of the quote for the viewer; results of polls. */
import type { Poll } from '@murmuration/contracts/entities'
import { expect, test } from 'vitest'
import { pollResults, quoted, type Shown } from './status.js'

const quoting = (state: string, acct: string, filter_action?: string) =>
  ({
    quote: {
      state,
      quoted_status: {
        account: { acct, url: 'https://far.example/@ben', avatar_static: '', display_name: 'Ben', emojis: [] },
        content: '<p>a remark</p>',
        emojis: [],
        media_attachments: [],
        spoiler_text: '',
        uri: 'https://far.example/1',
        ...(filter_action ? { filtered: [{ filter: { title: 'Courtesy', filter_action } }] } : {}),
      },
    },
  }) as unknown as Shown
const htmlOf = (...given: Parameters<typeof quoting>): string => {
  const found = quoted(quoting(...given), 'here.example')
  return found === '' ? '' : found.text
}

test.each([
  ['blocked_account', 'ben', 'Hidden because you have blocked @ben@here.example'],
  ['blocked_account', 'ben@far.example', 'Hidden because you have blocked @ben@far.example'],
  ['muted_account', 'ben@far.example', 'Hidden because you have muted @ben@far.example'],
  ['blocked_domain', 'ben@far.example', 'Hidden because you have blocked far.example'],
  ['a_newer_state', 'ben@far.example', 'Hidden post'],
])('a quoted status in the state %s is collapsed', (state, acct, reason) => {
  expect(htmlOf(state, acct)).toContain(`<blockquote class="quoted"><details><summary>${reason}</summary>`)
})

test('a quoted status is shown in full if it is accepted and no filter matches it', () => {
  expect(htmlOf('accepted', 'ben')).toContain('a remark')
  expect(htmlOf('accepted', 'ben')).not.toContain('<details>')
  expect(htmlOf('accepted', 'ben', 'warn')).toContain('<details><summary>Filtered: Courtesy</summary>')
  for (const action of ['hide', 'a_newer_action']) {
    expect(htmlOf('accepted', 'ben', action)).not.toContain('a remark')
    expect(htmlOf('muted_account', 'ben', action)).not.toContain('Ben')
  }
})

test.each([
  [0, false, '2026-11-30T12:00:00.000Z', 'until 30 Nov 2026, 12:00 UTC'],
  [0, true, '2026-11-30T12:00:00.000Z', 'closed'],
  [0, false, null, ''],
  [1, false, '2026-11-30T12:00:00.000Z', '1 vote · until 30 Nov 2026, 12:00 UTC'],
  [2, true, '2026-11-30T12:00:00.000Z', '2 votes · closed'],
  [2, false, null, '2 votes'],
])('a poll with %i votes, expired: %s, expires at %s has the line %j', (votes_count, expired, expires_at, line) => {
  const poll = { options: [], emojis: [], voters_count: null, votes_count, expired, expires_at } as unknown as Poll
  const [, shown = ''] = /<p class="muted small">(.*)<\/p>/.exec(pollResults(poll).text) ?? []
  expect(shown.replaceAll(/<[^>]*>/g, '')).toBe(line)
})
