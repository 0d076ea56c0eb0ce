/** E-mails with a real mail server: about logins, warnings and notifications, refusals, and no duplicates. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  accountRemoved,
  followCreated,
  followRemoved,
  type LoginMail,
  loginMailWritten,
} from '@murmuration/contracts/accounts'
import { strikeCreated, termsPublished } from '@murmuration/contracts/admin'
import { archiveReady } from '@murmuration/contracts/federation'
import { olderNames } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import {
  changeMailChoice,
  sendMailJob,
  setMarkers,
  showMailChoice,
  unsubscribeFromMail,
} from '@murmuration/contracts/notifications'
import { scheduledFailed, trendReviewWanted } from '@murmuration/contracts/statuses'
import { name, sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import type { Mail } from '@murmuration/testkit/outside/mail'
import { type SmtpServer, startSmtpServer } from '@murmuration/testkit/outside/smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendMail } from '../src/mail/jobs.js'
import { queueNotificationMails } from '../src/mail/ticks.js'
import { type Harness, startHarness } from './harness.js'

const ALICE = '101'
const BOB = '102'
let server: SmtpServer
let harness: Harness
beforeAll(async () => {
  server = await startSmtpServer({ credentials: { user: 'mailer', password: 'pass word' } })
  harness = await startHarness({
    SMTP_SERVER: server.host,
    SMTP_PORT: String(server.port),
    SMTP_LOGIN: 'mailer',
    SMTP_PASSWORD: 'pass word',
    SMTP_FROM_ADDRESS: 'Seabird <birds@here.example>',
    SMTP_RETURN_PATH: 'bounces@here.example',
  })
  harness.fakeAccounts.set(ALICE, { id: ALICE, username: 'alice' })
  harness.fakeAccounts.set(BOB, { id: BOB, username: 'bob', display_name: 'Bob\r\nBcc: eve@evil.example' })
  harness.addresses.set(ALICE, {
    id: ALICE,
    email: 'alice@mail.example',
    username: 'alice',
    locale: 'en',
    usable: true,
    closed: false,
  })
})
afterAll(async () => {
  await harness.stop()
  await server.close()
})
beforeEach(() => {
  server.repair()
  server.mails.clear()
})

let loginMails = 0
/** Creates an e-mail about a login in the fake of accounts. Returns its id. */
const write = async (more: Partial<LoginMail> = {}): Promise<string> => {
  const id = String(++loginMails)
  harness.loginMails.set(id, {
    kind: 'confirmation',
    to: 'alice@mail.example',
    locale: 'en',
    username: 'alice',
    link: 'https://here.example/auth/confirmation?confirmation_token=SECRET',
    [olderNames.mailValues]: {},
    ...more,
  })
  await harness.announce(loginMailWritten, { id, kind: more.kind ?? 'confirmation' })
  return id
}
const mails = (): readonly Mail[] => server.mails.all
const host = () => harness.cluster.env.LOCAL_DOMAIN ?? ''
const db = () => harness.cluster.db('notifications')
const notifications = () => harness.cluster.host.running.find((one) => one.service === 'notifications')?.ctx
/** Moves the clock and runs the tick that sends e-mails about waiting notifications. */
const later = async (ms = 121_000) => {
  const ctx = notifications()
  ctx?.clock.moveTo(ms)
  await queueNotificationMails.run(ctx)
  await harness.cluster.waitForIdle()
  ctx?.clock.moveTo(0)
}

test('an e-mail about a login has sender, recipient, link, text and HTML', async () => {
  await write()
  expect(mails()).toHaveLength(1)
  const mail = mails()[0] as Mail
  expect(mail).toMatchObject({
    from: 'bounces@here.example',
    to: ['alice@mail.example'],
    subject: 'Confirmation instructions for Murmuration',
  })
  expect(mail.headers.from).toBe('Seabird <birds@here.example>')
  expect(mail.headers['auto-submitted']).toBe('auto-generated')
  expect(mail.headers['list-unsubscribe']).toBeUndefined()
  expect(mail.headers['message-id']).toMatch(/^<\d+@localhost>$/)
  expect(mail.text).toContain('Hello @alice,')
  for (const body of [mail.text, mail.html]) expect(body).toContain('confirmation_token=SECRET')
  expect(mail.html).toContain('<html lang="en">')
})

