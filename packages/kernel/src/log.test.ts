/** Errors as log fields: the reason, and no other members of a thrown object. */
import { fail } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { errorField } from './log.js'

test('a refusal that is an object is logged with its reason, not as [object Object]', () => {
  expect(errorField({ reason: 'key-unreadable', keyId: 'https://a.example/key', cause: { reason: 'gone' } })).toEqual({
    reason: 'key-unreadable',
    keyId: 'https://a.example/key',
    cause: { reason: 'gone' },
  })
})

test('an object as the cause of an error is logged with its reason', () => {
  const field = errorField(fail('forbidden', 'No', { cause: { reason: 'blocked', host: 'bad.example' } }))
  expect(field.cause).toEqual({ reason: 'blocked', host: 'bad.example' })
})

test.each([
  [{ code: 'ECONNRESET' }, { errorCode: 'ECONNRESET' }],
  [{ token: 'secret', body: 'private' }, { message: 'an object with the members token, body' }],
  [['a'], { message: 'an object with the members 0' }],
  [null, { message: 'null' }],
  ['text', { message: 'text' }],
])('%j is logged without its private members', (thrown, field) => {
  expect(errorField(thrown)).toMatchObject(field)
  expect(JSON.stringify(errorField(thrown))).not.toMatch(/secret|private|object Object/)
})

test('an endless chain of causes is cut', () => {
  const error = new Error('one')
  error.cause = error
  expect(JSON.stringify(errorField(error)).length).toBeLessThan(20_000)
})
