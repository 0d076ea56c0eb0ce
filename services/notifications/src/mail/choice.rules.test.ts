/** Delay of e-mails about notifications. */
import { expect, test } from 'vitest'
import { DEFAULT_MAIL_CHOICE, mailDelay } from './choice.rules.js'

test.each([
  ['mention', {}, false, 120_000],
  ['mention', {}, true, null],
  ['mention', { always: true }, true, 120_000],
  ['mention', { daily: true }, false, 86_400_000],
  ['favourite', {}, false, null],
  ['favourite', { types: ['favourite'] }, false, 120_000],
  ['follow', { types: ['favourite'] }, false, null],
  ['poll', {}, false, null],
] as const)('a %s with %j, seen %j, waits %j ms', (type, more, seen, delay) =>
  expect(
    mailDelay(
      { ...DEFAULT_MAIL_CHOICE, ...more, types: [...('types' in more ? more.types : DEFAULT_MAIL_CHOICE.types)] },
      type,
      seen,
    ),
  ).toBe(delay),
)
