/** Every language says everything, and never leaves a gap. */
import { LoginMailKind } from '@murmuration/contracts/accounts'
import { WarningAction } from '@murmuration/contracts/entities'
import { MailedType } from '@murmuration/contracts/notifications'
import { expect, test } from 'vitest'
import { MAIL_LANGUAGES, wordsFor } from './list.js'

const facts = {
  site: 'Seabird',
  handle: '@alice@seabird.example',
  facts: {
    email: 'a@b.example',
    username: 'bob',
    reason: 'birds',
    ip: '192.0.2.1',
    browser: 'B',
    at: 'now',
    name: 'key',
  },
}

test.each(MAIL_LANGUAGES)('%s has a subject and a text for every kind of mail', (code) => {
  const { words } = wordsFor(code)
  const letters = LoginMailKind.options.map((kind) => words.letters[kind](facts))
  const strikes = WarningAction.options.map((one) => words.strikes[one](facts))
  for (const { subject, paragraphs, button } of [
    ...letters,
    ...strikes,
    words.archive(facts),
    words.unpublished(facts),
    words.appeal(facts),
    words.appealDecided.approved(facts),
    words.appealDecided.rejected(facts),
  ]) {
    expect(subject.length).toBeGreaterThan(5)
    expect(paragraphs.length).toBeGreaterThan(0)
    expect(paragraphs.join(' ')).not.toMatch(/undefined|null/)
    expect(button).not.toBe('')
  }
  for (const type of MailedType.options) expect(words.news[type]('Bob')).toContain('Bob')
})

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['en-GB', 'en'],
  ['tlh', 'en'],
  ['', 'en'],
  ['constructor', 'en'],
])('readers of %j get %s', (locale, code) => expect(wordsFor(locale).code).toBe(code))
