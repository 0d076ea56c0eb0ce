/** Validation of polls, and permission to vote. */
import { describe, expect, test } from 'vitest'
import { checkVote, readChoices, validatePoll } from './rules.js'

const good = { options: ['yes', 'no'], expires_in: 300 }

describe('creating a poll', () => {
  test('a poll trims its options, drops blank ones, and ends after `expires_in` seconds', () => {
    expect(validatePoll({ ...good, options: [' yes ', '', 'no'], multiple: true }, 1_000)).toEqual({
      options: ['yes', 'no'],
      multiple: true,
      hide_totals: false,
      expires_at: new Date(301_000),
    })
  })
  test.each([
    [{ options: ['one'] }, 'Choices must have more than one item'],
    [{ options: ['1', '2', '3', '4', '5'] }, "Choices can't contain more than 4 items"],
    [{ options: ['x'.repeat(51), 'no'] }, 'Choices cannot be longer than 50 characters each'],
    [{ options: ['a', 'a '] }, 'Choices contain duplicate items'],
    [{ expires_in: 299 }, 'Deadline is too soon'],
    [{ expires_in: 2_629_747 }, 'Deadline is too far into the future'],
    [{ expires_in: null }, "Deadline can't be blank"],
  ])('refuses %j', (change, message) => {
    expect(() => validatePoll({ ...good, ...change }, 0)).toThrow(`Validation failed: ${message}`)
  })
})

describe('voting', () => {
  const poll = { authorId: '1', options: 3, multiple: false, expiresAt: new Date(1_000) }
  const vote = (choices: number[], before: number[] = [], more: Partial<typeof poll> = {}, voter = '2', now = 0) =>
    checkVote({ ...poll, ...more }, voter, choices, before, now)
  test('an account votes once in a single-choice poll, and may add choices in a multiple-choice poll', () => {
    expect(() => vote([0])).not.toThrow()
    expect(() => vote([0, 1])).toThrow('You have already voted on this poll')
    expect(() => vote([1], [0])).toThrow('You have already voted on this poll')
    expect(() => vote([0, 1], [], { multiple: true })).not.toThrow()
    expect(() => vote([2], [0], { multiple: true })).not.toThrow()
    expect(() => vote([0], [0], { multiple: true })).toThrow('You have already voted on this poll')
  })
  test('votes are refused after the end, from the author, and for unknown options', () => {
    expect(() => vote([0], [], {}, '2', 1_000)).toThrow('The poll has already ended')
    expect(() => vote([0], [], {}, '1')).toThrow('You cannot vote in your own polls')
    expect(() => vote([3])).toThrow('The chosen vote option does not exist')
    expect(() => vote(readChoices(['x']))).toThrow('The chosen vote option does not exist')
    expect(() => readChoices([])).toThrow('param is missing or the value is empty or invalid: choices')
  })
})
