/** Ids of dead letters, and the visible parts of messages. */
import { expect, test } from 'vitest'
import { idOf, parseDeadLetterId, reasonShown, shownOf } from './rules.js'

test('an id has a service and a row number, and other texts are invalid', () => {
  expect(parseDeadLetterId('statuses-12')).toEqual({ owner: 'statuses', id: '12' })
  expect(idOf({ owner: 'media', id: '7' })).toBe('media-7')
  expect(
    ['12', 'gateway-1', 'statuses-', 'statuses-1x', 'statuses-99999999999999999999'].map(parseDeadLetterId),
  ).toEqual(Array.from({ length: 5 }, () => null))
})

test('ids, times, states, hosts and addresses are shown', () => {
  const data = {
    id: '115000000000000001',
    at: '2026-11-26T10:00:00.000Z',
    visibility: 'public',
    n: 3,
    isLocal: true,
    none: null,
    uri: 'https://remote.example/users/rita/statuses/0f9d7c1e-1f5e-4a55-9d1c-6c8f1c2a7b11',
    domain: 'remote.example:8443',
    acct: 'rita@remote.example',
    ids: ['1', '2'],
  }
  expect(shownOf(JSON.stringify(data))).toEqual({ content: data, hidden: 0 })
})

test('texts, secrets and queries of URLs are hidden at any depth', () => {
  const { content, hidden } = shownOf(
    JSON.stringify({
      content: '<p>only for you</p>',
      note: 'Two words',
      token: 'abc',
      nested: [{ password: 'plain', email: 'alice@mail.example' }],
      url: 'https://here.example/auth/confirmation?token=abc',
      odd: 'https://user:pass@here.example/',
    }),
  )
  expect(content).toEqual({
    content: '[hidden: 19 characters]',
    note: '[hidden: 9 characters]',
    token: '[hidden: 3 characters]',
    nested: [{ password: '[hidden: 5 characters]', email: '[hidden: 18 characters]' }],
    url: 'https://here.example/auth/confirmation […]',
    odd: '[hidden: 31 characters]',
  })
  expect(hidden).toBe(6)
})

test('a message without valid JSON is hidden as a whole', () => {
  expect(shownOf('{"half')).toEqual({ content: '[hidden: 6 characters]', hidden: 1 })
})

test('a reason is shown without queries of URLs, up to 1,000 characters', () => {
  expect(reasonShown('status 500 from https://a.example/x?key=1 twice')).toBe(
    'status 500 from https://a.example/x […] twice',
  )
  expect(reasonShown('x'.repeat(5_000))).toHaveLength(1_000)
})
