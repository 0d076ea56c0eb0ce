/** The published policy: every change is received, a lost bucket is written again, and no old state replaces a newer one. */
import { jetstreamManager, openPolicyBucket, POLICY_BUCKET, type PolicyBucket } from '@murmuration/bus'
import { createDomainBlock, getSettings, PolicyHead, setSetting } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPolicyPublication } from '../src/policy/publication.js'
import { as } from './fixtures.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.cluster.stop())

const bucketOf = async (): Promise<PolicyBucket> =>
  openPolicyBucket(harness.ctx.nc, await jetstreamManager(harness.ctx.nc, { checkAPI: false }), { replicas: 1 })
const published = async (): Promise<PolicyHead> =>
  PolicyHead.parse(JSON.parse((await (await bucketOf()).read('settings')) ?? 'null'))
const quiet = { warn: () => undefined } as never
const clock = { now: Date.now, sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) }

test('the defaults are published at the start', async () => {
  await expect.poll(() => harness.ctx.policy.loaded()).toBe(true)
  expect(harness.ctx.policy.settings()).toMatchObject({ site_title: 'Murmuration', registrations_mode: 'none' })
})

test('a setting entered as text is stored as its value, published, logged and returned', async () => {
  const answer = await harness.cluster.call(setSetting, { name: 'max_characters', value: '1000' })
  expect(answer).toEqual({ name: 'max_characters', value: 1000 })
  expect((await harness.cluster.call(getSettings, {})).settings.max_characters).toBe(1000)
  await expect.poll(() => harness.ctx.policy.settings().max_characters).toBe(1000)
  const log = await harness.cluster
    .db('admin')
    .rows(sql`select action, target, before, after, actor_id from audit_log order by id desc limit 1`)
  expect(log).toEqual([
    { action: 'update_setting', target: 'max_characters', before: null, after: 1000, actor_id: null },
  ])
})

test('an invalid value is refused with the name of the setting, and nothing changes', async () => {
  const before = await published()
  await expect(harness.cluster.call(setSetting, { name: 'registrations_mode', value: 'maybe' })).rejects.toMatchObject({
    code: 'unprocessable',
    message: 'Validation failed: Registrations mode is not included in the list',
  })
  await expect(harness.cluster.call(setSetting, { name: 'nonsense', value: '1' })).rejects.toMatchObject({
    message: 'Validation failed: Name is not a setting: nonsense',
  })
  expect(await published()).toEqual(before)
})

test('the contact account can be set by a local handle; others are refused', async () => {
  expect(await harness.cluster.call(setSetting, { name: 'site_contact_account', value: '@ada' })).toEqual({
    name: 'site_contact_account',
    value: '12',
  })
  await expect(harness.cluster.call(setSetting, { name: 'site_contact_account', value: '201' })).rejects.toMatchObject({
    message: 'Validation failed: Site contact account is not an account of this server',
  })
})

test('a domain block reaches every reader of the policy, with the stamp that its removal needs', async () => {
  const block = await harness.cluster.call(
    createDomainBlock,
    { domain: 'bad.example', severity: 'suspend', reject_reports: true },
    as(who(harness, '12')),
  )
  await expect.poll(() => harness.ctx.policy.domainRule('deep.bad.example')?.severity).toBe('suspend')
  expect(harness.ctx.policy.domainRule('bad.example')).toEqual({
    domain: 'bad.example',
    severity: 'suspend',
    reject_media: false,
    reject_reports: true,
    stamp: block.created_at,
  })
})

test('publishing what is published already writes nothing', async () => {
  const bucket = await bucketOf()
  const before = await bucket.position()
  await createPolicyPublication({ db: harness.cluster.db('admin'), bucket, log: quiet, clock }).publish()
  expect(await bucket.position()).toEqual(before)
})

