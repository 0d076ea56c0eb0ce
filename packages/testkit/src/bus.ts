/** The bus of a test: a NATS server with logins for the apps, for the operator, and for an observer that may read all streams. */
import {
  authorizationBlock,
  connectBus,
  ensureStream,
  eventStream,
  jetstreamManager,
  type NatsConnection,
  permissionsOf,
} from '@murmuration/bus'
import { type App, busNeedsOf, derive, operatorNeeds } from '@murmuration/kernel'
import { OBSERVER, observerPermissions } from './idle.js'
import { startNats, type TestNats } from './nats-server.js'

export interface TestBus {
  nats: TestNats
  /** Connection that may call every operation that `bin/ctl` may call. */
  operator: NatsConnection
  /** Connection that may read every stream and consumer. */
  observer: NatsConnection
  close(): Promise<void>
}

const passwordOf = (secretKeyBase: string, user: string) => derive({ secretKeyBase }, `bus:${user}`)

/**
 * Creates the event streams of services that the test does not run. Otherwise the running services would look for these
 * streams every second. Each time, they would also look for each of their consumers.
 */
const createAbsentStreams = async (observer: NatsConnection, apps: readonly App[]): Promise<void> => {
  const present = new Set(
    apps.filter(({ manifest }) => manifest.announces.length > 0).map((app) => app.manifest.service),
  )
  const wanted = apps.flatMap(({ manifest }) => manifest.reactions.map((one) => one.event.service))
  const absent = new Set(wanted.filter((service) => !present.has(service)))
  const jsm = await jetstreamManager(observer, { checkAPI: false })
  await Promise.all(
    [...absent].map((service) =>
      ensureStream(
        jsm,
        { name: eventStream(service), subjects: [`evt.${service}.>`], kind: 'events' },
        { replicas: 1, maxBytes: 1_048_576 },
      ),
    ),
  )
}

/** Starts a NATS server. Each app has exactly the bus permissions of its manifest. */
export const startBus = async (apps: readonly App[], secretKeyBase: string): Promise<TestBus> => {
  const operations = apps.flatMap((app) => app.manifest.operations.map((entry) => entry.operation.subject))
  const users = [...apps.map((app) => busNeedsOf(app.manifest)), operatorNeeds(operations)].map((needs) => ({
    user: needs.service,
    permissions: permissionsOf(needs),
  }))
  const nats = await startNats(
    authorizationBlock(
      [...users, { user: OBSERVER, permissions: observerPermissions }].map((one) => ({
        ...one,
        password: passwordOf(secretKeyBase, one.user),
      })),
    ),
  )
  const connectAs = (user: string) =>
    connectBus({ url: nats.url, service: user, name: `test ${user}`, password: passwordOf(secretKeyBase, user) })
  const [operator, observer] = await Promise.all([connectAs('operator'), connectAs(OBSERVER)])
  await createAbsentStreams(observer, apps)
  return {
    nats,
    operator,
    observer,
    async close() {
      await Promise.all([operator.close(), observer.close()])
      await nats.stop()
    },
  }
}
