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
    admin.canonicalEmailBlockFind,
    admin.domainAllowFind,
    admin.domainBlockFind,
    admin.emailDomainBlockFind,
    admin.ipBlockFind,
    admin.usernameBlockFind,
    media.mediaLookup,
    media.mediaUsage,
  ].map((one) => [one, 'It reads rows.'] as const),
  [admin.canonicalEmailBlockTest, 'It only compares an address with the blocks.'],
  [admin.termsOfServicePreview, 'It only renders a text.'],
  [media.emojiCheck, 'It only checks a picture.'],
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
  return idOf(accounts.accountCreateByOperator, {
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
  await call(admin.adminAccountAct, { id, type })
  return id
}
const pending = async (): Promise<string> => {
  const id = await account()
  await run('accounts', sql`update users set approved = false where account_id = ${id}`)
  return id
}
const report = async (more: object = {}): Promise<string> => {
  const [by, target] = [await account(), await account()]
  return idBy(admin.reportCreate, { account_id: target, ...more }, viewer(by))
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
const rule = () => idOf(admin.ruleCreate, { text: fresh() })
const announcement = () => idOf(admin.announcementCreate, { text: fresh() })
const preset = () => idOf(admin.createWarningPreset, { title: fresh(), text: 'text' })
const role = () => idOf(accounts.roleCreate, { name: fresh(), position: 5, permissions: [] })
const webhook = () => idOf(admin.createWebhook, { url: 'https://hooks.example/hook', events: ['status.updated'] })
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const emoji = async (): Promise<string> => {
  const shortcode = fresh()
  await call(media.emojiCreate, { shortcode, image: PIXEL })
  return shortcode
}
const relay = async (): Promise<string> => {
  const url = `https://127.0.0.1:9/${fresh()}/inbox`
  await call(federation.relayAdd, { url })
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
  await cluster.settle()
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
  await cluster.settle()
  return (await call<{ id: string }[]>(admin.auditLogBrowse, { action, limit: 1 }))[0]?.id ?? ''
}
const remoteEmoji = async (): Promise<string> => {
  const shortcode = await emoji()
  await run(
    'media',
    sql`with gone as (delete from custom_emojis where shortcode = ${shortcode} returning picture_id)
      update pictures set remote_url = ${`https://remote.example/${shortcode}.png`}, domain = 'remote.example',
        shortcode = ${shortcode} where id = (select picture_id from gone)`,
  )
  return (await call<{ id: string }[]>(media.remoteEmojiList, { q: shortcode }))[0]?.id ?? ''
}

/** Input of a successful request by operation. The preparation may add other entries. */
type Example = () => object | Promise<object>
const one =
  (prepare: () => Promise<string>, more: object = {}): Example =>
  async () => ({ id: await prepare(), ...more })
const EXAMPLES = new Map<AnyOperation, Example>([
  [accounts.accountCreateByOperator, () => ({ username: fresh(), email: `${fresh()}@mail.example` })],
  [
    accounts.firstAdmin,
    async () => {
      // The operation only creates an owner if there is none.
      await run('accounts', sql`update users set role_id = null where account_id = ${owner.id}`)
      return {}
    },
  ],
  [accounts.tokenCreateByOperator, async () => ({ username: `case${await account().then(() => count)}` })],
  [accounts.accountTokenCreate, one(account)],
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
  [accounts.inviteDeactivate, one(invite)],
  [accounts.roleAssign, async () => ({ id: await account(), role_id: await role() })],
  [accounts.roleCreate, () => ({ name: fresh(), position: 5, permissions: [] })],
  [accounts.roleRemove, one(role)],
  [accounts.roleUpdate, one(role, { name: 'Renamed', position: 6, permissions: [] })],
  [accounts.accountTaskStop, one(() => task('accounts'))],
  [accounts.accountCull, () => ({})],
  [accounts.accountsFollow, one(account)],
  [accounts.accountsPurgeDomains, () => ({ domains: [domain()] })],
  [accounts.accountRefresh, one(remote)],
  [accounts.accountRefreshAll, () => ({})],
  [accounts.profileMediaRemove, () => ({})],
  [accounts.keyRotateAll, () => ({})],
  [accounts.keyRotate, one(account)],
  [accounts.accountsUnfollow, one(account, { which: 'local' })],
  [accounts.userEmailChange, one(account, { email: 'changed@mail.example' })],
  [accounts.userMemorialize, one(account)],
  [accounts.userConfirm, one(() => account({ confirmed: false }))],
  [
    accounts.userSecondFactorDisable,
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
  [accounts.userPasswordReset, one(account)],
  [accounts.selfDestruct, () => ({ domain: cluster.env.LOCAL_DOMAIN, dry_run: false })],
  [admin.adminAccountAct, one(account, { type: 'silence' })],
  [admin.adminAccountApprove, one(pending)],
  [admin.adminAccountDelete, one(() => acted('suspend'))],
  [admin.adminAccountEnable, one(() => acted('disable'))],
  [admin.adminAccountReject, one(pending)],
  [admin.adminAccountUnsensitive, one(() => acted('sensitive'))],
  [admin.adminAccountUnsilence, one(() => acted('silence'))],
  [admin.adminAccountUnsuspend, one(() => acted('suspend'))],
  [admin.announcementCreate, () => ({ text: 'Hello' })],
  [admin.announcementRemove, one(announcement)],
  [admin.announcementUpdate, one(announcement, { text: 'Changed' })],
  [admin.approveAppeal, one(appeal)],
  [admin.rejectAppeal, one(appeal)],
  [admin.auditLogUndo, async () => ({ id: await rule().then(() => entry('create_rule')) })],
  [admin.createBulkAction, async () => ({ noun: 'account', action: 'silence', ids: [await account()] })],
  [
    admin.undoBulkAction,
    async () => {
      const { id } = await call<{ id: string }>(admin.createBulkAction, {
        ...{ noun: 'account', action: 'silence', ids: [await account()] },
      })
      await cluster.settle()
      return { id }
    },
  ],
  [admin.canonicalEmailBlockCreate, () => ({ email: `${fresh()}@mail.example` })],
  [
    admin.canonicalEmailBlockRemove,
    one(() => idOf(admin.canonicalEmailBlockCreate, { email: `${fresh()}@a.example` })),
  ],
  [admin.canonicalEmailBlockCreateByOperator, () => ({ email: `${fresh()}@mail.example` })],
  [
    admin.canonicalEmailBlockRemoveByOperator,
    async () => {
      const email = `${fresh()}@mail.example`
      await call(admin.canonicalEmailBlockCreate, { email })
      return { email }
    },
  ],
  [admin.deadLetterDrop, async () => ({ ids: [await deadLetter()] })],
  [admin.deadLetterReplay, async () => ({ ids: [await deadLetter()] })],
  [admin.eventReplay, () => ({ service: 'accounts', from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })],
  [admin.domainAllowCreate, () => ({ domain: domain() })],
  [admin.domainAllowRemove, one(() => idOf(admin.domainAllowCreate, { domain: domain() }))],
  [admin.domainAllowCreateByOperator, () => ({ domains: [domain()] })],
  [
    admin.domainAllowRemoveByOperator,
    async () => {
      const name = domain()
      await call(admin.domainAllowCreate, { domain: name })
      return { domain: name }
    },
  ],
  [admin.domainBlockCreate, () => ({ domain: domain() })],
  [admin.domainBlockImport, () => ({ rows: [[domain()]] })],
  [admin.domainBlockRemove, one(() => idOf(admin.domainBlockCreate, { domain: domain() }))],
  [admin.domainBlockUpdate, one(() => idOf(admin.domainBlockCreate, { domain: domain() }), { severity: 'noop' })],
  [admin.domainBlockCreateByOperator, () => ({ domain: domain() })],
  [
    admin.domainBlockRemoveByOperator,
    async () => {
      const name = domain()
      await call(admin.domainBlockCreate, { domain: name })
      return { domain: name }
    },
  ],
  [admin.emailDomainBlockCreate, () => ({ domain: domain() })],
  [admin.emailDomainBlockRemove, one(() => idOf(admin.emailDomainBlockCreate, { domain: domain() }))],
  [admin.emailDomainBlockCreateByOperator, () => ({ domain: domain() })],
  [
    admin.emailDomainBlockRemoveByOperator,
    async () => {
      const name = domain()
      await call(admin.emailDomainBlockCreate, { domain: name })
      return { domain: name }
    },
  ],
  [admin.ipBlockCreate, () => ({ ip: ip(), severity: 'sign_up_block' })],
  [admin.ipBlockRemove, one(() => idOf(admin.ipBlockCreate, { ip: ip(), severity: 'sign_up_block' }))],
  [
    admin.ipBlockUpdate,
    one(() => idOf(admin.ipBlockCreate, { ip: ip(), severity: 'sign_up_block' }), { comment: 'x' }),
  ],
  [admin.ipBlockCreateByOperator, () => ({ ip: ip(), severity: 'sign_up_block' })],
  [
    admin.ipBlockRemoveByOperator,
    async () => {
      const address = ip()
      await call(admin.ipBlockCreate, { ip: address, severity: 'sign_up_block' })
      return { ip: address }
    },
  ],
  [admin.usernameBlockCreate, () => ({ username: fresh() })],
  [admin.usernameBlockRemove, one(() => idOf(admin.usernameBlockCreate, { username: fresh() }))],
  [admin.usernameBlockUpdate, one(() => idOf(admin.usernameBlockCreate, { username: fresh() }), { exact: true })],
  [admin.usernameBlockCreateByOperator, () => ({ username: fresh() })],
  [
    admin.usernameBlockRemoveByOperator,
    async () => {
      const username = fresh()
      await call(admin.usernameBlockCreate, { username })
      return { username }
    },
  ],
  [admin.feedsBuild, () => ({})],
  [admin.feedsClear, () => ({})],
  [admin.accountPrune, () => ({})],
  [admin.previewCardsRemove, () => ({})],
  [admin.statusesRemove, () => ({})],
  [admin.assignReport, async () => ({ id: await report(), account_id: owner.id })],
  [admin.adminReportAssign, one(report)],
  [
    admin.adminReportReopen,
    one(async () => {
      const id = await report()
      await call(admin.adminReportResolve, { id })
      return id
    }),
  ],
  [admin.adminReportResolve, one(report)],
  [
    admin.adminReportUnassign,
    one(async () => {
      const id = await report()
      await call(admin.adminReportAssign, { id })
      return id
    }),
  ],
  [admin.adminReportUpdate, one(report, { category: 'spam' })],
  [admin.ruleCreate, () => ({ text: fresh() })],
  [
    admin.ruleOrder,
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
  [admin.ruleRemove, one(rule)],
  [admin.ruleUpdate, one(rule, { text: 'Changed' })],
  [admin.settingSet, () => ({ name: 'site_title', value: fresh() })],
  [admin.settingSetMany, () => ({ settings: { site_title: fresh() } })],
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
  [admin.adminTaskStop, one(() => task('admin'))],
  [admin.termsOfServicePublish, () => ({ text: 'Be kind.', effective_date: '2099-01-01' })],
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
      const id = await idBy(admin.reportCreate, reported, viewer(await account()))
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
  [federation.archiveRequest, one(account)],
  [federation.startCrawl, () => ({})],
  [federation.deliveryDrop, async () => ({ host: await host() })],
  [federation.hostRetry, async () => ({ host: await host() })],
  [federation.relayAdd, () => ({ url: `https://127.0.0.1:9/${fresh()}/inbox` })],
  [federation.relayDisable, async () => ({ url: await relay() })],
  [
    federation.relayEnable,
    async () => {
      const url = await relay()
      await call(federation.relayDisable, { url })
      return { url }
    },
  ],
  [federation.relayRemove, async () => ({ url: await relay() })],
  [federation.federationTaskStop, one(() => task('federation'))],
  [media.emojiCreate, () => ({ shortcode: fresh(), image: PIXEL })],
  [media.emojiPurge, () => ({})],
  [media.emojiRemove, async () => ({ shortcode: await emoji() })],
  [media.emojiUpdate, async () => ({ shortcode: await emoji(), category: 'birds' })],
  [media.remoteEmojiCopy, one(remoteEmoji, { overwrite: true })],
  [media.mediaTaskStop, one(() => task('media'))],
  [media.mediaRefresh, () => ({ domain: domain() })],
  [media.mediaRemove, () => ({})],
  [media.mediaRemoveOrphans, () => ({})],
  [statuses.cacheClear, () => ({})],
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
  const { id } = (await cluster.call(accounts.accountCreateByOperator, {
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
    await cluster.settle()
    const by = hasRoute(operation) ? owner : null
    const before = await entriesBy(by?.id ?? null)
    const existing = await accountIds()
    await call(operation, input, by)
    await cluster.settle()
    const added = (await entriesBy(by?.id ?? null)).slice(before.length)
    expect(added).not.toEqual([])
    // The pages of staff link such an entry to the account, and the page of the account lists it.
    const known = new Set([...existing, ...(await accountIds())])
    const ofAccounts = added.filter(({ action }) => /_(?:account|user|appeal|account_warning)$/.test(action))
    expect(ofAccounts.filter(({ target_id }) => !known.has(target_id ?? ''))).toEqual([])
  },
)

test.each([
  ['build_feeds', admin.feedsBuild],
  ['clear_feeds', admin.feedsClear],
])('%s of one account has the account as target', async (action, operation) => {
  const id = await account()
  const task = await call<{ id: string }>(operation, { account_id: id })
  await cluster.settle()
  const entries = await call<{ action: string; after: unknown }[]>(admin.auditLogBrowse, { target_id: id })
  expect(entries.find((entry) => entry.action === action)?.after).toMatchObject({ account: id, task_id: task.id })
})
