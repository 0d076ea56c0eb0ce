/** Meaning of each response to a delivery: delivered, refused permanently, or retried. */
import { expect, test } from 'vitest'
import { classifyResponse } from './result.rules.js'

const on = (status: number, headers = {}) => classifyResponse({ status, headers }, 0)

test.each([200, 202, 204])('interop 5.11 %i is delivered', (status) => {
  expect(on(status)).toEqual({ kind: 'delivered', status })
})

test.each([400, 402, 403, 404, 405, 406, 409, 410, 413, 422, 451, 501, 505])(
  'interop 6.6 6.12 F047 %i is refused for good',
  (status) => {
    expect(on(status)).toMatchObject({ kind: 'refused', status })
  },
)

test('F047 410 means that an inbox is gone permanently, 404 that it is missing', () => {
  expect([on(410), on(404), on(403)]).toMatchObject([{ gone: 'for-good' }, { gone: 'missing' }, { gone: null }])
})

test.each([
  [401, false, 4],
  [408, false, null],
  [425, false, null],
  [429, true, null],
  [500, false, null],
  [502, true, null],
  [503, true, null],
  [504, true, null],
  [520, false, null],
])('%i is tried again (the host itself is silent: %s, at most %s attempts)', (status, silent, max) => {
  expect(on(status)).toMatchObject({ kind: 'later', status, silent, max })
})

test.each([301, 302, 303, 307, 308])('F048 a redirect (%i) is a failure with three attempts', (status) => {
  expect(on(status, { location: 'https://elsewhere.example/' })).toMatchObject({
    kind: 'later',
    max: 3,
    silent: false,
  })
})

test('a failure without a response is retried and counts against the host; of refused addresses only those of names', () => {
  expect(classifyResponse({ failure: 'timeout', retryable: true }, 0)).toMatchObject({
    kind: 'later',
    silent: true,
    why: 'timeout',
  })
  expect(classifyResponse({ failure: 'forbidden_address', retryable: false }, 0)).toMatchObject({
    kind: 'refused',
    status: null,
  })
  expect(classifyResponse({ failure: 'forbidden_address', retryable: true }, 0)).toMatchObject({
    kind: 'later',
    silent: true,
  })
})

test('F046 the result has the delay of Retry-After', () => {
  expect(on(503, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 })
})
