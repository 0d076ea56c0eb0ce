/** Test harness: admin on real stores, with fakes of the services that it calls. */
import { limits } from '@murmuration/contracts/limits'
import type { App, BaseContext } from '@murmuration/kernel'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { app } from '../src/main.js'
import { accountsApp } from './fake-accounts.js'
import { federationApp } from './fake-federation.js'
import { mediaApp } from './fake-media.js'
import { statusesApp } from './fake-statuses.js'
import { type FakeAccount, type Fixtures, fixtureAccounts } from './fixtures.js'

export interface Harness {
  cluster: Cluster
  fixtures: Fixtures
  /** The context of admin, for work without an operation. */
  ctx: BaseContext
  /** Returns and clears the moderation requests to accounts, in order. */
  moderation(): Record<string, unknown>[]
}

export const startHarness = async (more: { apps?: App[]; env?: Record<string, string> } = {}): Promise<Harness> => {
  const fixtures: Fixtures = {
    collections: new Map(),
    fakeAccounts: new Map(fixtureAccounts().map((one) => [one.id, one])),
    statuses: new Map(),
    asked: [],
    mimeTypes: [...limits.media.mimeTypes],
    accountCounts: {},
    away: new Set(),
  }
  const fakeServices = [accountsApp(fixtures), statusesApp(fixtures), federationApp(), mediaApp(fixtures)]
  const cluster = await startCluster({ apps: [app, ...fakeServices, ...(more.apps ?? [])], env: more.env ?? {} })
  const running = cluster.host.running.find((one) => one.service === 'admin')
  if (!running) throw new Error('admin is not running')
  return {
    cluster,
    fixtures,
    ctx: running.ctx,
    moderation: () => {
      const asked = fixtures.asked
        .filter((one) => one.operation === 'accounts.account.moderate')
        .map((one) => one.input)
      fixtures.asked.length = 0
      return asked
    },
  }
}

/** The fixture account with this id. */
export const who = (harness: Harness, id: string): FakeAccount => {
  const found = harness.fixtures.fakeAccounts.get(id)
  if (!found) throw new Error(`there is no account ${id}`)
  return found
}