test('an e-mail about a login is in the language of its recipient', async () => {
  await write({ kind: 'password-changed', locale: 'de-AT', link: null })
  expect(mails()[0]?.subject).toBe('Dein Passwort auf Murmuration wurde geändert')
  expect(mails()[0]?.text).toContain('Hallo @alice,')
})

test('A097 an address with separators is used as one address', async () => {
  await write({ to: "o'neil+a=b@mail.example" })
  expect(mails()[0]?.to).toEqual(["o'neil+a=b@mail.example"])
})

test('an e-mail is sent once, however often its event and job are repeated', async () => {
  const id = await write()
  await harness.announce(loginMailWritten, { id, kind: 'confirmation' }, { id, kind: 'confirmation' })
  const [row] = await db().rows<{ id: string }>(sql`select id from mails where source = ${`letter:${id}`}`)
  await notifications()?.queues.push(sendMailJob, { id: 'again', data: { mail: row?.id ?? '' } })
  await harness.cluster.waitForIdle()
  expect(mails()).toHaveLength(1)
})

test('an e-mail that is outdated is not sent', async () => {
  const id = String(++loginMails)
  await harness.announce(loginMailWritten, { id, kind: 'password-reset' })
  expect(mails()).toEqual([])
  expect(await db().rows(sql`select 1 from mails where sent_at is null`)).toEqual([])
})

test('a busy mail server is retried', async () => {
  server.refuseWith(451, 1)
  await write()
  await server.mails.reached(1, 20_000)
  expect(mails()[0]?.to).toEqual(['alice@mail.example'])
})

test('an e-mail is retried for a day without mail server, and no longer than its link is valid', () => {
  const { delays, times } = sendMailJob.retry
  const waits = Array.from({ length: times - 1 }, (_, at) => delays[Math.min(at, delays.length - 1)] ?? 0)
  const hours = waits.reduce((sum, one) => sum + one, 0) / 3600
  expect(hours).toBeGreaterThan(24)
  expect(hours).toBeLessThan(limits.accounts.confirmationSeconds / 3600)
  // After an outage of a minute, the first e-mail is sent soon.
  expect(waits.slice(0, 3).reduce((sum, one) => sum + one, 0)).toBeLessThan(60)
})

test('a permanent refusal becomes a dead letter without addresses', async () => {
  server.refuseWith(550)
  await write()
  const dead = await db().rows<{ reason: string; line: string }>(
    sql`select reason, d::text as line from dead_letters d where consumer like '%send-mail%'`,
  )
  expect(dead.map((row) => row.reason)).toEqual(['the mail server refused it with 550'])
  expect(dead.map((row) => row.line).join()).not.toContain('@')
})

test('a warning of a moderator is sent by e-mail, also to accounts that may not act', async () => {
  harness.addresses.set(BOB, {
    id: BOB,
    email: 'bob@mail.example',
    username: 'bob',
    locale: 'de',
    usable: false,
    closed: false,
  })
  const strike = {
    id: '900',
    target: BOB,
    targetLocal: true,
    action: 'suspend' as const,
    text: '<b>Spam</b>',
    statusIds: [],
  }
  await harness.announce(strikeCreated, { ...strike, tell: true }, { ...strike, id: '901', tell: false })
  expect(mails().map((mail) => mail.subject)).toEqual([`@bob@${host()} wurde ausgeschlossen`])
  expect(mails()[0]?.text).toContain('> <b>Spam</b>')
  expect(mails()[0]?.html).toContain('&lt;b&gt;Spam&lt;/b&gt;')
})
test('an account is e-mailed when its archive is ready', async () => {
  await harness.announce(archiveReady, { id: '5', account: ALICE, size: 1, expires_at: '2030-01-01T00:00:00.000Z' })
  expect(mails().map((mail) => mail.subject)).toEqual(['Your archive from Murmuration is ready'])
  expect(mails()[0]?.text).toContain('/settings/export')
})

