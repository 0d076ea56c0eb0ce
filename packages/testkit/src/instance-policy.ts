/** The instance policy of clusters without the service admin, because services refuse requests before it is loaded. */
import { jetstreamManager, type NatsConnection, openPolicyBucket } from '@murmuration/bus'
import { InstanceSettings } from '@murmuration/contracts/admin'
import type { App, Host } from '@murmuration/kernel'

/** Whether the service runs with its database, and is not a fake. */
const runs = (apps: readonly App[], service: string): boolean =>
  apps.some(({ manifest }) => manifest.service === service && manifest.database)

/** Services that refuse requests before the policy is loaded, and whose tests do not publish it. */
const REFUSING = ['accounts', 'statuses']

/** Whether such a service runs without the admin service, which writes the policy at its start. */
export const lacksPolicy = (apps: readonly App[]): boolean =>
  REFUSING.some((service) => runs(apps, service)) && !runs(apps, 'admin')

/** Writes a policy with default settings and without rules. A test may replace it. */
export const writeEmptyPolicy = async (nc: NatsConnection): Promise<void> => {
  const bucket = openPolicyBucket(nc, await jetstreamManager(nc, { checkAPI: false }), { replicas: 1 })
  const { sequence } = await bucket.position()
  const head = { settings: InstanceSettings.parse({}), chunks: 0, rev: '0' }
  await bucket.write('settings', JSON.stringify(head), sequence)
}

const MAX_WAIT_MS = 10_000

/** Waits until every service has loaded the policy. A cluster whose policy bucket is lost starts after `MAX_WAIT_MS`. */
export const waitForPolicy = async (host: Host, apps: readonly App[]): Promise<void> => {
  if (!lacksPolicy(apps) && !runs(apps, 'admin')) return
  const isLoaded = () => host.running.every(({ ctx }) => ctx.policy.loaded())
  const end = performance.now() + MAX_WAIT_MS
  while (!isLoaded() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
}
