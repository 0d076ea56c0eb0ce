/** Test harness: admin on real stores, with fakes of the services that it calls. */
import { limits } from '@murmuration/contracts/limits'
import type { App, BaseContext } from '@murmuration/kernel'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { app } from '../src/main.js'
import { accountsApp } from './neighbour-accounts.js'
import { federationApp } from './neighbour-federation.js'
import { mediaApp } from './neighbour-media.js'
import { statusesApp } from './neighbour-statuses.js'
import { type Person, peopleOfTheHouse, type World } from './world.js'

export interface House {
  cluster: Cluster
  world: World
  /** The context of admin, for work without an operation. */
  ctx: BaseContext
  /** Returns and clears the moderation requests to accounts, in order. */
  moderation(): Record<string, unknown>[]
}

export const startHouse = async (more: { apps?: App[]; env?: Record<string, string> } = {}): Promise<House> => {
  const world: World = {
    collections: new Map(),
    people: new Map(peopleOfTheHouse().map((one) => [one.id, one])),
    statuses: new Map(),
    asked: [],
    mimeTypes: [...limits.media.mimeTypes],
    away: new Set(),
  }
  const neighbours = [accountsApp(world), statusesApp(world), federationApp(), mediaApp(world)]
  const cluster = await startCluster({ apps: [app, ...neighbours, ...(more.apps ?? [])], env: more.env ?? {} })
  const running = cluster.host.running.find((one) => one.service === 'admin')
  if (!running) throw new Error('admin is not running')
  return {
    cluster,
    world,
    ctx: running.ctx,
    moderation: () => {
      const asked = world.asked.filter((one) => one.operation === 'accounts.account.moderate').map((one) => one.input)
      world.asked.length = 0
      return asked
    },
  }
}

/** The fixture account with this id. */
export const who = (house: House, id: string): Person => {
  const found = house.world.people.get(id)
  if (!found) throw new Error(`there is no account ${id}`)
  return found
}
