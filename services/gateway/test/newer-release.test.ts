/** Pages that get values of a newer release from a service, as during a rolling update. */
import { app as accounts } from '@murmuration/accounts'
import type { Status } from '@murmuration/contracts/entities'
import { type AnyOperation, raw } from '@murmuration/contracts/kit'
import { listGroups, unreadGroups } from '@murmuration/contracts/notifications'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { msg } from '@murmuration/messages'
import { app as statuses } from '@murmuration/statuses'
import { openBrowser } from '@murmuration/testkit/browser/forms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOfState } from '../src/edge/caller/auth.js'
import { app as gateway } from '../src/main.js'
import { badgeOf } from '../src/pages/admin/table.js'
import { select, withValue } from '../src/pages/core/choice.js'
import { labelOf } from '../src/pages/core/language.js'
import { obstacleOf } from '../src/pages/core/own-account.js'
import { strikeCard } from '../src/pages/core/parts/strike.js'
import { articles } from '../src/pages/home/article.js'
import { replyTo } from '../src/pages/home/thread.js'
import { federation, type Harness, PASSWORD, startHarness } from './harness.js'

const { handle } = handlersFor<BaseContext>()

/** The operation with an output that is not checked, because a newer release has another one. */
const newer = <O extends AnyOperation>(operation: O): O => ({ ...operation, output: raw('application/json') }) as never

const group = (type: string) => ({
  ...{ group_key: `ungrouped-${type}`, notifications_count: 1, type, most_recent_notification_id: 1 },
  ...{ page_min_id: '1', page_max_id: '1', latest_page_notification_at: '2026-01-02T03:04:05.678Z' },
  sample_account_ids: [],
})

const notifications: App = {
  manifest: service('notifications', {
    operations: [
      handle(
        newer(listGroups),
        async () =>
          ({ accounts: [], statuses: [], notification_groups: ['poke', 'moderation_warning'].map(group) }) as never,
      ),
      handle(unreadGroups, async () => ({ count: 1 })),
    ],
    database: false,
    roles: { api: { operations: true, scales: '', needs: [] } },
  }),
  createContext: (base) => base,
}

let server: Harness
beforeAll(async () => {
  server = await startHarness({}, [gateway, accounts, statuses, media, notifications, federation])
})
afterAll(() => server.stop())

test('the page of notifications leaves out groups of unknown types', async () => {
  await server.createAccount('ann')
  const by = openBrowser({ follows: (url) => url.origin === server.origin })
  await by.get(`${server.origin}/auth/sign_in`)
  await by.submit(0, { fields: { 'user[email]': 'ann@mail.example', 'user[password]': PASSWORD } })
  const page = await by.get(`${server.origin}/home/notifications`)
  expect(page.status).toBe(200)
  expect(page.text).toContain('You have received a moderation warning')
  expect(page.html.match(/class="card notice"/g)).toHaveLength(1)
})

test('an unknown value has itself as label, and names of object members are no labels', () => {
  const table = { known: msg('Pending') }
  expect(['known', 'newer', 'constructor'].map((value) => labelOf(table, value))).toEqual([
    'Pending',
    'newer',
    'constructor',
  ])
  expect(badgeOf({ known: [msg('Pending'), 'warn'] }, 'newer').text).toBe('<span class="badge neutral">newer</span>')
})

test('an account with an unknown state may not act', () => {
  expect(obstacleOf('ok')).toBeUndefined()
  expect(obstacleOf('paused')).toBe(obstacleOf('disabled'))
  expect(textOfState('paused' as 'disabled')).toBe(textOfState('disabled'))
})

test('a post that a filter with an unknown action matches is hidden', () => {
  const filter = { filter_action: 'fold', title: 'Birds', context: ['home', 'a_newer_page'] }
  const filtered = [{ filter, keyword_matches: ['bird'], status_matches: null }]
  const account = { id: '1' }
  const frame = { viewerId: '2', filterContext: 'home' }
  expect(articles([{ account, filtered, reblog: null } as unknown as Status], frame as never)).toEqual([])
  const boost = { account, filtered: [], reblog: { account, filtered } }
  expect(articles([boost as unknown as Status], frame as never)).toEqual([])
})

test('a decision of an unknown kind is shown by its name', () => {
  const warning = {
    ...{ id: '1', action: 'freeze', text: 'Be kind', status_ids: null, target_account: { username: 'ann' } },
    ...{ appeal: { text: 'Why?', state: 'escalated' }, created_at: '2026-01-02T03:04:05.678Z' },
  }
  const { text } = strikeCard({ warning, overruled_at: null, appeal_until: null } as never, null)
  expect(text).toContain('<h2>freeze</h2>')
  expect(text).toContain('escalated')
})

test('a form keeps an unknown value selected, and does not send another one', () => {
  const options = [['public', 'Anyone']] as const
  expect(withValue(options, 'circle')).toEqual([...options, ['circle', 'circle']])
  expect([withValue(options, 'public'), withValue(options, '')]).toEqual([options, options])
  expect(select('visibility', 'Who', options, 'circle').text).toContain('<option value="circle" selected>')
})

test('the reply to a post with an unknown visibility is direct', () => {
  const account = { id: '1', acct: 'ann' }
  const fields = (visibility: string, chosen: string) =>
    replyTo({ account, mentions: [], spoiler_text: '', id: '2', visibility } as never, { visibility: chosen }, '3')
      .visibility
  expect([fields('circle', 'public'), fields('public', 'circle'), fields('unlisted', 'public')]).toEqual([
    'direct',
    'direct',
    'unlisted',
  ])
})
