/** Content of push messages for each kind of text. */
import { type Notification, NotificationType, PushPayload } from '@murmuration/contracts/entities'
import { languages } from '@murmuration/messages'
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

const MISSING = 'https://here.example/avatars/original/missing.png'
const values = { token: 't', locale: 'en', missingIcon: MISSING }

test('S-190 the id keeps all digits, the title is in the language of the recipient, and the text has no tags', () => {
  const text = pushMessage(notification({}), { ...values, token: 'secret', locale: 'de' })
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
  const body = (more: object) => JSON.parse(pushMessage(notification(more), values)).body
  expect(body({ status: { spoiler_text: 'Spiders', content: '<p>8 legs</p>' } })).toBe('Spiders')
  expect(body({ status: { spoiler_text: '', content: '' } })).toBe('About & me')
  expect(body({ type: 'follow', status: undefined })).toBe('About & me')
})

test('S-190 the body has at most 140 characters with its ellipsis', () => {
  const long = notification({ status: { spoiler_text: '', content: `<p>${'ä'.repeat(200)}</p>` } })
  const { body } = JSON.parse(pushMessage(long, values))
  expect([...body]).toHaveLength(140)
  expect(body.endsWith('…')).toBe(true)
})

test('S-190 a long name in the title is cut without cutting a character apart', () => {
  const named = notification({})
  named.account.display_name = '👩‍👩‍👧‍👦'.repeat(290)
  const { title } = JSON.parse(pushMessage(named, values))
  expect(title).toBe(`You were mentioned by ${'👩‍👩‍👧‍👦'.repeat(14)}…`)
})

test.each(NotificationType.options)(
  'S-190 %s fits into one record in every language, with the longest values',
  (type) => {
    const long = notification({ type, status: { spoiler_text: '\ud800'.repeat(2_048), content: '' } })
    long.account.display_name = '\ud800'.repeat(2_048)
    const icon = 'https://here.example/proxy/'
    for (const locale of languages) {
      for (const [given, shown] of [
        [icon + 'x'.repeat(1_500), icon + 'x'.repeat(1_500)],
        [icon + 'x'.repeat(4_000), MISSING],
      ] as const) {
        long.account.avatar_static = given
        const text = pushMessage(long, { ...values, token: 'x'.repeat(100), locale })
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_993)
        expect(JSON.parse(text).icon).toBe(shown)
      }
    }
  },
)

test('S-190 an account without a display name is shown with its username', () => {
  const nameless = notification({})
  nameless.account.display_name = ''
  expect(JSON.parse(pushMessage(nameless, values)).title).toBe('You were mentioned by eve')
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
  expect(JSON.parse(pushMessage(notification({ type }), values))).toMatchObject({ notification_type: type, title })
})
