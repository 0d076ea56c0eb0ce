/** The reader of the instance policy finds its bucket again after every kind of loss. */
import { connectBus, jetstreamManager, type NatsConnection, openPolicyBucket } from '@murmuration/bus'
import { InstanceSettings } from '@murmuration/contracts/admin'
import { startNats, type TestNats } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../src/log.js'
import { type Policy, watchPolicy } from '../src/policy.js'

let nats: TestNats
let nc: NatsConnection
let policy: Policy
beforeAll(async () => {
  nats = await startNats()
  nc = await connectBus({ url: nats.url, service: 'reader', name: 'policy test', password: null })
  policy = watchPolicy(nc, createLog({ service: 'test', level: 'silent' }), 100)
})
afterAll(async () => {
  await policy.stop()
  await nc.close()
  await nats.stop()
})

const publish = async (title: string): Promise<void> => {
  const bucket = openPolicyBucket(nc, await jetstreamManager(nc, { checkAPI: false }), { replicas: 1 })
  const { sequence } = await bucket.position()
  const settings = InstanceSettings.parse({ site_title: title })
  expect(await bucket.write('settings', JSON.stringify({ settings, chunks: 0, rev: '1' }), sequence)).not.toBeNull()
}
const reads = (title: string) => expect.poll(() => policy.settings().site_title).toBe(title)

test('defaults apply until the bucket was read once', async () => {
  expect(policy.loaded()).toBe(false)
  expect(policy.settings()).toEqual(InstanceSettings.parse({}))
  await publish('First')
  await reads('First')
  expect(policy.loaded()).toBe(true)
})

test('rules apply only when every chunk of the head exists', async () => {
  const bucket = openPolicyBucket(nc, await jetstreamManager(nc, { checkAPI: false }), { replicas: 1 })
  const rule = (domain: string) => ({ domain, severity: 'suspend', reject_media: false, reject_reports: false })
  const put = async (key: string, value: unknown) => {
    const { sequence } = await bucket.position()
    expect(await bucket.write(key, JSON.stringify(value), sequence)).not.toBeNull()
  }
  const settings = InstanceSettings.parse({ site_title: 'Rules' })
  await put('settings', { settings, chunks: 2, rev: '2' })
  await put('domains.0', { blocks: [rule('bad.example')], allows: [] })
  await reads('Rules')
  expect(policy.domainRule('bad.example')).toBeNull()
  await put('domains.1', { blocks: [], allows: ['good.example'] })
  await expect.poll(() => policy.domainRule('www.bad.example')?.severity).toBe('suspend')
  expect(policy.allows('good.example')).toBe(true)
  await put('domains.1', { blocks: [rule('worse.example')], allows: [] })
  await put('settings', { settings, chunks: 2, rev: '3' })
  await expect.poll(() => policy.domainRule('worse.example')?.severity).toBe('suspend')
})

test('values of a newer release count as the strictest ones, and unreadable entries leave the others in force', async () => {
  const bucket = openPolicyBucket(nc, await jetstreamManager(nc, { checkAPI: false }), { replicas: 1 })
  const put = async (key: string, value: unknown) => {
    const { sequence } = await bucket.position()
    expect(await bucket.write(key, JSON.stringify(value), sequence)).not.toBeNull()
  }
  const settings = {
    ...InstanceSettings.parse({ site_title: 'Newer' }),
    ...{ registrations_mode: 'by_vote', local_live_feed_access: 'staff', trends: 'weekly', added: { by: 'tomorrow' } },
  }
  const rule = { reject_media: false, reject_reports: false, added: true }
  await put('domains.0', { blocks: [{ ...rule, domain: 'bad.example', severity: 'quarantine' }], allows: [] })
  await put('domains.1', { blocks: [{ ...rule, domain: 'worse.example', severity: 'silence' }], allows: [] })
  await put('access.0', { ips: [{ ip: '192.0.2.0/24', severity: 'slow', expires_at: null }] })
  await put('settings', { settings, chunks: 2, access: 1, rev: '4' })
  await reads('Newer')
  expect(policy.settings()).toMatchObject({
    registrations_mode: 'none',
    local_live_feed_access: 'disabled',
    remote_live_feed_access: 'public',
    trends: true,
  })
  expect(policy.domainRule('bad.example')?.severity).toBe('suspend')
  expect(policy.domainRule('worse.example')?.severity).toBe('silence')
  expect(policy.access().ip('192.0.2.7', 0)).toBe('no_access')
  await put('domains.0', { blocks: 'in another form' })
  await put('settings', { settings: InstanceSettings.parse({ site_title: 'After' }), chunks: 2, rev: '5' })
  await reads('After')
  expect(policy.domainRule('bad.example')?.severity).toBe('suspend')
})

test('a bucket that was deleted and created again is read again without a reconnection', async () => {
  await (await jetstreamManager(nc, { checkAPI: false })).streams.delete('KV_INSTANCE')
  await publish('Second')
  await reads('Second')
  await publish('Third')
  await reads('Third')
})

test('F017 the bucket is read again after the bus returned without its streams', async () => {
  await nats.kill({ wipe: true })
  await nats.start()
  await expect
    .poll(() =>
      publish('Fourth').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await reads('Fourth')
})
