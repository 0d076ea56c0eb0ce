/** Every operation with which staff or operators write adds an entry to the audit log, or is listed here with a reason. */
import * as accounts from '@murmuration/contracts/accounts'
import * as admin from '@murmuration/contracts/admin'
import * as federation from '@murmuration/contracts/federation'
import type { AnyOperation, Viewer } from '@murmuration/contracts/kit'
import * as media from '@murmuration/contracts/media'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { allOperations } from '@murmuration/contracts/registry'
import * as statuses from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'
import { commandOperations } from '../../bin/test/command-operations.js'

const hasRoute = ({ http }: AnyOperation): boolean => http.length > 0
/** Operations of staff that change something by their method, and operations of commands that are not of the class `read`. */
const writing: AnyOperation[] = [
  ...allOperations().filter(
    ({ viewer: { permission }, http }) => permission !== undefined && http.some(({ method }) => method !== 'GET'),
  ),
  ...commandOperations().filter((one) => !hasRoute(one) && one.class !== 'read'),
  // Last, because its job also removes the accounts of later examples.
].toSorted((a, b) => Number(a === accounts.selfDestruct) - Number(b === accounts.selfDestruct))

/** Operations without an entry, each with the reason. */
const EXCEPTIONS = new Map<AnyOperation, string>([
  ...[admin.readMeasures, admin.readDimensions, admin.readRetention].map((one) => [one, 'It reads numbers.'] as const),
  ...[
    admin.findCanonicalEmailBlocks,
    admin.findDomainAllows,
    admin.findDomainBlocks,
    admin.findEmailDomainBlocks,
    admin.findIpBlocks,
    admin.findUsernameBlocks,
    media.lookupMedia,
    media.mediaUsage,
  ].map((one) => [one, 'It reads rows.'] as const),
  [admin.testCanonicalEmailBlock, 'It only compares an address with the blocks.'],
  [admin.previewTermsOfService, 'It only renders a text.'],
  [media.checkEmoji, 'It only checks a picture.'],
])

let cluster: Cluster
let owner: Viewer
let count = 0
const fresh = (): string => `case${++count}`
const call = <T>(operation: AnyOperation, input: object, by: Viewer | null = owner): Promise<T> =>
  cluster.call(operation, input as never, by) as Promise<T>
const idOf = async (operation: AnyOperation, input: object): Promise<string> =>
  (await call<{ id: string }>(operation, input)).id
const run = (service: string, statement: ReturnType<typeof sql>) => cluster.db(service).run(statement)

/** Creates a local account. */
const account = async (more: object = {}): Promise<string> => {
  const username = fresh()
  return idOf(accounts.createAccountByOperator, {
    ...{ username, email: `${username}@mail.example`, confirmed: true },
    ...more,
  })
}
const remote = async (): Promise<string> =>
  (await call<{ record: { id: string } }>(accounts.putRemote, { actor: remoteActor(fresh(), 'remote.example') }, null))
    .record.id
/** An account after an action of staff. */
const acted = async (type: string): Promise<string> => {
  const id = await account()
  await call(admin.actOnAccount, { id, type })
  return id
}
const pending = async (): Promise<string> => {
  const id = await account()
  await run('accounts', sql`update users set approved = false where account_id = ${id}`)
  return id
}
const report = async (more: object = {}): Promise<string> => {
  const [by, target] = [await account(), await account()]
  return idBy(admin.createReport, { account_id: target, ...more }, viewer(by))
}
const idBy = async (operation: AnyOperation, input: object, by: Viewer): Promise<string> =>
  (await call<{ id: string }>(operation, input, by)).id
