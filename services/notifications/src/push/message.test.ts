/** Content of push messages for each kind of text. */
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

test('S-190 the id keeps all digits, the title is in the language of the recipient, and the text has no tags', () => {
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

test('S-190 a content warning replaces the text, and without both it is the bio', () => {
  const body = (more: object) => JSON.parse(pushMessage(notification(more), 't', 'en')).body
  expect(body({ status: { spoiler_text: 'Spiders', content: '<p>8 legs</p>' } })).toBe('Spiders')
  expect(body({ status: { spoiler_text: '', content: '' } })).toBe('About & me')
  expect(body({ type: 'follow', status: undefined })).toBe('About & me')
})

test('S-190 the body has at most 140 characters with its ellipsis', () => {
  const long = notification({ status: { spoiler_text: '', content: `<p>${'ä'.repeat(200)}</p>` } })
  const { body } = JSON.parse(pushMessage(long, 't', 'en'))
  expect([...body]).toHaveLength(140)
  expect(body.endsWith('…')).toBe(true)
})

test('S-190 an account without a display name is shown with its username', () => {
  const nameless = notification({})
  nameless.account.display_name = ''
  expect(JSON.parse(pushMessage(nameless, 't', 'en')).title).toBe('You were mentioned by eve')
})

test.each([
  ['mention', 'You were mentioned by Eve'],
  ['status', 'Eve just posted'],
  ['reblog', 'Eve boosted your post'],
  ['follow', 'Eve is now following you'],
  ['follow_request', 'Pending follower: Eve'],
  ['favourite', 'Eve favorited your post'],
  ['poll', 'A poll by Eve has ended'],
  ['update', 'Eve edited a post'],
  ['quote', 'Eve quoted your post'],
  ['quoted_update', 'Eve edited a post you have quoted'],
  ['severed_relationships', 'You have lost connections due to a moderation decision'],
  ['moderation_warning', 'You have received a moderation warning'],
  ['admin.sign_up', 'Eve signed up'],
  ['admin.report', 'Eve submitted a report'],
])('S-190 the title of %s is: %s', (type, title) => {
  expect(JSON.parse(pushMessage(notification({ type }), 't', 'en'))).toMatchObject({ notification_type: type, title })
})
