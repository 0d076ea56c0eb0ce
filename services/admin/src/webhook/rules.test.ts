/** Rules of webhooks. */
import { permissionsOf } from '@murmuration/contracts/permissions'
import { expect, test } from 'vitest'
import { eventsOf, isPausedNow, outcomeOf } from './rules.js'
import { bodyOf, checkTemplate } from './template.rules.js'

test('each event needs its permission', () => {
  const users = permissionsOf('manage_users')
  expect(eventsOf(['account.created', 'account.created'], users)).toEqual(['account.created'])
  expect(() => eventsOf([], users)).toThrow("Events can't be blank")
  expect(() => eventsOf(['account.deleted'], users)).toThrow('Events is invalid')
  expect(() => eventsOf(['account.created', 'report.created'], users)).toThrow('rights')
  expect(eventsOf(['status.created', 'report.updated'], permissionsOf('administrator'))).toHaveLength(2)
})

test('a client error is final, except 401, 408 and 429', () => {
  const states = [200, 204, 302, 400, 401, 404, 408, 410, 429, 500, 503].map(
    (status) => outcomeOf(status, undefined).state,
  )
  expect(states.join(' ')).toBe('delivered delivered failed refused failed refused failed refused failed failed failed')
  expect(outcomeOf(503, '7').retryAfter).toBe(7)
  expect(outcomeOf(503, 'soon').retryAfter).toBeNull()
})

test('a webhook is paused after a day without a success', () => {
  const since = new Date('2026-01-01T00:00:00Z')
  expect(isPausedNow(null, Date.now())).toBe(false)
  expect(isPausedNow(since, Date.parse('2026-01-01T23:59:59Z'))).toBe(false)
  expect(isPausedNow(since, Date.parse('2026-01-02T00:00:00Z'))).toBe(true)
})

test('a template inserts values of the payload as JSON', () => {
  const payload = JSON.stringify({
    event: 'account.created',
    object: { id: '1', note: 'a "b"\n', roles: [1], none: null },
  })
  const body = bodyOf(
    payload,
    '{"text":"{{event}}: {{ object.note }}","roles":{{object.roles}},"x":{{object.missing.deep}},"n":{{object.none}}}',
  )
  expect(JSON.parse(body)).toEqual({ text: 'account.created: a "b"\n', roles: [1], x: null, n: null })
  expect(bodyOf(payload, null)).toBe(payload)
  expect(bodyOf(payload, '{{constructor}}')).toBe('null')
})

test('a template with a broken placeholder is refused', () => {
  for (const wrong of ['{{', '{{a b}}', '{{}}', '{{a..b}}', 'x }}'])
    expect(() => checkTemplate(wrong)).toThrow('Template is not valid')
  checkTemplate('{"a": {"b": "{{a.b_1}}"} }')
})
