/** Tests that queries of sign-ups use indexes on tables that are large enough for the planner. */
import { sql, type Tx } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isEmailTaken, isNameTaken } from '../src/core/user/store.js'
import { emailByAddress, emailOfUser } from '../src/email/store.js'
import { invitePage } from '../src/invite/staff.store.js'
import { inviteByCode, invitesOf } from '../src/invite/store.js'
import { takeLink, userOfLink } from '../src/mail/link.store.js'
import { countMails, mailById } from '../src/mail/store.js'
import { dueRemovals, dueSuspended } from '../src/removal/store.js'
import { neverConfirmed, waitingSignUps } from '../src/sign-up/store.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
  await harness.fillTables(
    'accounts',
    sql`insert into accounts (id, username, uri, url, created_at)
    select n, 'name' || n, 'https://x/' || n, 'https://x/@' || n, now() from generate_series(1, 6000) n`,
    sql`update accounts set suspended_at = now() - make_interval(secs => id) where id % 50 = 0`,
    sql`insert into users (id, account_id, email, confirmed_at, created_at)
    select n, n, 'mail' || n || '@x', now(), now() from generate_series(1, 6000) n`,
    sql`insert into sign_ups (user_id, account_id, confirmation_sent_at, waiting)
    select n, n, case when n % 100 = 0 then now() end, n % 100 = 1 from generate_series(1, 6000) n`,
    // Of a hundred invitations, one never expires, one has time left, one is used up, and the others have expired.
    sql`insert into invites (id, account_id, code, uses, max_uses, expires_at, created_at)
    select n, 1 + n % 600, 'code' || n, case when n % 100 = 2 then 5 else 0 end, case when n % 100 = 2 then 5 end,
      case when n % 100 = 1 then now() + interval '1 day' when n % 100 > 2 then now() - interval '1 day' end, now()
    from generate_series(1, 20000) n`,
    sql`insert into mail_links (hash, user_id, purpose, expires_at)
    select decode(md5(n::text), 'hex'), 1 + n % 6000, 'confirm', now() from generate_series(1, 6000) n`,
    sql`insert into letters (id, kind, user_id, address, locale, username, created_at)
    select n, 'confirmation', 1 + n % 6000, '', 'en', '', now() from generate_series(1, 12000) n`,
    sql`insert into removals (account_id, removed_at)
    select n, now() - make_interval(secs => n) from generate_series(1, 3000) n`,
    sql`analyze`,
  )
})
afterAll(() => harness.stop())

const at = new Date()
const long = new Date(at.getTime() - 3_000_000)
const page = { limit: 40 }
const later = { limit: 40, max_id: '9000' }
const hash = Buffer.alloc(16)
const hot: [string, (db: Tx) => Promise<unknown>, string][] = [
  ['a user name in use', (db) => isNameTaken(db, 'a'), 'accounts_handle'],
  ['an e-mail address in use', (db) => isEmailTaken(db, 'a'), 'users_email'],
  ['a user by address', (db) => emailByAddress(db, 'a'), 'users_email'],
  ['a user by id', (db) => emailOfUser(db, '1'), 'sign_ups_pkey'],
  ['a link', (db) => userOfLink(db, hash, 'confirm', at), 'mail_links_pkey'],
  ['a link that is used', (db) => takeLink(db, hash, 'confirm', at), 'mail_links_pkey'],
  ['an e-mail', (db) => mailById(db, '1'), 'letters_pkey'],
  ['e-mails of a user', (db) => countMails(db, '1', ['confirmation'], at), 'letters_user'],
  ['an invitation', (db) => inviteByCode(db, 'a'), 'invites_code_key'],
  ['invitations of an account', (db) => invitesOf(db, '1'), 'invites_of'],
  ['usable invitations', (db) => invitePage(db, { usable: true }, page, at), 'invites_open'],
  ['invitations with time left', (db) => invitePage(db, { usable: true }, page, at), 'invites_expiry'],
  ['used up invitations', (db) => invitePage(db, { usable: false }, page, at), 'invites_used_up'],
  ['expired invitations', (db) => invitePage(db, { usable: false }, page, at), 'invites_expiring'],
  ['usable invitations after a page', (db) => invitePage(db, { usable: true }, later, at), 'invites_open'],
  ['usable invitations of an account', (db) => invitePage(db, { account: '7', usable: true }, page, at), 'invites_of'],
  ['pending sign-ups', (db) => waitingSignUps(db, '0', 20), 'sign_ups_waiting'],
  ['unconfirmed sign-ups', (db) => neverConfirmed(db, at, 50), 'sign_ups_unconfirmed'],
  ['accounts suspended long ago', (db) => dueSuspended(db, long, 20), 'accounts_suspended_here'],
  ['deleted accounts', (db) => dueRemovals(db, long, 20), 'removals_removed_at'],
]

test.each(hot)('an index serves the query: %s', async (_name, request, index) => {
  const plan = await plansOf(harness.db('accounts'), request)
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})

test.each([true, false])('invitations that are usable (%s) are listed in pages, newest first', async (usable) => {
  const db = harness.db('accounts')
  const isUsable = sql`(expires_at is null or expires_at > ${at}) and (max_uses is null or uses < max_uses)`
  const rows = await db.rows<{ id: string }>(
    sql`select id from invites where (${isUsable}) = ${usable} order by id desc limit 90`,
  )
  const expected = rows.map(({ id }) => id)
  const idsOf = async (cursor: object) =>
    (await invitePage(db, { usable }, { limit: 30, ...cursor }, at)).map(({ id }) => id)
  const first = await idsOf({})
  const second = await idsOf({ max_id: first.at(-1) })
  const third = await idsOf({ max_id: second.at(-1) })
  expect([...first, ...second, ...third]).toEqual(expected)
  expect(await idsOf({ min_id: third[0] })).toEqual(second)
  expect(await idsOf({ since_id: first[9] })).toEqual(first.slice(0, 9))
})
