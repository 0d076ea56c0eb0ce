/** The endpoints of staff with an unmodified client library: accounts, blocks, reports, trends and the dashboard. */
import type { Product } from '@murmuration/testkit'
import type { mastodon } from 'masto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAs, createUser, startWhole, type TestUser } from '../product.js'

let product: Product
let ada: TestUser
let bob: TestUser
beforeAll(async () => {
  product = await startWhole()
  const scopes = 'read write admin:read admin:write'
  ada = await createUser(product, 'ada', { scopes, role: 'Admin' })
  bob = await createUser(product, 'bob')
})
afterAll(() => product?.stop())

const admin = () => ada.api.v1.admin
/** The accounts endpoint of API v2, for which the library has no type. */
const second = () =>
  (ada.api.v2 as unknown as { admin: { accounts: { list(filter: object): Promise<mastodon.v1.admin.Account[]> } } })
    .admin
const names = (accounts: readonly { username: string }[]) => accounts.map((one) => one.username)

/** A sign-up that waits for approval. */
const waiting = async (username: string): Promise<string> => {
  const app = await bob.api.v1.apps.create({
    clientName: 'joining',
    redirectUris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read write',
  })
  const form = new URLSearchParams({
    client_id: app.clientId ?? '',
    client_secret: app.clientSecret ?? '',
    grant_type: 'client_credentials',
    scope: 'read write',
  })
  const token = (await (await fetch(`${product.origin}/oauth/token`, { method: 'POST', body: form })).json()) as {
    access_token: string
  }
  const answer = await fetch(`${product.origin}/api/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      username,
      email: `${username}@example.org`,
      password: 'a long password',
      agreement: true,
      locale: 'en',
      reason: 'Birds',
    }),
  })
  expect(answer.status).toBe(200)
  const [account] = await admin().accounts.list({ pending: true, username })
  return account?.id ?? ''
}

test('S-026 approves and rejects sign-ups', async () => {
  const set = await askAs(product, ada, '/api/murmuration/v1/admin/settings/registrations_mode', {
    method: 'PUT',
    body: '{"value":"approved"}',
  })
  expect(set.status).toBe(200)
  await product.settle()
  const [carla, dora] = [await waiting('carla'), await waiting('dora')]
  expect(names(await admin().accounts.list({ pending: true }))).toEqual(['dora', 'carla'])
  expect((await admin().accounts.$select(carla).approve()).approved).toBe(true)
  await admin().accounts.$select(dora).reject()
  expect(names(await admin().accounts.list({ pending: true }))).toEqual([])
  await expect(admin().accounts.$select(dora).fetch()).rejects.toMatchObject({ statusCode: 404 })
})

test('S-150 S-151 lists accounts with both API versions, in pages', async () => {
  const pages: string[][] = []
  for await (const page of admin().accounts.list({ limit: 2 })) pages.push(names(page))
  expect(pages).toEqual([['carla', 'bob'], ['ada']])
  expect(names(await second().accounts.list({ origin: 'local', username: 'BO' }))).toEqual(['bob'])
  expect(names(await second().accounts.list({ roleIds: ['2', '3'] }))).toEqual(['ada'])
})

test('limits, suspends and deletes an account', async () => {
  const account = admin().accounts.$select(bob.id)
  await account.action.create({ type: 'silence', text: 'Calm down' })
  expect((await account.fetch()).silenced).toBe(true)
  expect((await account.unsilence()).silenced).toBe(false)
  await account.action.create({ type: 'suspend' })
  expect(names(await second().accounts.list({ status: 'suspended' }))).toEqual(['bob'])
  const deletion = account as unknown as { remove(): Promise<unknown> }
  expect(await deletion.remove()).toEqual({})
  await expect(account.fetch()).rejects.toMatchObject({ statusCode: 404 })
})

test('S-166 manages blocks of IP addresses, e-mail domains and e-mail addresses', async () => {
  const ip = await admin().ipBlocks.create({
    ip: '203.0.113.0/24',
    severity: 'sign_up_block',
    comment: 'x',
    expiresIn: 3_600,
  })
  expect((await admin().ipBlocks.$select(ip.id).update({ severity: 'no_access' })).severity).toBe('no_access')
  expect((await admin().ipBlocks.list()).map((one) => one.ip)).toEqual(['203.0.113.0/24'])
  await admin().ipBlocks.$select(ip.id).remove()

  const domain = await admin().emailDomainBlocks.create({ domain: 'bad.example' })
  expect((await admin().emailDomainBlocks.$select(domain.id).fetch()).history).toHaveLength(7)
  await admin().emailDomainBlocks.$select(domain.id).remove()
  expect(await admin().emailDomainBlocks.list()).toEqual([])

  const email = await admin().canonicalEmailBlocks.create({ email: 'E.ve+x@mail.example' })
  expect(await admin().canonicalEmailBlocks.test({ email: 'eve@mail.example' })).toEqual([email])
  await admin().canonicalEmailBlocks.$select(email.id).remove()
  // The address of the suspended account stays blocked.
  expect(await admin().canonicalEmailBlocks.list()).toHaveLength(1)
})

test('S-024 manages blocks and allows of servers', async () => {
  const block = await admin().domainBlocks.create({ domain: 'far.example', severity: 'silence' })
  expect((await admin().domainBlocks.$select(block.id).update({ severity: 'suspend' })).severity).toBe('suspend')
  await admin().domainBlocks.$select(block.id).remove()
  const allow = await admin().domainAllows.create({ domain: 'near.example' })
  expect(await admin().domainAllows.list()).toEqual([allow])
  await admin().domainAllows.$select(allow.id).remove()
})

test('handles a report', async () => {
  const eve = await createUser(product, 'eve')
  const report = await eve.api.v1.reports.create({ accountId: ada.id, comment: 'Rude' })
  const one = admin().reports.$select(report.id)
  expect((await one.assignToSelf()).assignedAccount?.id).toBe(ada.id)
  expect((await one.resolve()).actionTaken).toBe(true)
  expect(await admin().reports.list()).toEqual([])
  expect((await one.reopen()).actionTaken).toBe(false)
})

test('reads trends and the dashboard', async () => {
  expect(await admin().trends.tags.list()).toEqual([])
  expect(await admin().trends.links.list()).toEqual([])
  expect(await admin().trends.statuses.list()).toEqual([])
  const time = { startAt: '2026-01-01', endAt: '2026-01-03' }
  const [measure] = await admin().measures.create({ keys: ['new_users'], ...time })
  expect([measure?.key, measure?.data.length]).toEqual(['new_users', 3])
  const [dimension] = await admin().dimensions.create({ keys: ['software_versions'] })
  expect(dimension?.key).toBe('software_versions')
  const cohorts = await admin().retention.create({ ...time, frequency: 'day' })
  expect(cohorts.length).toBeGreaterThan(0)
})