test('the author of a scheduled status that could not be published gets one e-mail', async () => {
  const failed = { id: '41', account: ALICE, reason: 'quote' as const, scheduledAt: '2030-01-01T00:00:00.000Z' }
  await harness.announce(scheduledFailed, failed)
  await harness.announce(scheduledFailed, failed)
  expect(mails().map((mail) => mail.subject)).toEqual(['Your scheduled post on Murmuration was not published'])
  expect(mails()[0]?.text).toContain('The post it quotes no longer exists')
})

test('an account that moved is e-mailed about its archive and its scheduled status, and a closed one is not', async () => {
  const login = { email: 'dora@mail.example', username: 'dora', locale: 'en', usable: false }
  harness.addresses.set('104', { ...login, id: '104', closed: false })
  harness.addresses.set('105', { ...login, id: '105', email: 'closed@mail.example', closed: true })
  for (const [at, account] of ['104', '105'].entries()) {
    const expires_at = '2030-01-01T00:00:00.000Z'
    await harness.announce(archiveReady, { id: `6${at}`, account, size: 1, expires_at })
    await harness.announce(scheduledFailed, { id: `7${at}`, account, reason: 'quote', scheduledAt: expires_at })
  }
  harness.addresses.delete('104')
  harness.addresses.delete('105')
  expect(mails().map((mail) => [mail.to.join(), mail.subject])).toEqual([
    ['dora@mail.example', 'Your archive from Murmuration is ready'],
    ['dora@mail.example', 'Your scheduled post on Murmuration was not published'],
  ])
})

test('all accounts get one e-mail about new terms of service, in their language', async () => {
  const published = { id: '31', day: '2030-02-01' }
  await harness.announce(termsPublished, published)
  await harness.announce(termsPublished, published)
  const sent = mails().map((mail) => [mail.to.join(), mail.subject])
  expect(sent.toSorted()).toEqual([
    ['alice@mail.example', 'New terms of service of Murmuration'],
    ['bob@mail.example', 'Neue Nutzungsbedingungen von Murmuration'],
  ])
  expect(mails()[0]?.text).toContain('/terms-of-service/2030-02-01')
})

test('new terms of service are not sent to disabled, suspended and memorial logins', async () => {
  const carol = { id: '103', email: 'carol@mail.example', username: 'carol', locale: 'en', usable: false }
  harness.addresses.set('103', { ...carol, closed: true })
  await harness.announce(termsPublished, { id: '32', day: '2030-03-01' })
  harness.addresses.delete('103')
  expect(mails().flatMap((mail) => mail.to)).not.toContain('carol@mail.example')
})

test('S-185 S-203 staff who review trends get one e-mail', async () => {
  harness.staff.set('manage_taxonomies', [ALICE])
  await harness.announce(trendReviewWanted, { id: '7', tags: 3, links: 1, statuses: 0 })
  await harness.announce(trendReviewWanted, { id: '7', tags: 3, links: 1, statuses: 0 })
  expect(mails().map((mail) => mail.subject)).toEqual(['New trends on Murmuration are up for review'])
  expect(mails()[0]?.text).toContain('Hashtags: 3. Links: 1. Statuses: 0.')
  expect(mails()[0]?.text).toMatch(/https?:\/\/\S+\/admin\/trends\b/)
})

const follow = (id: string, from: string) =>
  harness.announce(followCreated, { id, from, to: ALICE, fromLocal: true, toLocal: true, uri: null, accepted: false })

test('waiting notifications are sent after a delay in one e-mail, with an unsubscribe link', async () => {
  harness.fakeAccounts.set('103', { id: '103', username: 'carol' })
  await follow('1', BOB)
  await follow('2', '103')
  await later(60_000)
  expect(mails()).toEqual([])
  await later()
  expect(mails()).toHaveLength(1)
  const [mail] = mails()
  expect(mail?.subject).toBe('2 notifications on Murmuration')
  expect(mail?.text).toContain('carol (@carol) is now following you')
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  const address = new URL((mail?.headers['list-unsubscribe'] ?? '').slice(1, -1))
  expect(address.pathname).toBe('/unsubscribe')
  const token = address.searchParams.get('token') ?? ''
  expect(await harness.cluster.call(unsubscribeFromMail, { token: `${token}x` })).toEqual({ done: false })
  expect(await harness.cluster.call(unsubscribeFromMail, { token })).toEqual({ done: true })
  expect((await harness.cluster.call(showMailChoice, { account: ALICE })).types).toEqual([])
  await follow('3', '103')
  await later()
  expect(mails()).toHaveLength(1)
})