const appeal = async (): Promise<string> => {
  const id = await acted('silence')
  const [strike] = await call<{ id: string }[]>(admin.listStrikes, { account_id: id })
  await call(admin.createAppeal, { id: strike?.id, text: 'It was not me.' }, viewer(id))
  const [appealed] = await call<{ appeal: { id: string } }[]>(admin.listAppeals, { limit: 1 })
  return appealed?.appeal.id ?? ''
}
const domain = (): string => `${fresh()}.example`
const ip = (): string => `10.0.0.${++count % 250}`
const rule = () => idOf(admin.createRule, { text: fresh() })
const announcement = () => idOf(admin.createAnnouncement, { text: fresh() })
const preset = () => idOf(admin.createWarningPreset, { title: fresh(), text: 'text' })
const role = () => idOf(accounts.createRole, { name: fresh(), position: 5, permissions: [] })
const webhook = () => idOf(admin.createWebhook, { url: 'https://hooks.example/hook', events: ['status.updated'] })
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const emoji = async (): Promise<string> => {
  const shortcode = fresh()
  await call(media.createEmoji, { shortcode, image: PIXEL })
  return shortcode
}
const relay = async (): Promise<string> => {
  const url = `https://127.0.0.1:9/${fresh()}/inbox`
  await call(federation.addRelay, { url })
  return url
}
const host = async (): Promise<string> => {
  const [id, name] = [String(++count), domain()]
  await run('federation', sql`insert into lanes (id, host) values (${id}, ${name})`)
  await run(
    'federation',
    sql`insert into deliveries (activity_id, inbox_id, lane_id, actor_id, seq, state, attempts, at)
      values (${id}, ${id}, ${id}, 1, 1764158400000::bigint << 16, 0, 1, now() + interval '1 day')`,
  )
  return name
}
const status = async (text = fresh()): Promise<string> => {
  const author = await account()
  return idBy(statuses.createStatus, { status: text }, viewer(author))
}
const tag = async (): Promise<string> => {
  const name = fresh()
  await status(`#${name}`)
  await cluster.waitForIdle()
  return (await cluster.db('statuses').row<{ id: string }>(sql`select id from tags where name = ${name}`))?.id ?? ''
}
const link = async (): Promise<string> => {
  const id = String(900_000 + ++count)
  await run(
    'statuses',
    sql`insert into previews (id, url, type, article, title, description, author_name, author_url, provider_name,
      provider_url, html, width, height, embed_url, image_description, fetched_at)
      values (${id}, ${`https://news.example/${id}`}, 0, false, '', '', '', '', '', '', '', 0, 0, '', '', now())`,
  )
  return id
}
const publisher = async (): Promise<string> => {
  const id = String(900_000 + ++count)
  await run('statuses', sql`insert into publishers (id, domain) values (${id}, ${domain()})`)
  return id
}
const invite = async (): Promise<string> => {
  const id = String(900_000 + ++count)
  await run(
    'accounts',
    sql`insert into invites (id, account_id, code, created_at) values (${id}, ${await account()}, ${fresh()}, now())`,
  )
  return id
}
const deadLetter = async (): Promise<string> => {
  const id = String(900_000 + ++count)
  await run(
    'statuses',
    sql`insert into dead_letters (id, consumer, subject, message_id, data, reason, tries, at)
      values (${id}, 'statuses_file-conversation', 'job.statuses.x', ${id}, '{"status":"1"}', 'timeout', 6, now())`,
  )
  return `statuses-${id}`
}
/** A running task, whose worker waits. */
const task = async (service: string): Promise<string> => {
  const id = String(900_000 + ++count)
  await run(
    service,
    sql`insert into tasks (id, kind, input, dry_run, next_at, created_at, updated_at)
      values (${id}, ${fresh()}, '{}', false, now() + interval '1 day', now(), now())`,
  )
  return id
}
/** The id of the newest entry with this action. */
const entry = async (action: string): Promise<string> => {
  await cluster.waitForIdle()
  return (await call<{ id: string }[]>(admin.browseAuditLog, { action, limit: 1 }))[0]?.id ?? ''
}
const remoteEmoji = async (): Promise<string> => {
  const shortcode = await emoji()
  await run(
    'media',
    sql`with gone as (delete from custom_emojis where shortcode = ${shortcode} returning picture_id)
      update pictures set remote_url = ${`https://remote.example/${shortcode}.png`}, domain = 'remote.example',
        shortcode = ${shortcode} where id = (select picture_id from gone)`,
  )
  return (await call<{ id: string }[]>(media.listRemoteEmojis, { q: shortcode }))[0]?.id ?? ''
}

/** Input of a successful request by operation. The preparation may add other entries. */
type Example = () => object | Promise<object>
const one =
  (prepare: () => Promise<string>, more: object = {}): Example =>
  async () => ({ id: await prepare(), ...more })
const EXAMPLES = new Map<AnyOperation, Example>([
  [accounts.createAccountByOperator, () => ({ username: fresh(), email: `${fresh()}@mail.example` })],
  [
    accounts.firstAdmin,
    async () => {
      // The operation only creates an owner if there is none.
      await run('accounts', sql`update users set role_id = null where account_id = ${owner.id}`)
      return {}
    },
  ],
  [accounts.createTokenByOperator, async () => ({ username: `case${await account().then(() => count)}` })],
  [accounts.createTokenByStaff, one(account)],
  [
    accounts.recountAccounts,
    async () => {
      const id = await account()
      await run(
        'accounts',
        sql`update account_stats set followers_count = followers_count + 1 where account_id = ${id}`,
      )
      return { repair: true }
    },
  ],
  [accounts.deactivateInvite, one(invite)],
  [accounts.assignRole, async () => ({ id: await account(), role_id: await role() })],
  [accounts.createRole, () => ({ name: fresh(), position: 5, permissions: [] })],
  [accounts.removeRole, one(role)],
  [accounts.updateRole, one(role, { name: 'Renamed', position: 6, permissions: [] })],
  [accounts.stopAccountTask, one(() => task('accounts'))],
  [accounts.cullAccounts, () => ({})],
  [accounts.followAccounts, one(account)],
  [accounts.purgeDomains, () => ({ domains: [domain()] })],
  [accounts.refreshAccount, one(remote)],
  [accounts.refreshAllAccounts, () => ({})],
  [accounts.removeProfileMedia, () => ({})],
  [accounts.rotateAllKeys, () => ({})],
  [accounts.rotateKeys, one(account)],
  [accounts.unfollowAccounts, one(account, { which: 'local' })],
  [accounts.changeUserEmail, one(account, { email: 'changed@mail.example' })],
  [accounts.memorializeUser, one(account)],
  [accounts.confirmUser, one(() => account({ confirmed: false }))],
  [
    accounts.disableUserSecondFactor,
    async () => {
      const id = await account()
      await run(
        'accounts',
        sql`insert into one_time_codes (user_id, secret_sealed, created_at, confirmed_at)
      select id, 'x', now(), now() from users where account_id = ${id}`,
      )
      return { id }
    },
  ],
  [accounts.resetUserPassword, one(account)],
  [accounts.selfDestruct, () => ({ domain: cluster.env.LOCAL_DOMAIN, dry_run: false })],
  [admin.actOnAccount, one(account, { type: 'silence' })],
  [admin.approveAccountByStaff, one(pending)],
  [admin.deleteAccountByStaff, one(() => acted('suspend'))],
  [admin.enableAccount, one(() => acted('disable'))],
  [admin.rejectAccountByStaff, one(pending)],
  [admin.unsensitizeAccount, one(() => acted('sensitive'))],
  [admin.unsilenceAccount, one(() => acted('silence'))],
  [admin.unsuspendAccount, one(() => acted('suspend'))],
  [admin.createAnnouncement, () => ({ text: 'Hello' })],
  [admin.removeAnnouncement, one(announcement)],
  [admin.updateAnnouncement, one(announcement, { text: 'Changed' })],
  [admin.approveAppeal, one(appeal)],
  [admin.rejectAppeal, one(appeal)],
  [admin.undoAuditLogEntry, async () => ({ id: await rule().then(() => entry('create_rule')) })],
  [admin.createBulkAction, async () => ({ noun: 'account', action: 'silence', ids: [await account()] })],
  [
    admin.undoBulkAction,
    async () => {
      const { id } = await call<{ id: string }>(admin.createBulkAction, {
        ...{ noun: 'account', action: 'silence', ids: [await account()] },
      })
      await cluster.waitForIdle()
      return { id }
    },
  ],
  [admin.createCanonicalEmailBlock, () => ({ email: `${fresh()}@mail.example` })],
  [
    admin.removeCanonicalEmailBlock,
    one(() => idOf(admin.createCanonicalEmailBlock, { email: `${fresh()}@a.example` })),
  ],
  [admin.createCanonicalEmailBlockByOperator, () => ({ email: `${fresh()}@mail.example` })],
  [
    admin.removeCanonicalEmailBlockByOperator,
    async () => {
      const email = `${fresh()}@mail.example`
      await call(admin.createCanonicalEmailBlock, { email })
      return { email }
    },
  ],
  [admin.dropDeadLetter, async () => ({ ids: [await deadLetter()] })],
  [admin.replayDeadLetter, async () => ({ ids: [await deadLetter()] })],
  [admin.replayEvent, () => ({ service: 'accounts', from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })],
  [admin.createDomainAllow, () => ({ domain: domain() })],
  [admin.removeDomainAllow, one(() => idOf(admin.createDomainAllow, { domain: domain() }))],
  [admin.createDomainAllowByOperator, () => ({ domains: [domain()] })],
  [
    admin.removeDomainAllowByOperator,
    async () => {
      const name = domain()
      await call(admin.createDomainAllow, { domain: name })
      return { domain: name }
    },
  ],
  [admin.createDomainBlock, () => ({ domain: domain() })],
  [admin.importDomainBlocks, () => ({ rows: [[domain()]] })],
  [admin.removeDomainBlock, one(() => idOf(admin.createDomainBlock, { domain: domain() }))],
  [admin.updateDomainBlock, one(() => idOf(admin.createDomainBlock, { domain: domain() }), { severity: 'noop' })],
  [admin.createDomainBlockByOperator, () => ({ domain: domain() })],
  [
    admin.removeDomainBlockByOperator,
    async () => {
      const name = domain()
      await call(admin.createDomainBlock, { domain: name })
      return { domain: name }
    },
  ],
  [admin.createEmailDomainBlock, () => ({ domain: domain() })],
  [admin.removeEmailDomainBlock, one(() => idOf(admin.createEmailDomainBlock, { domain: domain() }))],
  [admin.createEmailDomainBlockByOperator, () => ({ domain: domain() })],
  [
    admin.removeEmailDomainBlockByOperator,
    async () => {
      const name = domain()
      await call(admin.createEmailDomainBlock, { domain: name })
      return { domain: name }
    },
  ],
  [admin.createIpBlock, () => ({ ip: ip(), severity: 'sign_up_block' })],
  [admin.removeIpBlock, one(() => idOf(admin.createIpBlock, { ip: ip(), severity: 'sign_up_block' }))],
  [
    admin.updateIpBlock,
    one(() => idOf(admin.createIpBlock, { ip: ip(), severity: 'sign_up_block' }), { comment: 'x' }),
  ],
  [admin.createIpBlockByOperator, () => ({ ip: ip(), severity: 'sign_up_block' })],
  [
    admin.removeIpBlockByOperator,
    async () => {
      const address = ip()
      await call(admin.createIpBlock, { ip: address, severity: 'sign_up_block' })
      return { ip: address }
    },
  ],
  [admin.createUsernameBlock, () => ({ username: fresh() })],
  [admin.removeUsernameBlock, one(() => idOf(admin.createUsernameBlock, { username: fresh() }))],
  [admin.updateUsernameBlock, one(() => idOf(admin.createUsernameBlock, { username: fresh() }), { exact: true })],
  [admin.createUsernameBlockByOperator, () => ({ username: fresh() })],
  [
    admin.removeUsernameBlockByOperator,
    async () => {
      const username = fresh()
      await call(admin.createUsernameBlock, { username })
      return { username }
    },
  ],
  [admin.buildFeeds, () => ({})],
  [admin.clearFeeds, () => ({})],
  [admin.pruneRemoteAccounts, () => ({})],
  [admin.removePreviewCards, () => ({})],
  [admin.removeStatuses, () => ({})],
  [admin.renewSecrets, () => ({})],
  [admin.assignReport, async () => ({ id: await report(), account_id: owner.id })],
  [admin.assignReportToSelf, one(report)],
  [
    admin.reopenReport,
    one(async () => {
      const id = await report()
      await call(admin.resolveReport, { id })
      return id
    }),
  ],
  [admin.resolveReport, one(report)],
  [
    admin.unassignReport,
    one(async () => {
      const id = await report()
      await call(admin.assignReportToSelf, { id })
      return id
    }),
  ],
  [admin.updateAdminReport, one(report, { category: 'spam' })],
  [admin.createRule, () => ({ text: fresh() })],
  [
    admin.orderRules,
    async () => {
      await rule()
      const rows = await cluster.db('admin').rows<{ id: string }>(sql`select id from rules where removed_at is null`)
      return {
        ids: rows
          .map(({ id }) => id)
          .toSorted()
          .toReversed(),
      }
    },
  ],
  [admin.removeRule, one(rule)],
  [admin.updateRule, one(rule, { text: 'Changed' })],
  [admin.setSetting, () => ({ name: 'site_title', value: fresh() })],
  [admin.setSettings, () => ({ settings: { site_title: fresh() } })],
  [admin.createAccountNote, one(account, { text: 'A note' })],
  [admin.createReportNote, one(report, { text: 'A note' })],
  [
    admin.removeAccountNote,
    async () => {
      const id = await account()
      return { id, note_id: await idOf(admin.createAccountNote, { id, text: 'A note' }) }
    },
  ],
  [
    admin.removeReportNote,
    async () => {
      const id = await report()
      return { id, note_id: await idOf(admin.createReportNote, { id, text: 'A note' }) }
    },
  ],
  [admin.stopAdminTask, one(() => task('admin'))],
  [admin.publishTermsOfService, () => ({ text: 'Be kind.', effective_date: '2099-01-01' })],
  [admin.createWarningPreset, () => ({ title: 'Spam', text: 'text' })],
  [admin.removeWarningPreset, one(preset)],
  [admin.updateWarningPreset, one(preset, { text: 'Changed' })],
  [admin.createWebhook, () => ({ url: 'https://hooks.example/hook', events: ['status.updated'] })],
  [admin.disableWebhook, one(webhook)],
  [
    admin.actOnReportedStatuses,
    async () => {
      const author = await account()
      const written = await idBy(statuses.createStatus, { status: fresh() }, viewer(author))
      const reported = { account_id: author, status_ids: [written] }
      const id = await idBy(admin.createReport, reported, viewer(await account()))
      return { id, type: 'delete_statuses', status_ids: [written] }
    },
  ],
  [
    admin.enableWebhook,
    one(async () => {
      const id = await webhook()
      await call(admin.disableWebhook, { id })
      return id
    }),
  ],
  [admin.removeWebhook, one(webhook)],
  [admin.rotateWebhookSecret, one(webhook)],
  [admin.testWebhook, one(webhook)],
  [admin.updateWebhook, one(webhook, { url: 'https://hooks.example/other' })],
  [federation.requestArchive, one(account)],
  [federation.startCrawl, () => ({})],
  [federation.dropDeliveriesOfHost, async () => ({ host: await host() })],
  [federation.retryHost, async () => ({ host: await host() })],
  [federation.addRelay, () => ({ url: `https://127.0.0.1:9/${fresh()}/inbox` })],
  [federation.disableRelay, async () => ({ url: await relay() })],
  [
    federation.enableRelay,
    async () => {
      const url = await relay()
      await call(federation.disableRelay, { url })
      return { url }
    },
  ],
  [federation.removeRelay, async () => ({ url: await relay() })],
  [federation.stopFederationTask, one(() => task('federation'))],
  [media.createEmoji, () => ({ shortcode: fresh(), image: PIXEL })],
  [media.purgeEmojis, () => ({})],
  [media.removeEmoji, async () => ({ shortcode: await emoji() })],
  [media.updateEmoji, async () => ({ shortcode: await emoji(), category: 'birds' })],
  [media.copyRemoteEmoji, one(remoteEmoji, { overwrite: true })],
  [media.stopMediaTask, one(() => task('media'))],
  [media.refreshMedia, () => ({ domain: domain() })],
  [media.removeMedia, () => ({})],
  [media.removeOrphanedMedia, () => ({})],
  [statuses.clearCache, () => ({})],
  [
    statuses.recountStatuses,
    async () => {
      const id = await status()
      await run('statuses', sql`insert into status_stats (status_id, favourites) values (${id}, 7)`)
      return { repair: true }
    },
  ],
  [statuses.approveTrendPublisher, one(publisher)],
  [statuses.rejectTrendPublisher, one(publisher)],
  [statuses.updateAdminTag, one(tag, { listable: false })],
  [statuses.approveTrendLink, one(link)],
  [statuses.rejectTrendLink, one(link)],
  [statuses.approveTrendStatus, one(status)],
  [statuses.rejectTrendStatus, one(status)],
  [statuses.approveTrendTag, one(tag)],
  [statuses.rejectTrendTag, one(tag)],
])

