/** Shared parts of the fake services: they record requests, and can be unavailable. */
import { fail } from '@murmuration/contracts/kit'
import { type App, type BaseContext, handlersFor, type OperationEntry, service } from '@murmuration/kernel'
import type { World } from './world.js'

export const { handle } = handlersFor<BaseContext>()

const noted = (world: World, entry: OperationEntry): OperationEntry => ({
  ...entry,
  run: (ctx, viewer, input, request) => {
    const { name } = entry.operation
    world.asked.push({ operation: name, input })
    if (world.away.has(name)) throw fail('unavailable', 'Away')
    return entry.run(ctx, viewer, input, request)
  },
})

/** Creates a fake service with these operations. */
export const neighbour = (name: string, world: World, operations: OperationEntry[]): App => ({
  manifest: service(name, {
    operations: operations.map((entry) => noted(world, entry)),
    database: false,
    roles: { api: { operations: true, scales: 'tests', needs: [] } },
  }),
  createContext: (base) => base,
})