test('D068 a name with line breaks stays one header', async () => {
  await harness.cluster.call(changeMailChoice, { account: ALICE, types: ['follow'], always: false, daily: false })
  await follow('11', BOB)
  await later()
  expect(mails()[0]?.subject).toBe('Bob Bcc: eve@evil.example (@bob) is now following you')
  expect(mails()[0]?.headers.bcc).toBeUndefined()
  expect(mails()[0]?.to).toEqual(['alice@mail.example'])
})

test('read, undone and hidden notifications are not e-mailed', async () => {
  await follow('21', '103')
  await harness.announce(followRemoved, {
    id: '21',
    from: '103',
    to: ALICE,
    fromLocal: true,
    toLocal: true,
    uri: null,
    byTarget: false,
  })
  harness.relationships.set(`${ALICE}>104`, {})
  harness.fakeAccounts.set('104', { id: '104', username: 'dave' })
  await follow('22', '104')
  harness.relationships.set(`${ALICE}>104`, { blocking: true })
  await later()
  expect(mails()).toEqual([])
  harness.fakeAccounts.set('105', { id: '105', username: 'erin' })
  await follow('23', '105')
  const [row] = await db().rows<{ id: string }>(
    sql`select max(id) as id from notifications where recipient_id = ${ALICE}`,
  )
  await harness.cluster.call(setMarkers, { notifications: { last_read_id: row?.id ?? '0' } }, viewer(ALICE))
  await later()
  expect(mails()).toEqual([])
})

test('an account that wants one e-mail a day gets one a day', async () => {
  await harness.cluster.call(changeMailChoice, { account: ALICE, types: ['follow'], always: false, daily: true })
  harness.fakeAccounts.set('106', { id: '106', username: 'finn' })
  await follow('31', '106')
  await later()
  expect(mails()).toEqual([])
  await later(86_401_000)
  expect(mails()).toHaveLength(1)
})

test('an account that unsubscribes gets no e-mail about notifications that were waiting', async () => {
  const choice = { account: ALICE, types: ['follow' as const, 'mention' as const], always: false, daily: true }
  harness.fakeAccounts.set('111', { id: '111', username: 'kim' })
  await harness.cluster.call(changeMailChoice, choice)
  await follow('71', '111')
  await harness.cluster.call(changeMailChoice, { ...choice, types: ['mention'] })
  await later(86_401_000)
  expect(mails()).toEqual([])
  await harness.cluster.call(changeMailChoice, choice)
  await follow('72', '111')
  await harness.cluster.call(changeMailChoice, { ...choice, types: [] })
  await later(86_401_000)
  expect(mails()).toEqual([])
})

test('an account with an open stream gets no e-mail, unless it always wants one', async () => {
  await harness.cluster.call(changeMailChoice, { account: ALICE, types: ['follow'], always: false, daily: false })
  harness.fakeAccounts.set('108', { id: '108', username: 'hugh' })
  const mailsAfter = async (id: string, then: boolean, due: boolean) => {
    if (then) harness.listening.add(ALICE)
    await follow(id, '108')
    if (due) harness.listening.add(ALICE)
    else harness.listening.clear()
    await later()
    harness.listening.clear()
    return mails().length
  }
  expect(await mailsAfter('51', true, false)).toBe(0)
  expect(await mailsAfter('52', false, true)).toBe(0)
  expect(await mailsAfter('53', false, false)).toBe(1)
  await harness.cluster.call(changeMailChoice, { account: ALICE, types: ['follow'], always: true, daily: false })
  expect(await mailsAfter('54', true, true)).toBe(2)
  expect(await mailsAfter('55', false, false)).toBe(3)
})