beforeAll(async () => {
  cluster = await startCluster({
    apps: await loadAll(),
    env: { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off', OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' },
  })
  const { id } = (await cluster.call(accounts.createAccountByOperator, {
    ...{ username: 'owner', email: 'owner@mail.example', confirmed: true, role: 'Owner' },
  })) as { id: string }
  const { permissions, position } = DEFAULT_ROLES.owner
  owner = viewer(id, { permissions: permissions, position })
})
afterAll(() => cluster?.stop())

interface Entry {
  id: string
  action: string
  target_id: string | null
}

const entriesBy = (by: string | null): Promise<Entry[]> =>
  cluster
    .db('admin')
    .rows(sql`select id, action, target_id from audit_log where actor_id is not distinct from ${by} order by seq`)
const accountIds = async (): Promise<Set<string>> =>
  new Set((await cluster.db('accounts').rows<{ id: string }>(sql`select id from accounts`)).map(({ id }) => id))

test('each operation that writes has an example or a reason', () => {
  const known = [...EXAMPLES.keys(), ...EXCEPTIONS.keys()].map((each) => each.name)
  expect(known.toSorted()).toEqual(writing.map((each) => each.name).toSorted())
})

test.each(writing.filter((each) => !EXCEPTIONS.has(each)).map((each) => [each.name, each] as const))(
  '%s adds an entry to the audit log, by the staff member or an operator',
  async (_name, operation) => {
    const input = (await EXAMPLES.get(operation)?.()) ?? {}
    await cluster.waitForIdle()
    const by = hasRoute(operation) ? owner : null
    const before = await entriesBy(by?.id ?? null)
    const existing = await accountIds()
    await call(operation, input, by)
    await cluster.waitForIdle()
    const added = (await entriesBy(by?.id ?? null)).slice(before.length)
    expect(added).not.toEqual([])
    // The pages of staff link such an entry to the account, and the page of the account lists it.
    const known = new Set([...existing, ...(await accountIds())])
    const ofAccounts = added.filter(({ action }) => /_(?:account|user|appeal|account_warning)$/.test(action))
    expect(ofAccounts.filter(({ target_id }) => !known.has(target_id ?? ''))).toEqual([])
  },
)

test.each([
  ['build_feeds', admin.buildFeeds],
  ['clear_feeds', admin.clearFeeds],
])('%s of one account has the account as target', async (action, operation) => {
  const id = await account()
  const task = await call<{ id: string }>(operation, { account_id: id })
  await cluster.waitForIdle()
  const entries = await call<{ action: string; after: unknown }[]>(admin.browseAuditLog, { target_id: id })
  expect(entries.find((entry) => entry.action === action)?.after).toMatchObject({ account: id, task_id: task.id })
})
