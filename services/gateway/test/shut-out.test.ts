/** Access blocks (IP addresses, e-mail domains, usernames), from the operator's command to the refusal. */
import { app as accounts } from '@murmuration/accounts'
import { app as admin } from '@murmuration/admin'
import {
  createEmailDomainBlockByOperator,
  createIpBlockByOperator,
  createUsernameBlockByOperator,
  removeIpBlockByOperator,
  setSetting,
} from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { app as media } from '@murmuration/media'
import { app as statuses } from '@murmuration/statuses'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { app as gateway } from '../src/main.js'
import { federation, type Harness, startHarness } from './harness.js'

let harness: Harness
let app: string
beforeAll(async () => {
  harness = await startHarness({ TRUSTED_PROXIES: '1' }, [gateway, accounts, statuses, media, federation, admin])
  await harness.call(setSetting, { name: 'registrations_mode', value: 'open' })
  const made = await harness.http('/api/v1/apps', {
    json: { client_name: 'A', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write' },
  })
  const { client_id, client_secret } = made.json<{ client_id: string; client_secret: string }>()
  const token = await harness.http('/oauth/token', {
    json: { grant_type: 'client_credentials', client_id, client_secret, scope: 'read write' },
  })
  app = token.json<{ access_token: string }>().access_token
  await vi.waitFor(
    () => {
      const modes = harness.host.running.map(({ ctx }) => ctx.policy.settings().registrations_mode)
      expect(new Set(modes)).toEqual(new Set(['open']))
    },
    { timeout: 30_000 },
  )
})
afterAll(() => harness.stop())

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
const signUp = (username: string, ip: string, email = `${username}@mail.example`) =>
  harness.http('/api/v1/accounts', {
    token: app,
    json: { username, email, password: 'a long password here', agreement: true, locale: 'en' },
    ...from(ip),
  })
const rulesHold = (
  holds: (rules: ReturnType<Harness['host']['running'][number]['ctx']['policy']['access']>) => boolean,
) => expect.poll(() => harness.host.running.every(({ ctx }) => holds(ctx.policy.access()))).toBe(true)

test('S-024 every request of an IP address with no_access gets 403, and requests of others work', async () => {
  await harness.call(createIpBlockByOperator, { ip: '203.0.113.0/24', severity: 'no_access' })
  await rulesHold((rules) => rules.ip('203.0.113.9', Date.now()) === 'no_access')
  for (const path of ['/', '/api/v1/instance', '/auth/sign_in', '/nothing', '/.well-known/nodeinfo', '/@first']) {
    const answer = await harness.http(path, from('203.0.113.9'))
    expect([answer.status, answer.text, answer.headers.get('content-type')], path).toEqual([
      403,
      'Forbidden',
      'text/plain; charset=utf-8',
    ])
    expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff')
  }
  expect((await signUp('shutout', '203.0.113.9')).status).toBe(403)
  expect((await harness.http('/api/v1/instance', from('198.51.100.9'))).status).toBe(200)
  await harness.call(removeIpBlockByOperator, { ip: '203.0.113.0/24' })
  await rulesHold((rules) => rules.ip('203.0.113.9', Date.now()) === null)
  expect((await harness.http('/api/v1/instance', from('203.0.113.9'))).status).toBe(200)
})

test('S-024 sign_up_block refuses only sign-ups, and sign_up_requires_approval makes them wait for staff', async () => {
  await harness.call(createIpBlockByOperator, { ip: '198.51.100.5', severity: 'sign_up_block' })
  await harness.call(createIpBlockByOperator, { ip: '2001:db8::/32', severity: 'sign_up_requires_approval' })
  await rulesHold((rules) => rules.ip('2001:db8::5', Date.now()) !== null)
  const refused = await signUp('blocked', '198.51.100.5')
  expect([refused.status, refused.json().error]).toEqual([403, 'Forbidden'])
  expect((await harness.http('/api/v1/instance', from('198.51.100.5'))).status).toBe(200)
  expect((await signUp('waiting', '2001:db8::5')).status).toBe(200)
  expect((await signUp('welcome', '198.51.100.6')).status).toBe(200)
  const rows = await harness.db('accounts').rows(sql`select a.username, u.approved
    from users u join accounts a on a.id = u.account_id where a.username in ('waiting', 'welcome') order by 1`)
  expect(rows).toEqual([
    { username: 'waiting', approved: false },
    { username: 'welcome', approved: true },
  ])
})

test('S-024 blocked e-mail domains and usernames are refused with the name of their field', async () => {
  await harness.call(createEmailDomainBlockByOperator, { domain: 'throwaway.example' })
  await harness.call(createUsernameBlockByOperator, { username: 'casino' })
  await rulesHold((rules) => rules.username('casino') === 'refused' && rules.emailDomain('throwaway.example') !== null)
  const wrong = await signUp('mycasino', '192.0.2.8', 'eve@sub.throwaway.example')
  expect(wrong.status).toBe(422)
  expect(wrong.json().details).toMatchObject({
    username: [expect.objectContaining({ error: 'ERR_RESERVED' })],
    email: [expect.objectContaining({ error: 'ERR_BLOCKED' })],
  })
})
