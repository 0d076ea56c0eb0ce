/** Appeals: the e-mails about them, the link in the e-mail of a strike, and the appeal in the notification. */
import { appealChanged, STRIKE_LINK, strikeCreated } from '@murmuration/contracts/admin'
import { Notification, NotificationGroup } from '@murmuration/contracts/entities'
import { listGroups, listNotifications } from '@murmuration/contracts/notifications'
import { derive, readSignedId } from '@murmuration/kernel'
import { viewer } from '@murmuration/testkit'
import { type SmtpServer, startSmtpServer } from '@murmuration/testkit/outside/smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

const [BOB, ADA, MONA] = ['102', '12', '11']
let server: SmtpServer
let harness: Harness
beforeAll(async () => {
  server = await startSmtpServer({ credentials: { user: 'mailer', password: 'pass word' } })
  harness = await startHarness({
    SMTP_SERVER: server.host,
    SMTP_PORT: String(server.port),
    SMTP_LOGIN: 'mailer',
    SMTP_PASSWORD: 'pass word',
    SMTP_FROM_ADDRESS: 'birds@here.example',
  })
  for (const [id, username, locale, usable] of [
    [BOB, 'bob', 'de', false],
    [ADA, 'ada', 'en', true],
    [MONA, 'mona', 'de', true],
  ] as const) {
    harness.fakeAccounts.set(id, { id, username })
    harness.addresses.set(id, { id, email: `${username}@mail.example`, username, locale, usable, closed: false })
  }
  harness.staff.set('manage_appeals', [ADA, MONA, BOB])
})
afterAll(async () => {
  await harness.stop()
  await server.close()
})
beforeEach(() => server.mails.clear())

const strike = (id: string, more: object = {}) => ({
  id,
  target: BOB,
  targetLocal: true,
  action: 'silence' as const,
  text: 'Enough',
  statusIds: [],
  tell: true,
  ...more,
})
const appeal = (id: string, state: 'pending' | 'approved' | 'rejected', more: object = {}) => ({
  id: `7${id}`,
  strike: id,
  target: BOB,
  action: 'silence' as const,
  text: '<b>Not me</b>',
  state,
  ...more,
})
const sent = () => server.mails.all.map((mail) => [mail.to[0], mail.subject]).sort()
const host = () => harness.cluster.env.LOCAL_DOMAIN ?? ''
const shownTo = async () => {
  const [first] = await harness.cluster.call(listNotifications, {}, viewer(BOB))
  return first as Notification & { type: 'moderation_warning' }
}

test('the e-mail of a strike links to the decision, without signing in', async () => {
  await harness.announce(strikeCreated, strike('901'))
  const [mail] = server.mails.all
  const token = /\/appeal\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const common = harness.cluster.host.running.find((one) => one.service === 'notifications')?.ctx.common
  const secret = derive(common as never, STRIKE_LINK)
  const day = 86_400_000
  expect(readSignedId(secret, token, Date.now() + 29 * day)).toBe('901')
  expect(readSignedId(secret, token, Date.now() + 31 * day)).toBeNull()
  expect(mail?.html).toContain(`/appeal?token=${token}`)
})

test('staff with the permission gets one e-mail about a new appeal, with its text and a link to it', async () => {
  const submitted = appeal('902', 'pending')
  await harness.announce(appealChanged, submitted)
  await harness.announce(appealChanged, submitted)
  expect(sent()).toEqual([
    ['ada@mail.example', '@bob appeals a moderation decision on Murmuration'],
    ['mona@mail.example', '@bob legt auf Murmuration Einspruch gegen eine Entscheidung ein'],
  ])
  for (const mail of server.mails.all) {
    expect(mail.text).toContain('/admin/appeals/7902')
    expect(mail.text).toContain('> <b>Not me</b>')
    expect(mail.html).toContain('&lt;b&gt;Not me&lt;/b&gt;')
  }
})

test('the account holder gets one e-mail about the decision, in its own language, also when suspended', async () => {
  await harness.announce(appealChanged, appeal('903', 'approved'))
  await harness.announce(appealChanged, appeal('903', 'approved'))
  await harness.announce(appealChanged, appeal('904', 'rejected'))
  expect(sent()).toEqual([
    ['bob@mail.example', 'Dein Einspruch auf Murmuration wurde abgelehnt'],
    ['bob@mail.example', 'Deinem Einspruch auf Murmuration wurde stattgegeben'],
  ])
  expect(server.mails.all[0]?.text).toContain(`@bob@${host()}`)
  server.mails.clear()
  await harness.announce(appealChanged, appeal('905', 'approved', { action: 'delete_statuses' }))
  expect(server.mails.all[0]?.text).toContain('Gelöschte Beiträge können nicht wiederhergestellt werden.')
})

test('the notification of a strike shows the appeal and its decision', async () => {
  await harness.announce(strikeCreated, strike('906'))
  expect(await shownTo()).toMatchObject({ moderation_warning: { id: '906', appeal: null } })
  for (const state of ['pending', 'approved'] as const) {
    await harness.announce(appealChanged, appeal('906', state))
    const shown = await shownTo()
    expect(Notification.safeParse(shown).error).toBeUndefined()
    expect(shown.moderation_warning).toMatchObject({ id: '906', appeal: { text: '<b>Not me</b>', state } })
  }
  const { notification_groups } = await harness.cluster.call(listGroups, {}, viewer(BOB))
  const [group] = notification_groups
  expect(NotificationGroup.safeParse(group).error).toBeUndefined()
  expect(group).toMatchObject({ type: 'moderation_warning', moderation_warning: { appeal: { state: 'approved' } } })
})

test('an appeal that is received before its strike is shown with it, and an older state does not replace a newer one', async () => {
  await harness.announce(appealChanged, appeal('907', 'rejected'))
  await harness.announce(strikeCreated, strike('907'))
  expect((await shownTo()).moderation_warning).toMatchObject({ id: '907', appeal: { state: 'rejected' } })
})