test.each(['removed', 'deleted', 'unreadable'] as const)(
  'a policy with a chunk that is %s is published again, though its revision is the same',
  async (how) => {
    const bucket = await bucketOf()
    const publication = createPolicyPublication({ db: harness.cluster.db('admin'), bucket, log: quiet, clock })
    await publication.publish()
    const texts = () => Promise.all(['settings', 'domains.0', 'domains.1'].map((key) => bucket.read(key)))
    const before = await texts()
    expect(before.every((text) => text !== null)).toBe(true)
    const nc = harness.cluster.observer()
    const jsm = await jetstreamManager(nc, { checkAPI: false })
    if (how === 'removed') await jsm.streams.purge(`KV_${POLICY_BUCKET}`, { filter: `$KV.${POLICY_BUCKET}.domains.1` })
    // The marker of a deleted entry has no text.
    else await bucket.write('domains.1', how === 'deleted' ? '' : '{', (await bucket.position()).sequence)
    expect(await texts()).not.toEqual(before)
    await publication.publish()
    expect(await texts()).toEqual(before)
    const at = await bucket.position()
    await publication.publish()
    expect(await bucket.position()).toEqual(at)
  },
)

/** A bucket whose first write waits until `go` is called, like one of a stalled process. */
const stalling = (bucket: PolicyBucket) => {
  let go = () => {}
  let arrived = () => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  const atGate = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const written: string[] = []
  return {
    go: () => go(),
    atGate,
    written,
    bucket: {
      ...bucket,
      async write(key, text, after) {
        arrived()
        await gate
        const sequence = await bucket.write(key, text, after)
        if (sequence !== null && key === 'settings') written.push(PolicyHead.parse(JSON.parse(text)).rev)
        return sequence
      },
    } satisfies PolicyBucket,
  }
}

test('a stalled publisher with an older state never overwrites a newer one', async () => {
  const db = harness.cluster.db('admin')
  const raise = () => db.run(sql`update policy_revision set revision = revision + 1`)
  const setTitle = (title: string) =>
    db.run(sql`insert into settings (name, value, updated_at) values ('site_title', ${JSON.stringify(title)}::jsonb, now())
      on conflict (name) do update set value = excluded.value`)
  const slow = stalling(await bucketOf())
  await raise()
  await setTitle('Older')
  const late = createPolicyPublication({ db, bucket: slow.bucket, log: quiet, clock }).publish()
  await slow.atGate
  await raise()
  await setTitle('Newer')
  await createPolicyPublication({ db, bucket: await bucketOf(), log: quiet, clock }).publish()
  const newer = await published()
  expect(newer.settings.site_title).toBe('Newer')
  slow.go()
  await late
  expect(slow.written).toEqual([])
  expect(await published()).toEqual(newer)
})

test('many simultaneous changes are all received, and the last published state is the stored one', async () => {
  const titles = Array.from({ length: 12 }, (_, i) => `Title ${i}`)
  await Promise.all(titles.map((value) => harness.cluster.call(setSetting, { name: 'site_title', value })))
  const stored = (await harness.cluster.call(getSettings, {})).settings.site_title
  await expect.poll(async () => (await published()).settings.site_title).toBe(stored)
  const revision = await harness.cluster
    .db('admin')
    .row<{ revision: string }>(sql`select revision from policy_revision`)
  expect((await published()).rev).toBe(revision?.revision)
})

test('the state of a database restored from an older copy is published', async () => {
  const db = harness.cluster.db('admin')
  const { rev } = await published()
  await db.run(sql`update policy_revision set revision = 2`)
  await db.run(sql`update settings set value = '"Restored"' where name = 'site_title'`)
  await createPolicyPublication({ db, bucket: await bucketOf(), log: quiet, clock }).publish()
  const now = await published()
  expect(now.settings.site_title).toBe('Restored')
  expect(BigInt(now.rev)).toBeGreaterThan(BigInt(rev))
})

test('a bus that lost its data gets its bucket again without a change, and readers follow it again', async () => {
  await harness.cluster.nats.kill({ wipe: true })
  await harness.cluster.nats.start()
  await expect
    .poll(async () =>
      published().then(
        (head) => head.settings.site_title,
        () => null,
      ),
    )
    .toBe('Restored')
  await expect
    .poll(() =>
      harness.cluster.call(setSetting, { name: 'site_title', value: 'After the flood' }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await expect.poll(() => harness.ctx.policy.settings().site_title).toBe('After the flood')
  expect(harness.ctx.policy.domainRule('bad.example')?.severity).toBe('suspend')
})
