/** Push messages: the fields clients decrypt, for each kind of text there may be. */
import { type Notification, PushPayload } from '@murmuration/contracts/entities'
import { expect, test } from 'vitest'
import { pushMessage } from './message.js'

const notification = (more: object) =>
  ({
    id: '9007199254740993',
    type: 'mention',
    account: {
      username: 'eve',
      display_name: 'Eve',
      note: '<p>About &amp; me</p>',
      avatar_static: 'https://here.example/eve.png',
    },
    status: { spoiler_text: '', content: '<p>Hello<br>you &lt;3</p>' },
    ...more,
  }) as unknown as Notification

test('S-190 the id stands there digit by digit, the title in the language of the reader, the text without tags', () => {
  const text = pushMessage(notification({}), 'secret', 'de')
  expect(text).toContain('"notification_id":9007199254740993}')
  expect(PushPayload.parse(JSON.parse(text))).toMatchObject({
    access_token: 'secret',
    preferred_locale: 'de',
    notification_type: 'mention',
    icon: 'https://here.example/eve.png',
    title: 'Eve hat dich erwähnt',
    body: 'Hello you <3',
  })
})

test('a content warning stands for the text, and the bio where there is neither', () => {
  const body = (more: object) => JSON.parse(pushMessage(notification(more), 't', 'en')).body
  expect(body({ status: { spoiler_text: 'Spiders', content: '<p>8 legs</p>' } })).toBe('Spiders')
  expect(body({ status: { spoiler_text: '', content: '' } })).toBe('About & me')
  expect(body({ type: 'follow', status: undefined })).toBe('About & me')
})

test('the body has at most 140 characters with its ellipsis', () => {
  const long = notification({ status: { spoiler_text: '', content: `<p>${'ä'.repeat(200)}</p>` } })
  const { body } = JSON.parse(pushMessage(long, 't', 'en'))
  expect([...body]).toHaveLength(140)
  expect(body.endsWith('…')).toBe(true)
})

test('an account without a display name is called by its user name', () => {
  const nameless = notification({})
  nameless.account.display_name = ''
  expect(JSON.parse(pushMessage(nameless, 't', 'en')).title).toBe('You were mentioned by eve')
})
