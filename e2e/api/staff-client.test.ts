/**
 * Every endpoint of staff with an unmodified client library: accounts, blocks, reports, hashtags, trends and the dashboard.
 * The library has no types for the endpoints in `UntypedAdmin`. It builds each path from the names of properties, so that their
 * requests are its own too. It sends PUT for updates, never PATCH.
 */
import type { Product } from '@murmuration/testkit'
import { serve, type WebServer } from '@murmuration/testkit/outside/web-server'
import { openStream } from '@murmuration/testkit/ws/streaming-client'
import type { mastodon } from 'masto'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUser, requestAs, startWhole, type TestUser } from '../product.js'
import { type LibraryRequests, recordLibraryRequests } from './library-requests.js'

/** Administration endpoints for which the library has no types. */
interface UntypedAdmin {
  accounts: { $select(id: string): { remove(): Promise<unknown> } }
  reports: {
    $select(id: string): {
      update(changes: { category: string; ruleIds?: string[] }): Promise<mastodon.v1.admin.Report>
    }
  }
  tags: {
    list(page?: { limit: number }): Promise<AdminTag[]>
    $select(id: string): { fetch(): Promise<AdminTag>; update(changes: object): Promise<AdminTag> }
  }
}
type AdminTag = mastodon.v1.admin.Tag & { listable: boolean }
/** The library gives publishers and links the type of a public link. */
type Reviewed = mastodon.v1.TrendLink & {
  id: string
  domain: string
  trendable: boolean | null
  requiresReview: boolean
}

/** Every key of the library's types. A key that is absent here or unknown there is a type error. */
const keysOf = <K extends string>(keys: Record<K, true>): K[] => Object.keys(keys) as K[]
const MEASURES = keysOf<mastodon.v1.admin.Measure['key']>({
  ...{ active_users: true, new_users: true, interactions: true, opened_reports: true, resolved_reports: true },
  ...{ tag_accounts: true, tag_uses: true, tag_servers: true },
  ...{ instance_accounts: true, instance_media_attachments: true, instance_reports: true },
  ...{ instance_statuses: true, instance_follows: true, instance_followers: true },
})
const DIMENSIONS = keysOf<mastodon.v1.admin.Dimension['key']>({
  ...{ languages: true, sources: true, servers: true, space_usage: true, software_versions: true },
  ...{ tag_servers: true, tag_languages: true, instance_accounts: true, instance_languages: true },
})

