/** Every kind of e-mail has its texts in every language. */
import { LoginMailKind } from '@murmuration/contracts/accounts'
import { WarningAction } from '@murmuration/contracts/entities'
import { MailedType } from '@murmuration/contracts/notifications'
import { languages } from '@murmuration/messages'
import { expect, test } from 'vitest'
import { mailTexts } from './texts.js'

const context = {
  site: 'Seabird',
  handle: '@alice@seabird.example',
  values: {
    email: 'a@b.example',
    username: 'bob',
    reason: 'birds',
    ip: '192.0.2.1',
    browser: 'B',
    at: 'now',
    name: 'key',
  },
}

test.each(languages)('%s has a subject and a text for every kind of e-mail', (code) => {
  const { texts } = mailTexts(code)
  const login = LoginMailKind.options.map((kind) => texts.login[kind](context))
  const strikes = WarningAction.options.map((one) => texts.strikes[one](context))
  for (const { subject, paragraphs, button } of [
    ...login,
    ...strikes,
    texts.archive(context),
    texts.unpublished(context),
    texts.appeal(context),
    texts.appealDecided.approved(context),
    texts.appealDecided.rejected(context),
  ]) {
    expect(subject.length).toBeGreaterThan(5)
    expect(paragraphs.length).toBeGreaterThan(0)
    expect(paragraphs.join(' ')).not.toMatch(/undefined|null/)
    expect(button).not.toBe('')
  }
  for (const type of MailedType.options) expect(texts.news[type]('Bob')).toContain('Bob')
})

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['en-GB', 'en'],
  ['tlh', 'en'],
  ['', 'en'],
  ['constructor', 'en'],
])('readers of %j get %s', (locale, code) => expect(mailTexts(locale).code).toBe(code))

test('the subject of several notifications has the plural of its language', () => {
  expect(mailTexts('de').texts.severalNews(2, 'Seabird')).toBe('2 Mitteilungen auf Seabird')
  expect(mailTexts('en').texts.severalNews(1, 'Seabird')).toBe('1 notification on Seabird')
})

test('labels that pages have too keep their own translation in e-mails', () => {
  const { texts } = mailTexts('de')
  expect(texts.strikeReason).toBe('Die Moderation schreibt')
  expect(texts.login['password-reset'](context).button).toBe('Neues Passwort wählen')
  expect(mailTexts('en').texts.strikeReason).toBe('Reason')
})
