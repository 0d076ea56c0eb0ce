/** The line that a process writes if it cannot start. */
import { expect, test } from 'vitest'
import { startRefusal } from './host.js'

test.each([
  [
    'a port in use',
    Object.assign(new Error('listen EADDRINUSE: 3000'), { syscall: 'listen' }),
    'listen EADDRINUSE: 3000',
  ],
  [
    'a name with several addresses',
    Object.assign(
      new AggregateError([new Error('connect ECONNREFUSED ::1'), new Error('connect ECONNREFUSED 127.0.0.1')]),
      {
        code: 'ECONNREFUSED',
      },
    ),
    'connect ECONNREFUSED ::1; connect ECONNREFUSED 127.0.0.1',
  ],
  ['an error without a message', Object.assign(new Error(''), { syscall: 'connect', code: 'ETIMEDOUT' }), 'ETIMEDOUT'],
])('the line about %s names the reason', (_what, error, reason) => {
  expect(startRefusal(error)).toBe(`Cannot start: ${reason}`)
})

test('a defect is shown with its stack trace', () => {
  expect(startRefusal(new TypeError('no such member'))).toMatch(/^Cannot start: TypeError: no such member\n {4}at /)
})
