/** What is asked while people join is served by indexes, on tables large enough for the planner to care. */
import { openDatabase, sql, type Tx } from '@murmuration/db'
import { plansOf } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emailByAddress, emailOfUser } from '../src/store/email.js'
import { inviteByCode, invitesOf } from '../src/store/invite.js'
import { countLetters, letterById } from '../src/store/letter.js'
import { linkHolder, takeLink } from '../src/store/mail-link.js'
import { dueRemovals, dueSuspended } from '../src/store/removal.js'
import { neverConfirmed, waitingPeople } from '../src/store/sign-up.js'
import { isEmailTaken, isNameTaken } from '../src/store/user.js'
import { type Cast, startAccounts } from './cast.js'

let cast: Cast
beforeAll(async () => {
  cast = await startAccounts()
  const owner = openDatabase({ url: cast.env.DATABASE_URL ?? '', schema: 'accounts', connections: 1 })
  await owner.run(sql`insert into accounts (id, username, uri, url, created_at)
    select n, 'name' || n, 'https://x/' || n, 'https://x/@' || n, now() from generate_series(1, 6000) n`)
  await owner.run(sql`update accounts set suspended_at = now() - make_interval(secs => id) where id % 50 = 0`)
  await owner.run(sql`insert into users (id, account_id, email, confirmed_at, created_at)
    select n, n, 'mail' || n || '@x', now(), now() from generate_series(1, 6000) n`)
  await owner.run(sql`insert into sign_ups (user_id, account_id, confirmation_sent_at, waiting)
    select n, n, case when n % 100 = 0 then now() end, n % 100 = 1 from generate_series(1, 6000) n`)
  await owner.run(sql`insert into invites (id, account_id, code, created_at)
    select n, 1 + n % 600, 'code' || n, now() from generate_series(1, 6000) n`)
  await owner.run(sql`insert into mail_links (hash, user_id, purpose, expires_at)
    select decode(md5(n::text), 'hex'), 1 + n % 6000, 'confirm', now() from generate_series(1, 6000) n`)
  await owner.run(sql`insert into letters (id, kind, user_id, address, locale, username, created_at)
    select n, 'confirmation', 1 + n % 6000, '', 'en', '', now() from generate_series(1, 12000) n`)
  await owner.run(sql`insert into removals (account_id, removed_at)
    select n, now() - make_interval(secs => n) from generate_series(1, 3000) n`)
  await owner.run(sql`analyze`)
  await owner.close()
})
afterAll(() => cast.stop())

const at = new Date()
const long = new Date(at.getTime() - 3_000_000)
const hash = Buffer.alloc(16)
const hot: [string, (db: Tx) => Promise<unknown>, string][] = [
  ['whether a name is taken', (db) => isNameTaken(db, 'a'), 'accounts_handle'],
  ['whether an address is taken', (db) => isEmailTaken(db, 'a'), 'users_email'],
  ['a login by address', (db) => emailByAddress(db, 'a'), 'users_email'],
  ['a login', (db) => emailOfUser(db, '1'), 'sign_ups_pkey'],
  ['a link', (db) => linkHolder(db, hash, 'confirm', at), 'mail_links_pkey'],
  ['taking a link', (db) => takeLink(db, hash, 'confirm', at), 'mail_links_pkey'],
  ['a letter', (db) => letterById(db, '1'), 'letters_pkey'],
  ['letters of a person', (db) => countLetters(db, '1', ['confirmation'], at), 'letters_user'],
  ['an invitation', (db) => inviteByCode(db, 'a'), 'invites_code_key'],
  ['invitations of a person', (db) => invitesOf(db, '1'), 'invites_of'],
  ['people who wait', (db) => waitingPeople(db, '0', 20), 'sign_ups_waiting'],
  ['people who never confirmed', (db) => neverConfirmed(db, at, 50), 'sign_ups_unconfirmed'],
  ['people who were suspended long ago', (db) => dueSuspended(db, long, 20), 'accounts_suspended_here'],
  ['people who left', (db) => dueRemovals(db, long, 20), 'removals_removed_at'],
]

test.each(hot)('%s', async (_name, ask, index) => {
  const plan = await plansOf(cast.db('accounts'), ask)
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})
