/** A job of every queue of every service runs on real rows, and none becomes a dead letter. */
import * as accounts from '@murmuration/contracts/accounts'
import type { AnyJob } from '@murmuration/contracts/kit'
import * as statuses from '@murmuration/contracts/statuses'
import { sql, type Tx } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInOne, type Whole } from './whole.js'

let whole: Whole
let samples: Record<string, unknown> = {}
beforeAll(async () => {
  whole = await startInOne()
  samples = await makeSamples()
})
afterAll(() => whole?.cluster.stop())

/** Data of one job of each queue, by job name. Remote objects are at an address that nothing answers. */
const makeSamples = async (): Promise<Record<string, unknown>> => {
  const { cluster } = whole
  const [ann, ben] = await Promise.all([whole.account('ann'), whole.account('ben')])
  await cluster.call(accounts.createFollow, { id: ann.id }, ben)
  const post = (status: Record<string, unknown>) =>
    cluster.call(statuses.createStatus, status as never, ann) as Promise<{ id: string; poll?: { id: string } | null }>
  const { id: status } = await post({ status: 'hello #tag https://127.0.0.1/page' })
  const polled = await post({ status: 'choose', poll: { options: ['a', 'b'], expires_in: 3_600 } })
  const { id: direct } = await post({ status: '@ben hello', visibility: 'direct' })
  const now = Date.now()
  const at = new Date(now).toISOString()
  const day = at.slice(0, 10)
  const [account, author, none] = [ann.id, ann.id, '999']
  const uri = 'https://127.0.0.1/absent'
  const tag = await cluster.db('statuses').row<{ id: string }>(sql`select id from tags where name = 'tag'`)
  return {
    'accounts.accept-requests': { target: account },
    'accounts.carry-over': { move: none, what: 'followers', after: '0' },
    'accounts.check-collection': { collection: none },
    'accounts.end-follows-here': { accounts: [account], stamp: at, decision: none },
    'accounts.end-with-domain': { account, domain: 'far.example', cause: none },
    'accounts.end-with-suspended': { accounts: [account], domain: 'far.example', stamp: at },
    'accounts.forget-decisions': { domain: 'far.example', action: 'unsilence', stamp: '1' },
    'accounts.hand-over': { from: account, to: ben.id },
    'accounts.import': { id: none },
    'accounts.keep-digests': { account },
    'accounts.moderate-domain': { domain: 'far.example', action: 'unsilence', stamp: '1' },
    'accounts.refresh-collection': { collection: none },
    'accounts.refresh-remote': { uri },
    'accounts.renew-follows': { account, which: 'follows', after: '0', run: '1' },
    'accounts.restore-follows': { domain: 'far.example', stamp: '1' },
    'accounts.sync-collections': { account, url: uri },
    'accounts.task': { id: none },
    'accounts.verify-links': { account },
    'admin.send-webhook': { delivery: none },
    'admin.settle-account': { account: none, state: 'silence' },
    'admin.settle-accounts': { accounts: [none], state: 'silence' },
    'admin.settle-domain': { domain: 'far.example', stamp: '1' },
    'admin.settle-statuses': { strike: none },
    'admin.settle-undo': { entry: none },
    'admin.settle-verdict': { account: none, verdict: 'approve' },
    'admin.settle-verdicts': { accounts: [none], verdict: 'approve' },
    'admin.task': { id: none },
    'federation.consult-origin': { uri },
    'federation.deliver': { lanes: [none] },
    'federation.look-again': { uri },
    'federation.make-archive': { id: none },
    'federation.meet-reader': { keyId: uri, keyType: 'rsa', bases: [''], signature: 'AA==', statuses: [status] },
    'federation.process': { ids: [none] },
    'federation.read-relayed': { uri },
    'federation.synchronise-followers': { account, url: uri, digest: '00' },
    'federation.task': { id: none },
    'federation.tell-poll': { status: polled.id, seq: '1', at, inboxes: [] },
    'federation.tell-profile': { account, seq: '1', at },
    'media.clear-domain': { domain: 'far.example', what: 'picture', after: '0' },
    'media.fetch-remote': { what: 'picture', id: none },
    'media.process': { id: none },
    'media.task': { id: none },
    'notifications.merge-request': { recipient: account, from: ben.id },
    'notifications.send-mail': { mail: none },
    'notifications.send-push': { subscription: none, notification: none },
    'notifications.tell-boosters': { status, author, at: now },
    'notifications.tell-followers': { status, author, after: '0', at: now },
    'notifications.tell-quoters': { status, author, at: now },
    'notifications.tell-terms': { terms: none, day },
    'notifications.tell-voters': { poll: polled.poll?.id ?? none, status: polled.id, author, at: now },
    'statuses.bring-author': { account, what: 'all', reader: null },
    'statuses.bring-bookmarks': { id: none, account, clear: false, rows: [] },
    'statuses.bring-filters': { id: none, account, overwrite: false, looked: 0 },
    'statuses.bring-replies': { status, refresh: '1' },
    'statuses.check-quote': { status, depth: 1 },
    'statuses.check-reply': { status },
    'statuses.clean-up': { account },
    'statuses.drop-feeds': {},
    'statuses.erase-author': { author: none, before: 1 },
    'statuses.fan-out': { status },
    'statuses.fan-out-tags': { status },
    'statuses.fetch-parent': { uri, depth: 1 },
    'statuses.file-conversation': { status: direct },
    'statuses.find-mentioned': { host: 'far.example', at },
    'statuses.make-annual-report': { account, year: 2025 },
    'statuses.preview-link': { status },
    'statuses.publish-scheduled': { id: none },
    'statuses.recheck-files': { status: none, files: [none] },
    'statuses.refresh-remote': { status },
    'statuses.release-files': { holders: [none] },
    'statuses.remove-reblogs': { status },
    'statuses.sync-featured-tags': { account, url: uri },
    'statuses.take-out-tag': { account, tag: tag?.id ?? none },
    'statuses.unbury-author': { author: none, before: 1 },
    'statuses.withdraw': { status: none, author, reblogOf: null },
  }
}

