/** Texts of undo obstacles. */
import { expect, test } from 'vitest'
import { refusalOf, textOfObstacle } from './rules.js'

test('an obstacle of a newer release has a general text, and keeps its code', () => {
  const code = 'is_frozen' as 'is_taken'
  expect(textOfObstacle(code)).toBe(textOfObstacle('not_recorded'))
  expect(refusalOf(code)).toMatchObject({ status: 422, extras: { body: { reason: 'is_frozen' } } })
})