test('a notification just before an e-mail waits for the next one', async () => {
  await harness.cluster.call(changeMailChoice, { account: ALICE, types: ['follow'], always: false, daily: false })
  for (const [id, username] of [
    ['109', 'ida'],
    ['110', 'jack'],
  ] as const)
    harness.fakeAccounts.set(id, { id, username })
  await follow('61', '109')
  await db().run(sql`update mail_news set due_at = now() - interval '1 second' where recipient_id = ${ALICE}`)
  await follow('62', '110')
  await later(0)
  expect(mails().map((mail) => mail.subject)).toEqual([expect.stringContaining('ida')])
  await later()
  expect(mails().map((mail) => mail.subject)).toEqual([expect.stringContaining('ida'), expect.stringContaining('jack')])
})

test('a deleted account gets no e-mail', async () => {
  harness.fakeAccounts.set('107', { id: '107', username: 'gail' })
  await harness.cluster.call(changeMailChoice, { account: ALICE, types: ['follow'], always: false, daily: false })
  await follow('41', '107')
  await harness.announce(accountRemoved, { id: ALICE, local: true, uri: 'https://here.example/users/alice' })
  await later()
  expect(mails()).toEqual([])
  const left = await db().rows(sql`select recipient_id from mails where kind <> 'letter' and recipient_id = ${ALICE}
    union all select recipient_id from mail_news where recipient_id = ${ALICE}
    union all select account_id from mail_choices where account_id = ${ALICE}`)
  expect(left).toEqual([])
})

test('without a mail server, e-mails are readable files', async () => {
  const dir = join(tmpdir(), `mails-${process.pid}`)
  const files = await startHarness({ MAIL_DIR: dir })
  files.loginMails.set('1', {
    kind: 'confirmation',
    to: 'alice@mail.example',
    locale: 'en',
    username: 'alice',
    link: 'https://here.example/auth/confirmation?confirmation_token=SECRET',
    [olderNames.mailValues]: {},
  })
  await files.announce(loginMailWritten, { id: '1', kind: 'confirmation' })
  const names = readdirSync(dir)
  expect(names).toHaveLength(1)
  const text = readFileSync(join(dir, names[0] ?? ''), 'utf8')
  expect(text).toMatch(/^To: alice@mail\.example\nSubject: Confirmation instructions/)
  expect(text).toContain('https://here.example/auth/confirmation?confirmation_token=SECRET')
  // The files are private, because they contain links.
  expect([dir, join(dir, names[0] ?? '')].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0])
  await files.stop()
  rmSync(dir, { recursive: true })
})

test('an e-mail that was not sent is kept for half a year, and the replay of a deleted one fails', async () => {
  const insert = (id: string, days: number, sent: boolean) =>
    db().run(sql`insert into mails (id, source, kind, recipient_id, created_at, sent_at)
      values (${id}, ${`old:${id}`}, 'strike', ${ALICE}, now() - make_interval(days => ${days}), ${sent ? new Date() : null})`)
  await Promise.all([insert('11', 15, true), insert('12', 15, false), insert('13', 181, false)])
  await later(0)
  const left = sql`select id from mails where source like 'old:%'`
  expect(await db().rows(left)).toEqual([{ id: '12' }])
  const run = (data: object) => sendMail.run(notifications(), data, { id: '1', tries: 1 })
  await run({ mail: '13' })
  await expect(run(sendMail.restored?.({ mail: '13' }) as object)).rejects.toThrow('the e-mail no longer exists')
})

test('the replay of an e-mail about a login fails after its content was deleted or its link was used', async () => {
  await db().run(sql`insert into mails (id, source, kind, recipient_id, ${name(olderNames.mailValues)}, created_at)
    values (21, 'letter:unknown', 'letter', 0, '{"letter": "unknown"}', now())`)
  const run = (data: object) => sendMail.run(notifications(), data, { id: '1', tries: 1 })
  const replay = sendMail.restored?.({ mail: '21' }) as object
  for (const _ of [1, 2]) await expect(run(replay)).rejects.toThrow('the e-mail is no longer needed')
  expect(mails()).toEqual([])
  await run({ mail: '21' })
  expect(await db().rows(sql`select id from mails where id = 21 and sent_at is not null`)).toHaveLength(1)
})