test('there is a sample for every queue of a manifest, and no other', () => {
  const queues = whole.manifests.flatMap((manifest) => manifest.jobs.map((entry) => entry.job.name))
  expect(Object.keys(samples)).toEqual(queues.toSorted())
})

test('every sample matches the schema of its queue', () => {
  const jobs = whole.manifests.flatMap((manifest) => manifest.jobs.map((entry) => entry.job as AnyJob))
  const wrong = jobs.flatMap((job) => {
    const { error } = job.data.safeParse(samples[job.name])
    return error ? [`${job.name}: ${error.message}`] : []
  })
  expect(wrong).toEqual([])
})

test('a job of every queue runs without an error', async () => {
  const { cluster, ran } = whole
  await cluster.waitForIdle()
  const before = new Map([...ran].map(([name, { times }]) => [name, times]))
  const jobs = whole.manifests.flatMap((manifest) => manifest.jobs.map((entry) => entry.job as AnyJob))
  for (const job of jobs) {
    const ctx = whole.ctx(job.service)
    await ctx.db.tx((tx: Tx) => ctx.queue(tx, job, samples[job.name]))
  }
  const errors = () => [...ran].flatMap(([name, { errors: some }]) => some.map((error) => `${name}: ${error}`))
  const idleOnes = () =>
    jobs.map((job) => job.name).filter((name) => (ran.get(name)?.times ?? 0) === (before.get(name) ?? 0))
  // A job that fails waits long for its next try, so the first error ends the test.
  await expect.poll(() => errors().length > 0 || idleOnes().length === 0).toBe(true)
  expect(errors()).toEqual([])
  await cluster.waitForIdle()
  expect(idleOnes()).toEqual([])
  expect(errors()).toEqual([])
  const dead = await Promise.all(
    whole.manifests
      .filter((manifest) => manifest.database)
      .map(({ service }) => cluster.db(service).rows(sql`select subject, reason from dead_letters`)),
  )
  expect(dead.flat()).toEqual([])
})