let product: Product
let library: LibraryRequests
let site: WebServer
let ada: TestUser
let bob: TestUser
let eve: TestUser
beforeAll(async () => {
  library = recordLibraryRequests()
  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#207070' } })
    .png()
    .toBuffer()
  site = await serve(({ path }) =>
    path.endsWith('.png')
      ? { status: 200, headers: { 'content-type': 'image/png' }, body: picture }
      : { status: 200, headers: { 'content-type': 'text/html' }, body: article(path.slice(1)) },
  )
  product = await startWhole({ env: { OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8', TREND_LINK_ACCOUNTS: '2' } })
  const scopes = 'read write admin:read admin:write'
  ada = await createUser(product, 'ada', { scopes, role: 'Admin' })
  bob = await createUser(product, 'bob')
})
afterAll(async () => {
  library?.stop()
  await product?.stop()
  await site?.close()
})

/** A page whose preview card may trend. */
const article = (title: string) =>
  `<html lang="en"><title>${title}</title><meta property="og:type" content="article">
    <meta property="og:image" content="/picture.png"><meta property="og:description" content="About">
    <meta property="og:site_name" content="News">`

const admin = () => ada.api.v1.admin
const untyped = () => ada.api.v1.admin as unknown as UntypedAdmin
/** The accounts endpoint of API v2, for which the library has no type. */
const second = () =>
  (ada.api.v2 as unknown as { admin: { accounts: { list(filter: object): Promise<mastodon.v1.admin.Account[]> } } })
    .admin
const refused = (statusCode: number, message?: string) =>
  expect.objectContaining({ statusCode, ...(message !== undefined && { message }) })
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
  const set = await requestAs(product, ada, '/api/murmuration/v1/admin/settings/registrations_mode', {
    method: 'PUT',
    body: '{"value":"approved"}',
  })
  expect(set.status).toBe(200)
  await product.waitForIdle()
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
  await bob.api.v1.accounts.updateCredentials({ displayName: 'Robert' })
  await product.waitForIdle()
  const { ip } = (await admin().accounts.list({ username: 'carla' }))[0] ?? {}
  const narrowed: [Parameters<ReturnType<typeof admin>['accounts']['list']>[0], string[]][] = [
    [{ local: true }, ['carla', 'bob', 'ada']],
    [{ active: true }, ['carla', 'bob', 'ada']],
    [{ staff: true }, ['ada']],
    [{ displayName: 'rob' }, ['bob']],
    [{ email: 'bob@' }, ['bob']],
    [{ ip: '192.0.2.1' }, []],
    [{ remote: true }, []],
    [{ byDomain: 'far.example' }, []],
  ]
  expect(names(await admin().accounts.list({ ip: String(ip) }))).toContain('carla')
  for (const [filter, expected] of narrowed)
    expect([filter, names(await admin().accounts.list(filter))]).toEqual([filter, expected])
  expect(names(await second().accounts.list({ roleIds: ['2', '3'] }))).toEqual(['ada'])
})

test('S-150 S-189 disables an account, which closes its streams, and enables it', async () => {
  const account = admin().accounts.$select(bob.id)
  const streamOf = (token: string) =>
    openStream(`${product.origin}/api/v1/streaming`, { token, query: { stream: 'user' } })
  const [stream, other] = [await streamOf(bob.token), await streamOf(ada.token)]
  await account.action.create({ type: 'disable' })
  expect((await account.fetch()).disabled).toBe(true)
  expect(names(await admin().accounts.list({ disabled: true }))).toEqual(['bob'])
  expect((await stream.closed).code).toBe(4401)
  await expect(streamOf(bob.token)).rejects.toMatchObject({ status: 401 })
  await expect(bob.api.v1.accounts.verifyCredentials()).rejects.toEqual(
    refused(403, 'Your login is currently disabled'),
  )
  expect((await account.enable()).disabled).toBe(false)
  expect((await bob.api.v1.accounts.verifyCredentials()).id).toBe(bob.id)
  const { id } = await ada.api.v1.statuses.create({ status: 'still connected' })
  expect(await other.next('update')).toMatchObject({ payload: { id } })
  other.close()
})

test('S-066 S-150 marks media of an account as sensitive, and removes the mark', async () => {
  const file = new Blob([await (await fetch(`${site.origin}/picture.png`)).arrayBuffer()], { type: 'image/png' })
  const media = await bob.api.v2.media.create({ file })
  const { id } = await bob.api.v1.statuses.create({ status: 'A picture', mediaIds: [media.id] })
  const isSensitive = async () => (await ada.api.v1.statuses.$select(id).fetch()).sensitive
  const account = admin().accounts.$select(bob.id)
  expect(await isSensitive()).toBe(false)
  await account.action.create({ type: 'sensitive' })
  expect((await account.fetch()).sensitized).toBe(true)
  expect(names(await admin().accounts.list({ sensitized: true }))).toEqual(['bob'])
  await expect.poll(isSensitive).toBe(true)
  expect((await account.unsensitive()).sensitized).toBe(false)
  await expect.poll(isSensitive).toBe(false)
})

test('S-150 limits and suspends an account, undoes both, and deletes it', async () => {
  const account = admin().accounts.$select(bob.id)
  await account.action.create({ type: 'silence', text: 'Calm down' })
  expect((await account.fetch()).silenced).toBe(true)
  expect(names(await admin().accounts.list({ silenced: true }))).toEqual(['bob'])
  expect((await account.unsilence()).silenced).toBe(false)

  const { id } = await bob.api.v1.statuses.create({ status: 'Still here', visibility: 'public' })
  const status = ada.api.v1.statuses.$select(id)
  await account.action.create({ type: 'suspend' })
  expect(names(await second().accounts.list({ status: 'suspended' }))).toEqual(['bob'])
  expect(names(await admin().accounts.list({ suspended: true }))).toEqual(['bob'])
  await expect.poll(() => status.fetch().catch((error: unknown) => error)).toEqual(refused(404))
  expect((await account.unsuspend()).suspended).toBe(false)
  await expect.poll(() => status.fetch().catch(() => null)).toMatchObject({ id })
  expect(names(await second().accounts.list({ status: 'suspended' }))).toEqual([])

  await account.action.create({ type: 'suspend' })
  expect(await untyped().accounts.$select(bob.id).remove()).toEqual({})
  await expect(account.fetch()).rejects.toMatchObject({ statusCode: 404 })
})

test('S-156 S-166 manages blocks of IP addresses, e-mail domains and e-mail addresses', async () => {
  const ip = await admin().ipBlocks.create({
    ip: '203.0.113.0/24',
    severity: 'sign_up_block',
    comment: 'x',
    expiresIn: 3_600,
  })
  expect((await admin().ipBlocks.$select(ip.id).update({ severity: 'no_access' })).severity).toBe('no_access')
  expect((await admin().ipBlocks.list()).map((one) => one.ip)).toEqual(['203.0.113.0/24'])
  expect(await admin().ipBlocks.$select(ip.id).fetch()).toMatchObject({ comment: 'x', severity: 'no_access' })
  expect(await admin().ipBlocks.$select(ip.id).remove()).toEqual({})
  expect(await admin().ipBlocks.list()).toEqual([])

  const domain = await admin().emailDomainBlocks.create({ domain: 'bad.example' })
  expect((await admin().emailDomainBlocks.$select(domain.id).fetch()).history).toHaveLength(7)
  expect(await admin().emailDomainBlocks.$select(domain.id).remove()).toEqual({})
  expect(await admin().emailDomainBlocks.list()).toEqual([])

  const email = await admin().canonicalEmailBlocks.create({ email: 'E.ve+x@mail.example' })
  expect(await admin().canonicalEmailBlocks.test({ email: 'eve@mail.example' })).toEqual([email])
  expect(await admin().canonicalEmailBlocks.$select(email.id).fetch()).toEqual(email)
  expect(await admin().canonicalEmailBlocks.$select(email.id).remove()).toEqual({})
  // The address of the suspended account stays blocked.
  expect(await admin().canonicalEmailBlocks.list()).toHaveLength(1)
})

test('S-024 S-156 manages blocks and allows of servers', async () => {
  const block = await admin().domainBlocks.create({ domain: 'far.example', severity: 'silence' })
  const one = admin().domainBlocks.$select(block.id)
  const changed = await one.update({ severity: 'suspend', publicComment: 'Spam' })
  expect(changed.severity).toBe('suspend')
  expect(await one.fetch()).toEqual(changed)
  expect(await admin().domainBlocks.list()).toEqual([changed])
  expect(await one.remove()).toEqual({})
  expect(await admin().domainBlocks.list()).toEqual([])
  const allow = await admin().domainAllows.create({ domain: 'near.example' })
  expect(await admin().domainAllows.list()).toEqual([allow])
  expect(await admin().domainAllows.$select(allow.id).fetch()).toEqual(allow)
  expect(await admin().domainAllows.$select(allow.id).remove()).toEqual({})
  expect(await admin().domainAllows.list()).toEqual([])
})

test('handles a report', async () => {
  eve = await createUser(product, 'eve')
  const made = await requestAs(product, ada, '/api/murmuration/v1/admin/rules', {
    method: 'POST',
    body: '{"text":"Be kind"}',
  })
  const rule = (await made.json()) as { id: string }
  const report = await eve.api.v1.reports.create({ accountId: ada.id, comment: 'Rude' })
  const one = admin().reports.$select(report.id)
  expect((await one.assignToSelf()).assignedAccount?.id).toBe(ada.id)
  expect((await one.unassign()).assignedAccount).toBeNull()
  await untyped()
    .reports.$select(report.id)
    .update({ category: 'violation', ruleIds: [rule.id] })
  const changed = await one.fetch()
  expect([changed.category, changed.rules.map(({ id }) => id), changed.assignedAccount]).toEqual([
    'violation',
    [rule.id],
    null,
  ])
  expect((await one.resolve()).actionTaken).toBe(true)
  expect(await admin().reports.list()).toEqual([])
  expect((await one.reopen()).actionTaken).toBe(false)
  expect((await admin().reports.list()).map(({ id }) => id)).toEqual([report.id])
})

/** Six discoverable accounts, created once. */
const authors: TestUser[] = []
const createAuthors = async (): Promise<TestUser[]> => {
  for (const name of ['uma', 'vic', 'wim', 'xia', 'yan', 'zoe'].slice(authors.length)) {
    const user = await createUser(product, name)
    await user.api.v1.accounts.updateCredentials({ discoverable: true })
    authors.push(user)
  }
  return authors
}
const postEach = async (status: string): Promise<void> => {
  for (const { api } of await createAuthors()) await api.v1.statuses.create({ status, language: 'en' })
  await product.waitForIdle()
}

const KINDS = { tag: 0, link: 1, status: 2 }
/** Trends are scored every five minutes. Stores the rows that the next run would write. */
const storeTrends = async (kind: keyof typeof KINDS, source: string): Promise<void> => {
  const db = new pg.Client({ connectionString: product.databaseUrl })
  await db.connect()
  await db.query('set search_path to statuses')
  await db.query(`insert into trends (kind, id, score, top_score, top_at, language, author_id)
    select ${KINDS[kind]}, id, 9, 9, now(), 'en', ${kind === 'status' ? 'author_id' : 'null'} from ${source}
    on conflict do nothing`)
  if (kind === 'link')
    await db.query(`insert into publishers (id, domain) values (1, '127.0.0.1') on conflict do nothing`)
  await db.end()
}

test('S-060 S-166 lists, shows and changes hashtags', async () => {
  await postEach('So many #starlings')
  const [tag] = await untyped().tags.list()
  expect(tag).toMatchObject({ name: 'starlings', usable: true, listable: true, trendable: false, requiresReview: true })
  const one = untyped().tags.$select(tag?.id ?? '')
  expect(await one.update({ displayName: 'Starlings', usable: false })).toMatchObject({ name: 'Starlings' })
  expect(await one.fetch()).toMatchObject({ name: 'Starlings', usable: false, requiresReview: false })
  const post = () => authors[0]?.api.v1.statuses.create({ status: 'More #starlings' })
  await expect(post()).rejects.toEqual(
    refused(422, 'Validation failed: Text contained a disallowed hashtag: starlings'),
  )
  await one.update({ usable: true })
  expect((await post())?.tags).toHaveLength(1)
  const found = async () => (await ada.api.v2.search.list({ q: 'starl', type: 'hashtags' })).hashtags
  expect(await found()).toHaveLength(1)
  await one.update({ listable: false })
  expect(await found()).toHaveLength(0)
})

test('S-021 S-154 reviews trending hashtags', async () => {
  await postEach('A #murmuration')
  const id = (await untyped().tags.list()).find(({ name }) => name === 'murmuration')?.id ?? ''
  await storeTrends('tag', `tags where id = ${id}`)
  const shown = async () => (await eve.api.v1.trends.tags.list()).map(({ name }) => name)
  expect(await admin().trends.tags.list()).toContainEqual(expect.objectContaining({ id, requiresReview: true }))
  expect(await shown()).toEqual([])
  const one = admin().trends.tags.$select(id)
  expect(await one.approve()).toMatchObject({ trendable: true, requiresReview: false })
  expect(await shown()).toEqual(['murmuration'])
  expect(await one.reject()).toMatchObject({ trendable: false })
  expect(await shown()).toEqual([])
})

test('S-021 S-154 reviews trending statuses', async () => {
  const [author, ...others] = await createAuthors()
  const { id } = (await author?.api.v1.statuses.create({ status: 'Popular', language: 'en' })) ?? { id: '' }
  for (const { api } of others) await api.v1.statuses.$select(id).favourite()
  await product.waitForIdle()
  await storeTrends('status', `statuses where id = ${id}`)
  const shown = async () => (await eve.api.v1.trends.statuses.list()).map((status) => status.id)
  expect(await admin().trends.statuses.list()).toContainEqual(expect.objectContaining({ id, requiresReview: true }))
  expect(await shown()).toEqual([])
  const one = admin().trends.statuses.$select(id)
  expect(await one.approve()).toMatchObject({ id, requiresReview: false })
  expect(await shown()).toEqual([id])
  await one.reject()
  expect(await shown()).toEqual([])
})

test('S-075 S-154 reviews trending links and their publishers', async () => {
  for (const title of ['One', 'Two']) await postEach(`${site.origin}/${title}`)
  await storeTrends('link', `previews where url like '${site.origin}/%'`)
  const links = (await admin().trends.links.list()) as Reviewed[]
  expect(links.map(({ title, requiresReview }) => [title, requiresReview]).toSorted()).toEqual([
    ['One', true],
    ['Two', true],
  ])
  const idOf = (title: string) => links.find((link) => link.title === title)?.id ?? ''
  const shown = async () => (await eve.api.v1.trends.links.list()).map(({ title }) => title)
  expect(await shown()).toEqual([])
  await admin().trends.links.$select(idOf('One')).approve()
  expect(await shown()).toEqual(['One'])
  await admin().trends.links.$select(idOf('One')).reject()
  expect(await shown()).toEqual([])

  const publishers = (await admin().trends.links.publishers.list()) as Reviewed[]
  expect(publishers).toEqual([expect.objectContaining({ domain: '127.0.0.1', trendable: null, requiresReview: true })])
  const publisher = admin().trends.links.publishers.$select(publishers[0]?.id ?? '')
  expect(await publisher.approve()).toMatchObject({ trendable: true, requiresReview: false })
  // The own decision about the first link applies to it.
  expect(await shown()).toEqual(['Two'])
  expect(await publisher.reject()).toMatchObject({ trendable: false })
  expect(await shown()).toEqual([])
})

test('reads every measure, dimension and cohort of the dashboard', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const time = { startAt: new Date(Date.now() - 2 * 86_400_000).toISOString(), endAt: today }
  const id = (await untyped().tags.list()).find(({ name }) => name === 'murmuration')?.id ?? ''
  const [tag, domain] = [{ id }, { domain: 'far.example' }]
  const measures = await admin().measures.create({
    ...time,
    keys: MEASURES,
    ...{ tagAccounts: tag, tagUses: tag, tagServers: tag },
    ...{ instanceAccounts: domain, instanceMediaAttachments: domain, instanceReports: domain },
    ...{ instanceStatuses: domain, instanceFollows: domain, instanceFollowers: domain },
  })
  expect(measures.map(({ key, data }) => [key, data.length])).toEqual(MEASURES.map((key) => [key, 3]))
  const totals = Object.fromEntries(measures.map(({ key, total }) => [key, total]))
  expect(totals).toMatchObject({ opened_reports: '1', tag_accounts: '6', tag_uses: '6', instance_accounts: '0' })

  const dimensions = await admin().dimensions.create({
    ...time,
    keys: DIMENSIONS,
    ...{ tagServers: tag, tagLanguages: tag, instanceAccounts: domain, instanceLanguages: domain },
  })
  expect(dimensions.map(({ key }) => key)).toEqual(DIMENSIONS)
  const tagLanguages = dimensions.find(({ key }) => key === 'tag_languages')
  expect(tagLanguages?.data.map(({ key, value }) => [key, value])).toEqual([['en', '6']])

  const days = await admin().retention.create({ ...time, frequency: 'day' })
  expect(days.map(({ data }) => data.length)).toEqual([3, 2, 1])
  expect(days[2]?.data[0]?.rate).toBe(1)
  const [month] = await admin().retention.create({ startAt: today, endAt: today, frequency: 'month' })
  expect(month?.frequency).toBe('month')
})

test('the library sent every request of the administration API', () => {
  const missing = library.missing(/^\/api\/v\d\/admin\//)
  // The library updates with PUT, which has the same operation.
  expect(missing.filter((name) => !name.startsWith('PATCH '))).toEqual([])
  expect(missing).toHaveLength(4)
})
